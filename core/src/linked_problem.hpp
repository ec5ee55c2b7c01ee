/// A linked instance made ready: options without dominated ones, links both ways, only sections whose caps can bind.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include "haversack/linked.hpp"

namespace haversack::linked {

inline std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position); }
inline std::int32_t narrow(std::size_t position) { return static_cast<std::int32_t>(position); }

inline int bit_length(Int128 magnitude) {
  int bits = 0;
  for (; magnitude > 0; magnitude /= 2) ++bits;
  return bits;
}

inline Int128 greatest_divisor(Int128 a, Int128 b) {
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Shifting a negative number to the left is left undefined.
inline Int128 scaled(const Int128& number, int exponent) { return number * (Int128{1} << exponent); }

inline constexpr std::uint8_t kFree = 0, kIn = 1, kOut = 2;
inline constexpr Int128 kTooWide = Int128{1} << 110;

struct Option {
  std::int64_t weight;
  Int128 profit;
  std::int32_t index;  ///< within its item, as given
};

struct Link {
  std::int32_t user, needed;
};

using Sides = std::vector<std::uint8_t>;

/// Lists by number, one after the other.
struct Lists {
  std::vector<std::int32_t> begin{0};
  std::vector<std::int32_t> entry;

  /// From the number of each entry's list.
  static Lists by(const std::vector<std::int32_t>& list_of, std::size_t lists) {
    Lists made;
    made.begin.assign(lists + 1, 0);
    for (const auto list : list_of) ++made.begin[at(list) + 1];
    std::partial_sum(made.begin.begin(), made.begin.end(), made.begin.begin());
    made.entry.resize(list_of.size());
    auto next = made.begin;
    for (std::size_t i = 0; i < list_of.size(); ++i) made.entry[at(next[at(list_of[i])]++)] = narrow(i);
    return made;
  }
  [[nodiscard]] const std::int32_t* first(std::size_t list) const { return entry.data() + begin[list]; }
  [[nodiscard]] const std::int32_t* last(std::size_t list) const { return entry.data() + begin[list + 1]; }
  [[nodiscard]] std::size_t size(std::size_t list) const { return at(begin[list + 1] - begin[list]); }
};

/// A list as a range, for loops.
struct Range {
  const std::int32_t* first;
  const std::int32_t* last;
  [[nodiscard]] const std::int32_t* begin() const { return first; }
  [[nodiscard]] const std::int32_t* end() const { return last; }
};

inline Range range(const Lists& lists, std::size_t list) { return {lists.first(list), lists.last(list)}; }

class Problem {
 public:
  explicit Problem(const LinkedInstance& instance) : in(instance), units(instance.unit_side.size()) {
    read_options();
    members = Lists::by(in.item_unit, units);
    choices.begin = in.choice_begin;
    choices.entry = in.choice_item;
    choice_of.assign(in.item_unit.size(), -1);
    for (std::size_t choice = 0; choice + 1 < choices.begin.size(); ++choice)
      for (const auto item : range(choices, choice)) choice_of[at(item)] = narrow(choice);
    keep_binding_sections();
    read_links();
  }

  [[nodiscard]] std::size_t items() const { return in.item_unit.size(); }
  [[nodiscard]] std::size_t whole() const { return parent.size() - 1; }
  [[nodiscard]] std::int64_t least(std::size_t item) const { return options[at(option_begin[item])].weight; }
  /// A price times a weight, and the sum of all that, in 128 bits.
  [[nodiscard]] bool fits_arithmetic() const {
    return profit_bits <= 106 && weight_bits <= 62 && profit_bits + weight_bits <= 118;
  }

  /// Decides a unit with all that follows. False: that contradicts what is decided.
  bool decide(Sides& side, std::int32_t unit, std::uint8_t wanted) const {
    if (side[at(unit)] == wanted) return true;
    std::vector<std::pair<std::int32_t, std::uint8_t>> todo{{unit, wanted}};
    while (!todo.empty()) {
      const auto [here, to] = todo.back();
      todo.pop_back();
      if (side[at(here)] == to) continue;
      if (side[at(here)] != kFree) return false;
      side[at(here)] = to;
      if (to == kOut) {
        for (const auto link : range(users, at(here))) todo.emplace_back(links[at(link)].user, kOut);
        continue;
      }
      for (auto link = need_begin[at(here)]; link < need_begin[at(here) + 1]; ++link)
        todo.emplace_back(links[at(link)].needed, kIn);
      for (const auto item : range(members, at(here))) {
        if (choice_of[at(item)] < 0) continue;
        for (const auto rival : range(choices, at(choice_of[at(item)])))
          if (rival != item) todo.emplace_back(in.item_unit[at(rival)], kOut);
      }
    }
    return true;
  }

  const LinkedInstance& in;
  std::size_t units;
  Lists members;                           ///< items of each unit
  std::vector<std::int32_t> option_begin;  ///< of each item, into the next
  std::vector<Option> options;             ///< by ascending weight and ascending profit
  std::vector<std::int32_t> parent;        ///< of each section that can bind, inside before around; the whole last
  std::vector<std::int64_t> cap;
  std::vector<std::int32_t> section;     ///< of each item
  std::vector<std::int32_t> need_begin;  ///< of each unit, into the links
  std::vector<Link> links;               ///< by user, those first that a forest can keep
  Lists users;                           ///< links to each unit
  Lists choices;
  std::vector<std::int32_t> choice_of;   ///< of each item; -1: none
  std::int64_t nesting = 0;              ///< the sections around each section, in all
  Int128 grain = 0;                      ///< divides every profit
  int profit_bits = 0, weight_bits = 0;  ///< of the greatest sums
  int scale = 0;                         ///< profits are multiplied by 2^scale, so that multipliers may be integers

 private:
  void read_options() {
    option_begin.push_back(0);
    options.reserve(in.option_weight.size());
    Int128 profits = 0, weights = 0;
    for (std::size_t item = 0; item < items(); ++item) {
      const auto from = static_cast<std::ptrdiff_t>(options.size());
      Int128 most = 0;
      for (auto i = in.option_begin[item]; i < in.option_begin[item + 1]; ++i) {
        const auto profit = in.option_profit[static_cast<std::size_t>(i)];
        options.push_back({in.option_weight[static_cast<std::size_t>(i)], profit,
                           static_cast<std::int32_t>(i - in.option_begin[item])});
        most = std::max(most, profit < 0 ? -profit : profit);
        grain = greatest_divisor(grain, profit < 0 ? -profit : profit);
      }
      std::sort(options.begin() + from, options.end(), [](const Option& a, const Option& b) {
        if (a.weight != b.weight) return a.weight < b.weight;
        return a.profit != b.profit ? a.profit > b.profit : a.index < b.index;
      });
      auto kept = options.begin() + from;
      for (auto i = kept; i != options.end(); ++i)
        if (i == options.begin() + from || (kept - 1)->profit < i->profit) *kept++ = *i;
      options.erase(kept, options.end());
      option_begin.push_back(narrow(options.size()));
      // Far more than is taken on, and no sum of it leaves the arithmetic.
      profits = std::min(profits, kTooWide) + std::min(most, kTooWide);
      weights += options.back().weight;
    }
    if (grain == 0) grain = 1;
    profit_bits = bit_length(profits);
    weight_bits = bit_length(weights);
    scale = std::max(0, std::min(12, 40 - profit_bits));
  }

  /// A cap binds only if what lies in its section could exceed it, and if the cap around it is larger.
  void keep_binding_sections() {
    const auto given = in.section_parent.size();
    const auto order = inner_first(given);
    constexpr auto none = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> limit(given + 1);
    std::vector<Int128> load(given + 1, 0);
    const auto around = [&](std::size_t one) {
      return in.section_parent[one] < 0 ? given : at(in.section_parent[one]);
    };
    limit[given] = std::max<std::int64_t>(in.capacity, 0);
    for (auto one = order.rbegin(); one != order.rend(); ++one)
      limit[*one] = std::min(in.section_cap[*one] < 0 ? none : in.section_cap[*one], limit[around(*one)]);
    const auto home = [&](std::size_t item) { return in.item_section[item] < 0 ? given : at(in.item_section[item]); };
    for (std::size_t item = 0; item < items(); ++item)
      if (in.unit_side[at(in.item_unit[item])] != kOut)
        load[home(item)] += options[at(option_begin[item + 1]) - 1].weight;
    std::vector<std::int32_t> number(given + 1, -1);
    std::vector<std::size_t> kept;
    for (const auto one : order) {
      const bool binds = load[one] > limit[one] && limit[one] < limit[around(one)];
      load[around(one)] += binds ? Int128{limit[one]} : load[one];
      if (!binds) continue;
      number[one] = narrow(kept.size());
      kept.push_back(one);
    }
    number[given] = narrow(kept.size());
    for (auto one = order.rbegin(); one != order.rend(); ++one)
      if (number[*one] < 0) number[*one] = number[around(*one)];
    for (const auto one : kept) {
      parent.push_back(number[around(one)]);
      cap.push_back(limit[one]);
    }
    parent.push_back(-1);
    cap.push_back(static_cast<std::int64_t>(std::min<Int128>(limit[given], load[given])));
    for (std::size_t item = 0; item < items(); ++item) section.push_back(number[home(item)]);
    std::vector<std::int64_t> depth(parent.size(), 0);
    for (std::size_t s = whole(); s-- > 0;) nesting += depth[s] = depth[at(parent[s])] + 1;
  }

  [[nodiscard]] std::vector<std::size_t> inner_first(std::size_t given) const {
    std::vector<std::int32_t> parents;
    for (const auto one : in.section_parent) parents.push_back(one < 0 ? narrow(given) : one);
    const auto inside = Lists::by(parents, given + 1);
    std::vector<std::size_t> order;
    for (const auto one : range(inside, given)) order.push_back(at(one));
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const auto one : range(inside, order[i])) order.push_back(at(one));
    std::reverse(order.begin(), order.end());
    return order;
  }

  /// The section of all items of a unit; -1: it lies in several.
  [[nodiscard]] std::int32_t home_of(std::size_t unit) const {
    const auto home = section[at(*members.first(unit))];
    for (const auto item : range(members, unit))
      if (section[at(item)] != home) return -1;
    return home;
  }

  void read_links() {
    std::vector<std::int32_t> home(units), used;
    std::vector<Int128> heavy(units, 0);
    for (std::size_t unit = 0; unit < units; ++unit) {
      home[unit] = home_of(unit);
      for (const auto item : range(members, unit)) heavy[unit] += least(at(item));
    }
    need_begin = in.need_begin;
    for (std::size_t unit = 0; unit < units; ++unit) {
      const auto from = static_cast<std::ptrdiff_t>(links.size());
      for (auto i = in.need_begin[unit]; i < in.need_begin[unit + 1]; ++i)
        links.push_back({narrow(unit), in.need[at(i)]});
      std::sort(links.begin() + from, links.end(), [&](const Link& a, const Link& b) {
        const bool near_a = home[unit] >= 0 && home[at(a.needed)] == home[unit];
        const bool near_b = home[unit] >= 0 && home[at(b.needed)] == home[unit];
        if (near_a != near_b) return near_a;
        if (heavy[at(a.needed)] != heavy[at(b.needed)]) return heavy[at(a.needed)] > heavy[at(b.needed)];
        return a.needed < b.needed;
      });
    }
    for (const auto& link : links) used.push_back(link.needed);
    users = Lists::by(used, units);
  }
};

}  // namespace haversack::linked
