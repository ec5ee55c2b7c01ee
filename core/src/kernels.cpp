#include "kernels.hpp"

#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "haversack/solve.hpp"

namespace haversack {
namespace baseline {
namespace {
#include "kernels.inc"
}
}  // namespace baseline

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__AVX2__)
#define HAVERSACK_HAS_WIDE 1
#pragma GCC push_options
#pragma GCC target("avx2")
namespace wide {
namespace {
#include "kernels.inc"
}
}  // namespace wide
#pragma GCC pop_options
#endif

namespace {

constexpr Kernels kBaseline{baseline::efficiency_int,  baseline::efficiency_small_int,
                            baseline::efficiency_real, baseline::efficiency_small_real,
                            baseline::weight_over,     baseline::flag_between,
                            baseline::flag_small_loss, baseline::all_bits,
                            baseline::masked_sum,      baseline::largest_bits,
                            baseline::masked_digits};

#ifdef HAVERSACK_HAS_WIDE
constexpr Kernels kWide{
    wide::efficiency_int, wide::efficiency_small_int, wide::efficiency_real, wide::efficiency_small_real,
    wide::weight_over,    wide::flag_between,         wide::flag_small_loss, wide::all_bits,
    wide::masked_sum,     wide::largest_bits,         wide::masked_digits};

const Kernels& widest() { return __builtin_cpu_supports("avx2") ? kWide : kBaseline; }
#else
const Kernels& widest() { return kBaseline; }
#endif

std::atomic<bool> dispatched{true};

}  // namespace

const Kernels& kernels() {
  static const Kernels& best = widest();
  return dispatched.load(std::memory_order_relaxed) ? best : kBaseline;
}

std::uint64_t all_bits(const std::int64_t* numbers, std::size_t size) { return kernels().all_bits(numbers, size); }

std::uint64_t largest_bits(const double* numbers, std::size_t size) {
  return static_cast<std::uint64_t>(kernels().largest_bits(numbers, size));
}

bool set_dispatch(bool enabled) { return dispatched.exchange(enabled); }

}  // namespace haversack
