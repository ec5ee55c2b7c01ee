/// Merging classes into frontiers of sections with floors.
#pragma once

#include "floor_classes.hpp"

namespace haversack::floors {

/// By weight; of the same weight the richest first, of those the fullest.
template <class T>
struct Before {
  bool operator()(const State<T>& a, const State<T>& b) const {
    if (a.weight != b.weight) return a.weight < b.weight;
    if (a.worth != b.worth) return b.worth < a.worth;
    if (a.fill != b.fill) return b.fill < a.fill;
    return a.left != b.left ? a.left < b.left : a.right < b.right;
  }
};

/// Of states in that order, drops those to which another is equal or better in weight, fill and worth.
template <class T>
class Sieve {
 public:
  void operator()(Frontier<T>& states, bool fills) {
    steps_.clear();
    std::size_t kept = 0;
    for (const auto& state : states)
      if (fills ? rises(state) : (kept == 0 || states[kept - 1].worth < state.worth)) states[kept++] = state;
    states.resize(kept);
  }

 private:
  struct Step {
    std::int64_t fill;
    T worth;
  };

  /// Steps by ascending fill and so by descending worth: a state must rise above them.
  bool rises(const State<T>& state) {
    auto at_least =
        std::partition_point(steps_.begin(), steps_.end(), [&](const Step& step) { return step.fill < state.fill; });
    if (at_least != steps_.end() && !(at_least->worth < state.worth)) return false;
    const auto after = at_least != steps_.end() && at_least->fill == state.fill ? at_least + 1 : at_least;
    while (at_least != steps_.begin() && !(state.worth < (at_least - 1)->worth)) --at_least;
    if (at_least == after) {
      steps_.insert(at_least, {state.fill, state.worth});
      return true;
    }
    *at_least = {state.fill, state.worth};
    steps_.erase(at_least + 1, after);
    return true;
  }

  std::vector<Step> steps_;
};

/// Merges classes into frontiers, without what must lose too much.
template <class T>
class Merger {
 public:
  Merger(History& history, Effort& effort) : history_(history), effort_(effort) {}

  /// Every state (sieved, so in order) with every state of a class. Without a `rest` nothing is known of what comes.
  /// False: the effort is spent.
  bool merge(Frontier<T>& states, const T& top, const Class<T>& more, const Window<T>& window, const Rest<T>* rest,
             const T& allowed) {
    found_.clear();
    runs_.assign(1, 0);
    const T ahead = rest == nullptr ? T(0) : rest->loss;
    lost_.clear();
    for (const auto& state : states) lost_.push_back(window.loss(top, state) + ahead);
    const bool goes_on = more.states.size() <= kFew ? merge_few(states, more, window, rest, allowed)
                                                    : merge_many(states, more, window, rest, allowed);
    states.swap(found_);
    return goes_on;
  }

  /// Once it is known which states are kept: their histories become one each.
  bool join(Frontier<T>& states) {
    for (auto& state : states) {
      state.left = history_.join(state.left, state.right);
      state.right = 0;
    }
    return effort_.spend(0, history_.bytes());
  }

  void sieve(Frontier<T>& states, bool fills) {
    std::sort(states.begin(), states.end(), Before<T>());
    sieve_(states, fills);
  }

 private:
  static constexpr std::size_t kFew = 12;
  static constexpr std::int64_t kSteps = 1 << 14;

  /// A run for every option: the states as they are in order, so that merging the runs is all there is to sort.
  bool merge_few(const Frontier<T>& states, const Class<T>& more, const Window<T>& window, const Rest<T>* rest,
                 const T& allowed) {
    for (const auto& option : more.states) {
      for (std::size_t i = 0; i < states.size(); ++i)
        if (!(allowed < lost_[i] + option.loss)) offer(states[i], lost_[i], option, window, rest, allowed, found_);
      runs_.push_back(found_.size());
      if (!effort_.spend(states.size(), 0)) return false;
    }
    while (runs_.size() > 2) merge_runs();
    sieve_(found_, window.useful > 0);
    return true;
  }

