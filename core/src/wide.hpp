/// Integers of 512 bits, for many tiers of large values. Slow and rarely needed, so simple.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "haversack/forest.hpp"

namespace haversack {

/// Two's complement, least significant limb first. Overflow wraps; callers size their numbers so that there is none.
class Wide {
 public:
  static constexpr std::size_t kLimbs = ForestInstance::kLimbs;

  Wide() = default;
  Wide(Int128 number)
      : Wide(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(number >> 64U), number < 0) {}
  Wide(std::int64_t number) : Wide(static_cast<Int128>(number)) {}
  Wide(int number) : Wide(static_cast<Int128>(number)) {}

  friend Wide operator+(Wide a, const Wide& b) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const Double sum = Double{a.limb_[i]} + b.limb_[i] + carry;
      a.limb_[i] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64U);
    }
    return a;
  }
  friend Wide operator-(const Wide& a, Wide b) {
    for (auto& limb : b.limb_) limb = ~limb;
    return a + (b + Wide(1));
  }
  friend Wide operator*(const Wide& a, const Wide& b) {
    const Wide left = a.magnitude();
    const Wide right = b.magnitude();
    Wide product(0);
    for (std::size_t i = 0; i < kLimbs; ++i) {
      if (left.limb_[i] == 0) continue;
      std::uint64_t carry = 0;
      for (std::size_t j = 0; i + j < kLimbs; ++j) {
        const Double sum = Double{left.limb_[i]} * right.limb_[j] + product.limb_[i + j] + carry;
        product.limb_[i + j] = static_cast<std::uint64_t>(sum);
        carry = static_cast<std::uint64_t>(sum >> 64U);
      }
    }
    return a.is_negative() != b.is_negative() ? Wide(0) - product : product;
  }
  /// Rounds towards zero, as for the built-in integers.
  friend Wide operator/(const Wide& a, const Wide& b) {
    const Wide divisor = b.magnitude();
    Wide rest = a.magnitude();
    Wide quotient(0);
    for (int bit = rest.bits() - divisor.bits(); bit >= 0; --bit) {
      const Wide shifted = divisor.shifted(bit);
      if (rest < shifted) continue;
      rest = rest - shifted;
      quotient.limb_[static_cast<std::size_t>(bit) / 64] |= std::uint64_t{1} << (static_cast<unsigned>(bit) % 64);
    }
    return a.is_negative() != b.is_negative() ? Wide(0) - quotient : quotient;
  }
  friend bool operator==(const Wide& a, const Wide& b) { return a.limb_ == b.limb_; }
  friend bool operator!=(const Wide& a, const Wide& b) { return a.limb_ != b.limb_; }
  friend bool operator<(const Wide& a, const Wide& b) {
    if (a.is_negative() != b.is_negative()) return a.is_negative();
    for (std::size_t i = kLimbs; i-- > 0;)
      if (a.limb_[i] != b.limb_[i]) return a.limb_[i] < b.limb_[i];
    return false;
  }

  explicit operator double() const {
    const Wide number = magnitude();
    double sum = 0;
    for (std::size_t i = kLimbs; i-- > 0;) sum = sum * 18446744073709551616.0 + static_cast<double>(number.limb_[i]);
    return is_negative() ? -sum : sum;
  }
  /// How many binary digits a number >= 0 has.
  [[nodiscard]] int bits() const {
    for (std::size_t i = kLimbs; i-- > 0;) {
      int bit = 0;
      for (auto limb = limb_[i]; limb != 0; limb >>= 1U) ++bit;
      if (bit > 0) return static_cast<int>(i * 64) + bit;
    }
    return 0;
  }

  /// From and to `kLimbs` words, the least significant first.
  explicit Wide(const std::uint64_t* limbs) { std::copy(limbs, limbs + kLimbs, limb_.begin()); }
  [[nodiscard]] const std::uint64_t* limbs() const { return limb_.data(); }

  explicit operator Int128() const { return static_cast<Int128>((Double{limb_[1]} << 64U) | limb_[0]); }

 private:
  __extension__ typedef unsigned __int128 Double;

  Wide(std::uint64_t low, std::uint64_t high, bool negative) {
    limb_.fill(negative ? ~std::uint64_t{0} : 0);
    limb_[0] = low;
    limb_[1] = high;
  }
  [[nodiscard]] bool is_negative() const { return limb_[kLimbs - 1] >> 63U != 0; }
  [[nodiscard]] Wide magnitude() const { return is_negative() ? Wide(0) - *this : *this; }
  [[nodiscard]] Wide shifted(int by) const {
    Wide result(0);
    const std::size_t limbs = static_cast<std::size_t>(by) / 64;
    const unsigned bit = static_cast<unsigned>(by) % 64;
    for (std::size_t i = limbs; i < kLimbs; ++i) {
      result.limb_[i] = limb_[i - limbs] << bit;
      if (bit != 0 && i > limbs) result.limb_[i] |= limb_[i - limbs - 1] >> (64 - bit);
    }
    return result;
  }

  std::array<std::uint64_t, kLimbs> limb_{};
};

}  // namespace haversack
