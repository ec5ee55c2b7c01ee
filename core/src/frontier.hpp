#pragma once

#include <cstdint>
#include <vector>

#include "haversack/types.hpp"

namespace haversack {

/// A partial packing, relative to the break solution.
template <class P>
struct State {
  Weight weight;
  P profit;
  std::uint64_t decisions;  ///< of the last 64 steps, one bit each: was the step's item moved
  std::uint32_t history;    ///< the decisions before these, in the History
  std::int32_t count;       ///< of a counted search: the sum of the counts of what is packed
};

/// The decisions of states in blocks of 64 steps: memory in proportion to states / 64.
class History {
 public:
  static constexpr std::uint32_t kStart = 0;
  static constexpr std::size_t kBlock = 64;

  History() : blocks_(1, Block{0, kStart}) {}

  [[nodiscard]] std::uint32_t add(std::uint64_t decisions, std::uint32_t before) {
    blocks_.push_back({decisions, before});
    return static_cast<std::uint32_t>(blocks_.size() - 1);
  }
  [[nodiscard]] std::size_t size() const { return blocks_.size(); }
  [[nodiscard]] std::uint64_t decisions(std::uint32_t block) const { return blocks_[block].decisions; }
  [[nodiscard]] std::uint32_t before(std::uint32_t block) const { return blocks_[block].before; }

 private:
  struct Block {
    std::uint64_t decisions;
    std::uint32_t before;
  };
  std::vector<Block> blocks_;
};

}  // namespace haversack
