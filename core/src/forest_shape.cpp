#include "forest_shape.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "forest_validate.hpp"

namespace haversack::forest {
namespace {

constexpr std::int64_t kNone = -1;

std::size_t at(std::int32_t position) { return static_cast<std::size_t>(position); }

/// Works out, unit by unit and section by section, what can be in at all, and lays that out.
class Layout {
 public:
  explicit Layout(const ForestInstance& instance) : in_(instance), units_(instance.option_begin.size() - 1) {}

  ForestStatus run(Shape& shape) {
    if (!order()) return ForestStatus::invalid;
    spread_mandatory();
    find_least_weights();
    if (!set_caps()) return ForestStatus::infeasible;
    find_room();
    find_binding_sections();
    lay_out_sections(shape);
    lay_out_nodes(shape);
    return ForestStatus::solved;
  }

 private:
  // The whole is one more section, after those given.
  std::size_t whole() const { return in_.section_parent.size(); }
  std::size_t section_of(std::size_t unit) const {
    return in_.unit_section.empty() || in_.unit_section[unit] < 0 ? whole() : at(in_.unit_section[unit]);
  }
  std::size_t around(std::size_t section) const {
    return in_.section_parent[section] < 0 ? whole() : at(in_.section_parent[section]);
  }
  std::int32_t parent_of(std::size_t unit) const { return in_.unit_parent.empty() ? -1 : in_.unit_parent[unit]; }

  bool order() {
    if (!order_parents_first(in_.section_parent, section_order_)) return false;
    if (!in_.unit_parent.empty()) return order_parents_first(in_.unit_parent, unit_order_);
    unit_order_.resize(units_);
    std::iota(unit_order_.begin(), unit_order_.end(), 0);
    return true;
  }

  /// A mandatory unit makes all that it requires mandatory; below a mandatory unit, forced and mandatory are the same.
  void spread_mandatory() {
    mandatory_.assign(in_.unit_mandatory.begin(), in_.unit_mandatory.end());
    mandatory_.resize(units_, 0);
    for (std::size_t i = units_; i-- > 0;) {
      const auto unit = at(unit_order_[i]);
      if (mandatory_[unit] != 0 && parent_of(unit) >= 0) mandatory_[at(parent_of(unit))] = 1;
    }
    forced_ = mandatory_;
    for (std::size_t unit = 0; unit < in_.unit_with_parent.size(); ++unit)
      if (in_.unit_with_parent[unit] != 0) forced_[unit] = 1;
  }

  /// Of each unit, alone and with all that is forced with it. A unit that can never be in has none.
  void find_least_weights() {
    least_.assign(units_, kNone);
    for (std::size_t unit = 0; unit < units_; ++unit) {
      const auto* first = in_.option_weight.data() + in_.option_begin[unit];
      const auto* last = in_.option_weight.data() + in_.option_begin[unit + 1];
      if (first != last) least_[unit] = *std::min_element(first, last);
    }
    closure_.assign(least_.begin(), least_.end());
    if (in_.unit_parent.empty()) return;
    for (std::size_t i = units_; i-- > 0;) {
      const auto unit = at(unit_order_[i]);
      if (forced_[unit] == 0 || parent_of(unit) < 0) continue;
      auto& above = closure_[at(parent_of(unit))];
      above = above < 0 || closure_[unit] < 0 ? Int128{kNone} : above + closure_[unit];
    }
  }

  /// The caps that hold, raised to what is mandatory, lowered to the cap around; and what they leave to the rest.
  bool set_caps() {
    std::vector<Int128> taken(whole() + 1, 0);
    for (std::size_t unit = 0; unit < units_; ++unit) {
      if (mandatory_[unit] == 0 || parent_of(unit) >= 0) continue;
      if (closure_[unit] < 0) return false;
      taken[section_of(unit)] += closure_[unit];
    }
    for (std::size_t i = whole(); i-- > 0;) {
      const auto section = at(section_order_[i]);
      taken[around(section)] += taken[section];
    }
    cap_.assign(whole() + 1, 0);
    room_.assign(whole() + 1, 0);
    const auto raise = [&](std::size_t section, Int128 cap) {
      if (cap < taken[section] && !in_.clamp) return false;
      cap_[section] = std::max(cap, taken[section]);
      return true;
    };
    if (!raise(whole(), std::max<std::int64_t>(in_.capacity, 0))) return false;
    room_[whole()] = cap_[whole()] - taken[whole()];
    for (const auto position : section_order_) {
      const auto section = at(position);
      const auto outer = around(section);
      if (!raise(section, in_.section_cap[section] < 0 ? cap_[outer] : Int128{in_.section_cap[section]})) return false;
      cap_[section] = std::min(cap_[section], cap_[outer]);
      room_[section] = std::min(cap_[section] - taken[section], room_[outer]);
    }
    return true;
  }

  /// The heaviest option a unit may take beside all that is mandatory and all that it needs; none: never in.
  void find_room() {
    heaviest_.assign(units_, kNone);
    std::vector<Int128> need(units_, 0);
    for (const auto position : unit_order_) {
      const auto unit = at(position);
      const auto parent = parent_of(unit);
      if (closure_[unit] < 0 || (parent >= 0 && heaviest_[at(parent)] < 0)) continue;
      if (mandatory_[unit] == 0) {
        need[unit] = parent >= 0 ? need[at(parent)] : 0;
        if (forced_[unit] == 0) need[unit] += closure_[unit];
      }
      const Int128 room = room_[section_of(unit)] - need[unit];
      if (room < 0) continue;
      const Int128 heaviest = room + least_[unit];
      heaviest_[unit] = static_cast<std::int64_t>(std::min<Int128>(heaviest, std::numeric_limits<std::int64_t>::max()));
    }
  }

