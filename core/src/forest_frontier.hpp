/// Pareto frontiers of partial selections, their merging and their history.
#pragma once

#include "forest_base.hpp"

namespace haversack::forest {

/// Weight and profit against the base's decisions for the same nodes. `left` and `right` name the two histories it
/// joins.
template <class T>
struct State {
  T weight;
  T profit;
  std::uint32_t left = 0;
  std::uint32_t right = 0;
};

/// By ascending weight and ascending profit: no state is dominated.
template <class T>
using Frontier = std::vector<State<T>>;

/// Histories as a forest of joins, so that a state costs one entry and a base decision none.
class History {
 public:
  struct Entry {
    std::uint32_t left, right;  ///< of a join; of a deviation: kOut, and its number
  };
  struct Deviation {
    std::int32_t node;
    std::uint32_t choice;  ///< option, kOut, or kEnters
  };
  static constexpr std::uint32_t kEnters = kOut - 1;  ///< the node is in, with its best option unless another is named

  void clear() {
    entries_.assign(1, {0, 0});  // entry 0: nothing but base decisions
    deviations_.clear();
  }
  std::uint32_t deviate(std::size_t node, std::uint32_t choice) {
    deviations_.push_back({static_cast<std::int32_t>(node), choice});
    entries_.push_back({kOut, static_cast<std::uint32_t>(deviations_.size() - 1)});
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }
  std::uint32_t join(std::uint32_t left, std::uint32_t right) {
    if (right == 0) return left;
    if (left == 0) return right;
    entries_.push_back({left, right});
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }
  [[nodiscard]] std::size_t bytes() const { return entries_.size() * sizeof(Entry); }

  template <class Visit>
  void each_deviation(std::uint32_t from, const Visit& visit) const {
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
      const auto& entry = entries_[open.back()];
      const bool is_empty = open.back() == 0;
      open.pop_back();
      if (is_empty) continue;
      if (entry.left == kOut) {
        visit(deviations_[entry.right]);
        continue;
      }
      open.push_back(entry.left);
      open.push_back(entry.right);
    }
  }

 private:
  std::vector<Entry> entries_;
  std::vector<Deviation> deviations_;
};

/// What the search may still spend.
struct Effort {
  std::int64_t left = -1;  ///< candidates; negative: no limit
  std::int64_t spent = 0;
  std::size_t memory = 0;
  const std::function<bool()>* interrupted = nullptr;
  std::int64_t next_poll = 0;
  bool is_interrupted = false;

  /// False: stop.
  bool spend(std::size_t candidates, std::size_t bytes) {
    spent += static_cast<std::int64_t>(candidates);
    if (left >= 0 && spent > left) return false;
    if (bytes > memory) return false;
    if (spent >= next_poll) {
      next_poll = spent + (std::int64_t{1} << 16U);
      if (*interrupted && (*interrupted)()) is_interrupted = true;
    }
    return !is_interrupted;
  }
};

/// Where a partial selection of a section stands, and the least that it must still lose.
template <class T>
struct Window {
  T price;      ///< a state has lost price * weight - profit, and `offset`
  T offset;     ///< what decisions outside this frontier are known to lose
  T allowed;    ///< states that must lose more, without what unused tokens of the whole lose, lead to nothing better
  T in_all{0};  ///< the same, with that; only where there is room
  bool has_room = false;
  T room{0};        ///< relative weight at which the section is full
  T over_limit{0};  ///< the most weight that decisions still to come can take back
  T over_rate{0};   ///< the least loss per token of doing so
  T under_rate{0};  ///< the least loss per token of leaving room unused, or of filling it

  /// A lower bound on the loss of whatever becomes of the state. False: nothing better can.
  bool is_hopeful(const T& weight, const T& profit, T& loss) const {
    loss = price * weight - profit + offset;
    if (!has_room) return !(allowed < loss);
    if (room < weight) {
      const T over = weight - room;
      if (over_limit < over) return false;
      loss = loss + over * over_rate;
      return !(allowed < loss);
    }
    if (allowed < loss) return false;
    loss = loss + (room - weight) * under_rate;
    return !(in_all < loss);
  }
};

/// Merges classes into frontiers: every state with every option, less what is dominated, hopeless or beyond the beam.
template <class T>
class Merger {
 public:
  Merger(History& history, Effort& effort, std::size_t beam) : history_(history), effort_(effort), beam_(beam) {}

  /// False: the effort is spent, `frontier` is meaningless.
  bool merge(Frontier<T>& frontier, const Frontier<T>& options, const Window<T>& window) {
    const bool goes_on =
        options.size() <= 6 ? merge_few(frontier, options, window) : merge_many(frontier, options, window);
    if (!goes_on) return false;
    if (out_.size() > beam_) cut(out_, window);
    for (auto& state : out_) {
      state.left = history_.join(state.left, state.right);
      state.right = 0;
    }
    frontier.swap(out_);
    return effort_.spend(0, history_.bytes());
  }

  T dropped = greatest<T>();  ///< least loss of the states that only the beam has dropped

 private:
  using Iterator = typename Frontier<T>::const_iterator;

