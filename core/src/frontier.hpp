#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
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

/// Room for states that are written before they are kept, one more than there are; it only grows.
template <class P>
class Frontier {
 public:
  void reserve(std::size_t size) {
    if (size <= capacity_) return;
    capacity_ = std::max<std::size_t>(size, 256);
    storage_.reset(new State<P>[capacity_]);
  }
  /// The states end here from now on.
  void shrink_to(State<P>* end) { size_ = static_cast<std::size_t>(end - storage_.get()); }
  void swap(Frontier& other) noexcept {
    storage_.swap(other.storage_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  [[nodiscard]] State<P>* begin() { return storage_.get(); }
  [[nodiscard]] State<P>* end() { return storage_.get() + size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::unique_ptr<State<P>[]> storage_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
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
