/// Units: items that go in or out together, because they are in one group or require each other.
#pragma once

#include <cstdint>
#include <vector>

namespace haversack {

/// Lists of positions, one after the other: list i is entries[begin[i]] .. entries[begin[i + 1] - 1].
struct Lists {
  std::vector<std::int32_t> begin{0};
  std::vector<std::int32_t> entries;

  [[nodiscard]] std::int32_t size() const { return static_cast<std::int32_t>(begin.size()) - 1; }
  [[nodiscard]] const std::int32_t* first(std::int32_t list) const { return entries.data() + begin[index(list)]; }
  [[nodiscard]] const std::int32_t* last(std::int32_t list) const { return entries.data() + begin[index(list) + 1]; }
  /// Ends the list that the latest entries belong to.
  void close() { begin.push_back(static_cast<std::int32_t>(entries.size())); }

 private:
  static std::size_t index(std::int32_t list) { return static_cast<std::size_t>(list); }
};

/// Numbered so that what a unit needs comes before it.
struct Units {
  std::vector<std::int32_t> unit_of;  ///< of each item
  Lists members;                      ///< ascending
  Lists needs;                        ///< units, ascending, never itself
  Lists users;                        ///< the units that need it, ascending
};

/// Of each item, the items that it requires; and groups of items. All positions must be in range.
[[nodiscard]] Units find_units(const Lists& required, const Lists& groups);

}  // namespace haversack
