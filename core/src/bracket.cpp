#include "bracket.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace haversack {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kLargestSample = 1024;

/// A histogram over the leading bits of doubles: exponent and five bits of the mantissa, from the greatest down.
class Histogram {
 public:
  static constexpr std::int64_t kClasses = 1024;
  static constexpr int kShift = 47;

  explicit Histogram(double greatest) : top_(leading(greatest)) {}

  void add(double efficiency, Weight weight) {
    const auto at = static_cast<std::size_t>(std::clamp<std::int64_t>(top_ - leading(efficiency), 0, kClasses - 1));
    weights_[at] += weight;
    ++counts_[at];
  }

  /// The class in which the cumulated weight passes `room`, widened until it holds a dozen items on either side.
  [[nodiscard]] Bracket around(Weight room) const {
    std::int64_t at = 0;
    for (; at < kClasses - 1; ++at) {
      const Weight weight = weights_[static_cast<std::size_t>(at)];
      if (weight > room) break;
      room -= weight;
    }
    if (at == kClasses - 1) return {0.0, kInfinity};
    std::int64_t first = at, last = at;
    for (int items = 0; first > 0 && items < kBeside; --first) items += counts_[static_cast<std::size_t>(first - 1)];
    for (int items = 0; last < kClasses - 2 && items < kBeside; ++last) {
      items += counts_[static_cast<std::size_t>(last + 1)];
    }
    return {edge(top_ - last), first > 0 ? std::nextafter(edge(top_ - first + 1), 0.0) : kInfinity};
  }

 private:
  static constexpr int kBeside = 16;

  static std::int64_t leading(double number) {
    std::int64_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits >> kShift;
  }

  static double edge(std::int64_t key) {
    const std::int64_t bits = key << kShift;
    double number;
    std::memcpy(&number, &bits, sizeof number);
    return number;
  }

  std::int64_t top_;
  std::array<Weight, kClasses> weights_{};
  std::array<std::int32_t, kClasses> counts_{};
};

}  // namespace

Bracket sample_bracket(const Items& items, Weight room, Weight weight, Items& sample) {
  const std::size_t wanted = std::min(kLargestSample, std::max<std::size_t>(32, items.size() / 16));
  const std::size_t stride = std::max<std::size_t>(1, items.size() / wanted);
  sample.clear();
  double total = 0.0;
  for (std::size_t i = stride / 2; i < items.size(); i += stride) {
    sample.push_back(items[i]);
    total += static_cast<double>(items[i].weight);
  }
  if (sample.size() < 8) return {0.0, kInfinity};
  std::sort(sample.begin(), sample.end(), by_efficiency);
  const double share = static_cast<double>(room) / static_cast<double>(weight);
  std::size_t rank = 0;
  double cumulated = 0.0;
  while (rank + 1 < sample.size()) {
    cumulated += static_cast<double>(sample[rank].weight);
    if (cumulated > share * total) break;
    ++rank;
  }
  const auto size = static_cast<double>(sample.size());
  const double quantile = (static_cast<double>(rank) + 0.5) / size;
  const auto spread = static_cast<std::size_t>(3.0 * std::sqrt(size * quantile * (1.0 - quantile))) + 2;
  return {rank + spread < sample.size() ? sample[rank + spread].efficiency : 0.0,
          rank >= spread ? sample[rank - spread].efficiency : kInfinity};
}

Bracket histogram_bracket(const Scan& scan, Weight room) {
  const double* efficiency = scan.efficiencies();
  double greatest = 0.0;
  for (std::size_t i = 0; i < scan.size(); ++i) {
    // A free item's efficiency is infinite: it weighs nothing and needs no class.
    greatest = efficiency[i] > greatest && efficiency[i] < kInfinity ? efficiency[i] : greatest;
  }
  Histogram histogram(greatest);
  for (std::size_t i = 0; i < scan.size(); ++i) {
    if (efficiency[i] >= 0.0) histogram.add(efficiency[i], scan.weights()[i]);
  }
  return histogram.around(room);
}

}  // namespace haversack