  /// Takes candidates by ascending weight and keeps those that may lead to something better.
  void offer(const State<T>& candidate, const Window<T>& window, T& richest) {
    if (!(richest < candidate.profit)) return;
    T loss;
    // A hopeless state still rules out what it dominates: that is at least as hopeless.
    richest = candidate.profit;
    if (!window.is_hopeful(candidate.weight, candidate.profit, loss)) return;
    if (!out_.empty() && out_.back().weight == candidate.weight) out_.pop_back();
    out_.push_back(candidate);
  }

  static State<T> extended(const State<T>& state, const State<T>& option) {
    return {state.weight + option.weight, state.profit + option.profit, state.left, option.left};
  }

  static bool is_before(const State<T>& a, const State<T>& b) {
    return a.weight < b.weight || (a.weight == b.weight && !(a.profit < b.profit));
  }

  /// One linear pass an option: the frontier shifted by it, into what there is.
  bool merge_few(const Frontier<T>& frontier, const Frontier<T>& options, const Window<T>& window) {
    out_.clear();
    for (const auto& option : options) {
      before_.swap(out_);
      out_.clear();
      T richest = lowest();
      auto done = before_.cbegin();
      for (const auto& state : frontier) {
        const State<T> next = extended(state, option);
        for (; done != before_.cend() && is_before(*done, next); ++done) keep_if_richer(*done, richest);
        offer(next, window, richest);
      }
      for (; done != before_.cend(); ++done) keep_if_richer(*done, richest);
      if (!effort_.spend(frontier.size(), 0)) return false;
    }
    return true;
  }

  void keep_if_richer(const State<T>& state, T& richest) {
    if (!(richest < state.profit)) return;
    richest = state.profit;
    if (!out_.empty() && out_.back().weight == state.weight) out_.pop_back();
    out_.push_back(state);
  }

  /// Two large frontiers: only pairs whose losses together are allowed, block by block.
  bool merge_many(const Frontier<T>& frontier, const Frontier<T>& options, const Window<T>& window) {
    struct Priced {
      T loss;
      std::uint32_t index;
    };
    std::vector<Priced> by_loss;
    by_loss.reserve(options.size());
    for (std::size_t i = 0; i < options.size(); ++i)
      by_loss.push_back({window.price * options[i].weight - options[i].profit, static_cast<std::uint32_t>(i)});
    std::sort(by_loss.begin(), by_loss.end(), [](const Priced& a, const Priced& b) {
      return a.loss < b.loss || (a.loss == b.loss && a.index < b.index);
    });
    out_.clear();
    block_.clear();
    for (const auto& state : frontier) {
      const T left = window.allowed - (window.price * state.weight - state.profit + window.offset);
      std::size_t tried = 0;
      for (const auto& priced : by_loss) {
        if (left < priced.loss) break;
        ++tried;
        const State<T> next = extended(state, options[priced.index]);
        T loss;
        if (window.is_hopeful(next.weight, next.profit, loss)) block_.push_back(next);
      }
      if (block_.size() > std::max<std::size_t>(1U << 14U, 2 * out_.size())) take_block(window);
      if (!effort_.spend(tried + 1, 0)) return false;
    }
    take_block(window);
    return true;
  }

  void take_block(const Window<T>& window) {
    std::sort(block_.begin(), block_.end(), [](const State<T>& a, const State<T>& b) {
      if (a.weight != b.weight) return a.weight < b.weight;
      if (a.profit != b.profit) return b.profit < a.profit;
      return a.left != b.left ? a.left < b.left : a.right < b.right;
    });
    before_.swap(out_);
    out_.clear();
    T richest = lowest();
    auto done = before_.cbegin();
    for (const auto& next : block_) {
      for (; done != before_.cend() && is_before(*done, next); ++done) keep_if_richer(*done, richest);
      keep_if_richer(next, richest);
    }
    for (; done != before_.cend(); ++done) keep_if_richer(*done, richest);
    block_.clear();
    if (out_.size() / 4 > beam_) cut(out_, window);
  }

  /// Keeps the `beam_` states of least loss; of those that lose the same, some of every weight.
  void cut(Frontier<T>& states, const Window<T>& window) {
    losses_.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i)
      static_cast<void>(window.is_hopeful(states[i].weight, states[i].profit, losses_[i]));
    sorted_ = losses_;
    const auto limit = sorted_.begin() + static_cast<std::ptrdiff_t>(beam_);
    std::nth_element(sorted_.begin(), limit, sorted_.end());
    const T least_dropped = *limit;
    dropped = std::min(dropped, least_dropped);
    std::size_t below = 0;
    std::size_t equal = 0;
    for (const auto& loss : losses_) {
      below += loss < least_dropped ? 1 : 0;
      equal += loss == least_dropped ? 1 : 0;
    }
    std::size_t kept = 0;
    std::size_t seen = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (least_dropped < losses_[i]) continue;
      if (losses_[i] == least_dropped) {
        const std::size_t share = beam_ - below;
        const bool is_kept = (seen + 1) * share / equal > seen * share / equal;
        ++seen;
        if (!is_kept) continue;
      }
      states[kept++] = states[i];
    }
    states.resize(kept);
  }

  static T lowest() { return T(0) - greatest<T>() - greatest<T>(); }

  History& history_;
  Effort& effort_;
  std::size_t beam_;
  Frontier<T> out_, before_, block_;
  std::vector<T> losses_, sorted_;
};

}  // namespace haversack::forest
