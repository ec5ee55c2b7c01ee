// Sums of doubles without rounding: a fixed-point number as wide as the whole range of doubles, in limbs of 32 bits
// with room for carries (Kulisch's long accumulator), rounded once at the end.

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "haversack/solve.hpp"
#include "kernels.hpp"

namespace haversack {
namespace {

constexpr int kLowest = -1074;  // exponent of the last bit of the smallest double
constexpr std::size_t kLimbs = (1024 - kLowest) / 32 + 3;

class LongAccumulator {
 public:
  void add(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const int biased = static_cast<int>(bits >> 52 & 0x7ff);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (biased != 0) mantissa |= std::uint64_t{1} << 52;
    const int position = biased == 0 ? 0 : biased - 1;
    const std::int64_t sign = bits >> 63 ? -1 : 1;
    const std::size_t limb = static_cast<std::size_t>(position / 32);
    const auto low = static_cast<unsigned __int128>(mantissa) << (position % 32);
    limbs_[limb] += sign * static_cast<std::int64_t>(static_cast<std::uint32_t>(low));
    limbs_[limb + 1] += sign * static_cast<std::int64_t>(static_cast<std::uint32_t>(low >> 32));
    limbs_[limb + 2] += sign * static_cast<std::int64_t>(static_cast<std::uint32_t>(low >> 64));
  }

  [[nodiscard]] double rounded() {
    const bool negative = settle();
    std::size_t top = kLimbs;
    while (top > 0 && limbs_[top - 1] == 0) --top;
    if (top == 0) return 0.0;
    // The three highest limbs hold at least 65 significant bits: more than a double's 53 and the bit behind them.
    unsigned __int128 head = 0;
    std::size_t first = top >= 3 ? top - 3 : 0;
    for (std::size_t i = top; i > first; --i) head = head << 32 | static_cast<std::uint32_t>(limbs_[i - 1]);
    bool sticky = false;
    for (std::size_t i = 0; i < first; ++i) sticky = sticky || limbs_[i] != 0;
    int exponent = kLowest + 32 * static_cast<int>(first);
    int width = 0;
    while (head >> width != 0) ++width;
    if (width > 53) {
      const int drop = width - 53;
      const unsigned __int128 rest = head & ((static_cast<unsigned __int128>(1) << drop) - 1);
      const unsigned __int128 half = static_cast<unsigned __int128>(1) << (drop - 1);
      head >>= drop;
      if (rest > half || (rest == half && (sticky || (head & 1)))) ++head;
      exponent += drop;
    }
    const double magnitude = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(head)), exponent);
    return negative ? -magnitude : magnitude;
  }

 private:
  /// Propagates the carries; leaves the magnitude in limbs of 32 bits and returns the sign.
  bool settle() {
    std::int64_t carry = 0;
    for (std::int64_t& limb : limbs_) {
      limb += carry;
      carry = limb >> 32;
      limb &= 0xffffffff;
    }
    if (carry >= 0) return false;
    carry = 1;
    for (std::int64_t& limb : limbs_) {
      limb = (limb ^ 0xffffffff) + carry;
      carry = limb >> 32;
      limb &= 0xffffffff;
    }
    return true;
  }

  std::array<std::int64_t, kLimbs> limbs_{};
};

}  // namespace

double exact_sum(const double* values, const std::uint8_t* mask, std::size_t size, std::uint64_t bits) {
  // Most numbers end within three digits of some 31 bits below the largest: those add up as integers, many at a time.
  const Kernels& run = kernels();
  double largest;
  std::memcpy(&largest, &bits, sizeof largest);
  int exponent = 0;
  std::frexp(largest, &exponent);
  int carry = 1;
  while (size >> carry != 0) ++carry;
  const int digit = 51 - carry;
  LongAccumulator sum;
  if (digit > 20 && exponent < 960 && exponent - 3 * digit > -900) {
    double units[3], magic[3];
    std::int64_t digits[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
      units[i] = std::ldexp(1.0, exponent - (i + 1) * digit);
      magic[i] = 1.5 * 0x1p52 * units[i];
    }
    if (run.masked_digits(values, mask, size, magic, digits)) {
      for (int i = 0; i < 3; ++i) sum.add(static_cast<double>(digits[i]) * units[i]);
      return sum.rounded();
    }
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (mask[i]) sum.add(values[i]);
  }
  return sum.rounded();
}

}  // namespace haversack
