#include "haversack/units.hpp"

#include <algorithm>

namespace haversack {
namespace {

std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position); }

/// What each node leads to: an item to what it requires and to its groups, a group to its members. So a group and its
/// members lead to each other, and are in one component.
Lists arcs(const Lists& required, const Lists& groups) {
  const std::int32_t items = required.size();
  Lists groups_of;
  groups_of.begin.assign(at(items) + 1, 0);
  for (const auto item : groups.entries) ++groups_of.begin[at(item) + 1];
  for (std::size_t i = 0; i < at(items); ++i) groups_of.begin[i + 1] += groups_of.begin[i];
  groups_of.entries.resize(groups.entries.size());
  auto next = groups_of.begin;
  for (std::int32_t group = 0; group < groups.size(); ++group) {
    for (const auto* item = groups.first(group); item != groups.last(group); ++item) {
      groups_of.entries[at(next[at(*item)]++)] = items + group;
    }
  }
  Lists all;
  for (std::int32_t item = 0; item < items; ++item) {
    all.entries.insert(all.entries.end(), required.first(item), required.last(item));
    all.entries.insert(all.entries.end(), groups_of.first(item), groups_of.last(item));
    all.close();
  }
  for (std::int32_t group = 0; group < groups.size(); ++group) {
    all.entries.insert(all.entries.end(), groups.first(group), groups.last(group));
    all.close();
  }
  return all;
}

/// Strongly connected components, those led to before those that lead there (Tarjan 1972), without recursion.
class Components {
 public:
  Components(const Lists& ahead, std::int32_t items) : ahead_(ahead), items_(items), low_(at(ahead.size()), kUnseen) {}

  Lists run() {
    for (std::int32_t start = 0; start < ahead_.size(); ++start) {
      if (low_[at(start)] == kUnseen) search(start);
    }
    return std::move(found_);
  }

 private:
  struct Step {
    std::int32_t node;
    std::int32_t number;
    std::size_t height;  ///< of the stack below the node
    const std::int32_t* next;
  };
  static constexpr std::int32_t kUnseen = -1;

  void enter(std::int32_t node) {
    low_[at(node)] = count_;
    way_.push_back({node, count_++, stack_.size(), ahead_.first(node)});
    stack_.push_back(node);
  }

  void search(std::int32_t start) {
    enter(start);
    while (!way_.empty()) {
      Step& step = way_.back();
      if (step.next == ahead_.last(step.node)) {
        leave();
        continue;
      }
      const auto other = *step.next;
      if (low_[at(other)] == kUnseen) {
        enter(other);  // and look at the same arc again when it is done
        continue;
      }
      low_[at(step.node)] = std::min(low_[at(step.node)], low_[at(other)]);
      ++step.next;
    }
  }

  void leave() {
    const Step step = way_.back();
    way_.pop_back();
    if (low_[at(step.node)] == step.number) close(step.height);
  }

  /// What lies on the stack above a height is a component; groups are not listed.
  void close(std::size_t height) {
    std::sort(stack_.begin() + static_cast<std::ptrdiff_t>(height), stack_.end());
    for (std::size_t i = height; i < stack_.size(); ++i) {
      low_[at(stack_[i])] = ahead_.size();  // done: no node's lowest
      if (stack_[i] < items_) found_.entries.push_back(stack_[i]);
    }
    stack_.resize(height);
    if (found_.begin.back() != static_cast<std::int32_t>(found_.entries.size())) found_.close();
  }

  const Lists& ahead_;
  std::int32_t items_;
  std::vector<std::int32_t> low_;
  std::int32_t count_ = 0;
  std::vector<std::int32_t> stack_;
  std::vector<Step> way_;
  Lists found_;
};

void find_needs(const Lists& required, Units& units) {
  std::vector<std::int32_t> needed;
  for (std::int32_t unit = 0; unit < units.members.size(); ++unit) {
    needed.clear();
    for (const auto* item = units.members.first(unit); item != units.members.last(unit); ++item) {
      for (const auto* other = required.first(*item); other != required.last(*item); ++other) {
        if (units.unit_of[at(*other)] != unit) needed.push_back(units.unit_of[at(*other)]);
      }
    }
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    units.needs.entries.insert(units.needs.entries.end(), needed.begin(), needed.end());
    units.needs.close();
  }
}

/// The same arcs, seen from their other ends.
Lists turned(const Lists& lists) {
  Lists back;
  back.begin.assign(lists.begin.size(), 0);
  for (const auto entry : lists.entries) ++back.begin[at(entry) + 1];
  for (std::size_t i = 0; i + 1 < back.begin.size(); ++i) back.begin[i + 1] += back.begin[i];
  back.entries.resize(lists.entries.size());
  auto next = back.begin;
  for (std::int32_t list = 0; list < lists.size(); ++list) {
    for (const auto* entry = lists.first(list); entry != lists.last(list); ++entry) {
      back.entries[at(next[at(*entry)]++)] = list;
    }
  }
  return back;
}

}  // namespace

Units find_units(const Lists& required, const Lists& groups) {
  Units units;
  const Lists ahead = arcs(required, groups);
  units.members = Components(ahead, required.size()).run();
  units.unit_of.resize(at(required.size()));
  for (std::int32_t unit = 0; unit < units.members.size(); ++unit) {
    for (const auto* item = units.members.first(unit); item != units.members.last(unit); ++item) {
      units.unit_of[at(*item)] = unit;
    }
  }
  find_needs(required, units);
  units.users = turned(units.needs);
  return units;
}

}  // namespace haversack