  /// A cap binds only if what lies in it could exceed it, and if the cap around it is larger.
  void find_binding_sections() {
    most_.assign(units_, 0);
    std::vector<Int128> load(whole() + 1, 0);
    for (std::size_t unit = 0; unit < units_; ++unit) {
      if (heaviest_[unit] < 0) continue;
      for (auto i = in_.option_begin[unit]; i < in_.option_begin[unit + 1]; ++i) {
        const auto weight = in_.option_weight[static_cast<std::size_t>(i)];
        if (weight <= heaviest_[unit]) most_[unit] = std::max(most_[unit], weight);
      }
      load[section_of(unit)] += most_[unit];
    }
    binding_.assign(whole() + 1, 1);
    for (std::size_t i = whole(); i-- > 0;) {
      const auto section = at(section_order_[i]);
      binding_[section] = load[section] > cap_[section] && cap_[section] < cap_[around(section)] ? 1 : 0;
      load[around(section)] += binding_[section] != 0 ? cap_[section] : load[section];
    }
  }

  void lay_out_sections(Shape& shape) {
    home_.assign(whole() + 1, 0);
    std::vector<std::size_t> holder(whole() + 1, whole());  // itself, if binding, else the nearest around it that is
    for (const auto position : section_order_) {
      const auto section = at(position);
      holder[section] = binding_[section] != 0 ? section : holder[around(section)];
    }
    std::vector<std::size_t> kept;
    for (std::size_t i = whole(); i-- > 0;)  // preorder backwards: those inside before those around
      if (binding_[at(section_order_[i])] != 0) kept.push_back(at(section_order_[i]));
    kept.push_back(whole());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      home_[kept[i]] = static_cast<std::int32_t>(i);
      shape.sections.push_back({-1, static_cast<std::int32_t>(i), 0, cap_[kept[i]], 0});
    }
    for (std::size_t i = 0; i + 1 < kept.size(); ++i) {
      const auto parent = home_[holder[around(kept[i])]];
      shape.sections[i].parent = parent;
      auto& first = shape.sections[at(parent)].first_section;
      first = std::min(first, shape.sections[i].first_section);
    }
    for (std::size_t section = 0; section < whole(); ++section) home_[section] = home_[holder[section]];
  }

  void lay_out_nodes(Shape& shape) {
    // A counting sort of the trees by section; a tree is one range of the order.
    std::vector<std::int32_t> count(shape.sections.size() + 1, 0);
    const auto section_at = [&](std::int32_t unit) { return at(home_[section_of(at(unit))]); };
    for (const auto unit : unit_order_) count[section_at(unit) + 1] += heaviest_[at(unit)] >= 0 ? 1 : 0;
    std::partial_sum(count.begin(), count.end(), count.begin());
    for (std::size_t section = 0; section < shape.sections.size(); ++section)
      shape.sections[section].first_node = count[section];
    const auto nodes = at(count.back());
    shape.unit.resize(nodes);
    shape.parent.resize(nodes);
    shape.end.resize(nodes);
    shape.forced.resize(nodes);
    shape.heaviest.resize(nodes);
    std::vector<std::int32_t> node_of(units_, -1);
    for (const auto position : unit_order_) {
      const auto unit = at(position);
      if (heaviest_[unit] < 0) continue;
      const auto node = count[section_at(position)]++;
      node_of[unit] = node;
      shape.unit[at(node)] = position;
      shape.parent[at(node)] = parent_of(unit) < 0 ? -1 : node_of[at(parent_of(unit))];
      shape.forced[at(node)] = forced_[unit];
      shape.heaviest[at(node)] = heaviest_[unit];
      shape.end[at(node)] = node + 1;
      shape.total_weight += most_[unit];
    }
    find_extents(shape);
  }

  /// Ends of subtrees, and the heaviest thing that goes in at once, by section.
  void find_extents(Shape& shape) const {
    std::vector<Int128> weight(shape.unit.size());
    for (std::size_t section = shape.sections.size(); section-- > 0;) {
      auto& heaviest = shape.sections[section].heaviest_closure;
      const auto first = at(shape.sections[section].first_node);
      for (std::size_t node = at(shape.node_end(section)); node-- > first;) {
        weight[node] += most_[at(shape.unit[node])];
        heaviest = std::max(heaviest, weight[node]);
        if (shape.parent[node] < 0) continue;
        auto& end = shape.end[at(shape.parent[node])];
        end = std::max(end, shape.end[node]);
        if (shape.forced[node] != 0) weight[at(shape.parent[node])] += weight[node];
      }
    }
    for (std::size_t section = 0; section + 1 < shape.sections.size(); ++section) {
      auto& outer = shape.sections[at(shape.sections[section].parent)].heaviest_closure;
      outer = std::max(outer, shape.sections[section].heaviest_closure);
    }
  }

  const ForestInstance& in_;
  std::size_t units_;
  std::vector<std::int32_t> unit_order_, section_order_;
  std::vector<std::uint8_t> mandatory_, forced_, binding_;
  std::vector<std::int64_t> least_, heaviest_, most_;
  std::vector<Int128> closure_, cap_, room_;
  std::vector<std::int32_t> home_;  ///< of a section given: the section of the shape that holds it
};

}  // namespace

ForestStatus make_shape(const ForestInstance& instance, Shape& shape) {
  if (!is_valid(instance)) return ForestStatus::invalid;
  return Layout(instance).run(shape);
}

}  // namespace haversack::forest
