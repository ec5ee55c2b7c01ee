#pragma once

#include <algorithm>
#include <limits>

#include "haversack/instance.hpp"

namespace haversack {

/// Counts the states created against the limit and polls for interruption now and then.
class Effort {
 public:
  explicit Effort(const Limits& limits) : limits_(limits) {}

  /// Books `states`; false when the limit is reached or the caller interrupts: stop and keep what was found.
  [[nodiscard]] bool spend(std::int64_t states) {
    spent_ += states;
    since_poll_ += states + 64;
    if (limits_.interrupted != nullptr && since_poll_ > kPollInterval) {
      since_poll_ = 0;
      interrupted_ = interrupted_ || limits_.interrupted(limits_.context);
    }
    return !exhausted();
  }

  /// Until lifted, `states` more at most: for work that may be given up.
  void ration(std::int64_t states) { ration_ = spent_ + states; }
  void lift_ration() { ration_ = kUnlimited; }

  /// States that may still be created, and the limit for all; a great many where there is none.
  [[nodiscard]] std::int64_t left() const { return std::min(left_of(limits_.states), left_of(ration_)); }
  [[nodiscard]] std::int64_t limit() const { return limits_.states == kUnlimited ? kEndless : limits_.states; }

  [[nodiscard]] std::int64_t spent() const { return spent_; }
  [[nodiscard]] bool interrupted() const { return interrupted_; }
  [[nodiscard]] bool exhausted() const { return interrupted_ || reached(limits_.states) || reached(ration_); }

 private:
  static constexpr std::int64_t kPollInterval = 1 << 20;

  static constexpr std::int64_t kEndless = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] std::int64_t left_of(std::int64_t limit) const {
    return limit == kUnlimited ? kEndless : std::max<std::int64_t>(0, limit - spent_);
  }
  [[nodiscard]] bool reached(std::int64_t limit) const { return limit != kUnlimited && spent_ >= limit; }

  Limits limits_;
  std::int64_t ration_ = kUnlimited;
  std::int64_t spent_ = 0;
  std::int64_t since_poll_ = 0;
  bool interrupted_ = false;
};

}  // namespace haversack