  void merge_runs() {
    before_.resize(found_.size());
    std::size_t kept = 1;
    for (std::size_t i = 0; i + 1 < runs_.size(); i += 2) {
      const auto place = [&](std::size_t run) {
        return found_.cbegin() + static_cast<std::ptrdiff_t>(runs_[std::min(run, runs_.size() - 1)]);
      };
      std::merge(place(i), place(i + 1), place(i + 1), place(i + 2),
                 before_.begin() + static_cast<std::ptrdiff_t>(runs_[i]), Before<T>());
      runs_[kept++] = runs_[std::min(i + 2, runs_.size() - 1)];
    }
    runs_.resize(kept);
    found_.swap(before_);
  }

  /// Only pairs whose losses together are allowed, block by block.
  bool merge_many(const Frontier<T>& states, const Class<T>& more, const Window<T>& window, const Rest<T>* rest,
                  const T& allowed) {
    const bool fills = window.useful > 0;
    block_.clear();
    richest_.clear();
    for (std::size_t i = 0; i < states.size(); ++i) {
      std::size_t tried = 1;
      for (const auto& option : more.states) {
        if (allowed < lost_[i] + option.loss) break;
        ++tried;
        if (!fills && is_needless(states[i].weight + option.weight, states[i].worth + option.worth)) continue;
        offer(states[i], lost_[i], option, window, rest, allowed, block_);
      }
      if (!effort_.spend(tried, 0)) return false;
      if (block_.size() > std::max(std::size_t{1} << 13U, 2 * found_.size())) take_block(fills);
    }
    take_block(fills);
    return true;
  }

  /// Is one of the states found so far as light and as rich? Only where fill counts for nothing; it may say no of one.
  [[nodiscard]] bool is_needless(std::int64_t weight, const T& worth) const {
    if (richest_.empty() || weight < lightest_) return false;
    const auto step = static_cast<std::size_t>((weight - lightest_) >> shift_);
    return !(richest_[std::min(step, richest_.size() - 1)] < worth);
  }

  /// Of every step of the weight, the worth of the richest state that is no heavier than where it begins.
  void note_richest() {
    richest_.clear();
    if (found_.empty()) return;
    lightest_ = found_.front().weight;
    const auto range = found_.back().weight - lightest_;
    for (shift_ = 0; (range >> shift_) >= kSteps;) ++shift_;
    auto state = found_.cbegin();
    for (std::int64_t step = 0; step <= (range >> shift_) + 1; ++step) {
      while (state + 1 != found_.cend() && (state + 1)->weight - lightest_ <= step << shift_) ++state;
      richest_.push_back(state->worth);
    }
  }

  void take_block(bool fills) {
    std::sort(block_.begin(), block_.end(), Before<T>());
    sieve_(block_, fills);
    before_.resize(found_.size() + block_.size());
    std::merge(found_.begin(), found_.end(), block_.begin(), block_.end(), before_.begin(), Before<T>());
    sieve_(before_, fills);
    found_.swap(before_);
    block_.clear();
    if (!fills) note_richest();
  }

  void offer(const State<T>& state, const T& lost, const State<T>& option, const Window<T>& window, const Rest<T>* rest,
             const T& allowed, Frontier<T>& to) {
    State<T> next{state.weight + option.weight,
                  state.fill + option.fill,
                  state.worth + option.worth,
                  lost + option.loss,
                  state.left,
                  option.left};
    if (window.useful < next.fill) {
      next.loss = next.loss + window.bonus * T(next.fill - window.useful);
      next.fill = window.useful;
    }
    if (rest != nullptr ? !window.look_ahead(next.weight, next.fill, *rest, next.loss) : window.cap < next.weight)
      return;
    if (!(allowed < next.loss)) to.push_back(next);
  }

  History& history_;
  Effort& effort_;
  Frontier<T> found_, before_, block_;
  std::vector<std::size_t> runs_;
  std::vector<T> lost_, richest_;
  std::int64_t lightest_ = 0;
  unsigned shift_ = 0;
  Sieve<T> sieve_;
};

}  // namespace haversack::floors
