// Columns of items, with labels, into a forest.

#include "classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "buffers.hpp"
#include "haversack/types.hpp"

namespace {

using Labels = std::vector<std::int64_t>;

bool read_sequence(PyObject* numbers, const char* name, Labels& labels) {
  PyObject* sequence = PySequence_Fast(numbers, "labels: a sequence of whole numbers or a buffer is needed");
  if (sequence == nullptr) return false;
  bool fine = true;
  // An object that is turned into a number may change the list: its size is asked for each time.
  for (Py_ssize_t i = 0; fine && i < PySequence_Fast_GET_SIZE(sequence); ++i) {
    PyObject* number = PySequence_Fast_GET_ITEM(sequence, i);
    const bool is_none = number == Py_None;
    if (!is_none && (PyBool_Check(number) || !PyIndex_Check(number))) {
      PyErr_Format(PyExc_TypeError, "%s[%zd]: a whole number is needed, found %R", name, i, number);
      fine = false;
      break;
    }
    const Py_ssize_t label = is_none ? -1 : PyNumber_AsSsize_t(number, PyExc_OverflowError);
    fine = label != -1 || PyErr_Occurred() == nullptr;
    labels.push_back(label < 0 ? -1 : label);
  }
  Py_DECREF(sequence);
  return fine;
}

bool read_labels(PyObject* numbers, const char* name, Labels& labels) {
  if (!is_buffer(numbers)) return read_sequence(numbers, name, labels);
  Py_buffer buffer{};
  if (!hold_buffer(numbers, buffer, name)) {
    if (buffer.obj != nullptr) PyBuffer_Release(&buffer);
    return false;
  }
  const std::int64_t* column = nullptr;
  const bool read = gather(buffer, labels, column);
  if (read && labels.empty()) labels.assign(column, column + buffer.shape[0]);
  PyBuffer_Release(&buffer);
  return read;
}

bool has_length(const Labels& labels, std::size_t size, const char* name) {
  if (labels.size() == size) return true;
  PyErr_Format(PyExc_ValueError, "%s must have one entry an item: found %zu for %zu items", name, labels.size(), size);
  return false;
}

/// Classes numbered from 0, in the order in which they first appear; an item without one has one of its own.
std::int32_t number_classes(const Labels& labels, std::vector<std::int32_t>& unit) {
  const std::size_t size = labels.size();
  unit.resize(size);
  const auto largest = labels.empty() ? 0 : *std::max_element(labels.begin(), labels.end());
  std::vector<std::int32_t> number;
  std::int32_t count = 0;
  const auto assign = [&](std::size_t item, std::size_t key) {
    if (labels[item] < 0) {
      unit[item] = count++;
      return;
    }
    if (number[key] < 0) number[key] = count++;
    unit[item] = number[key];
  };
  if (static_cast<std::size_t>(std::max<std::int64_t>(largest, 0)) < 4 * size + 64) {
    number.assign(static_cast<std::size_t>(std::max<std::int64_t>(largest, 0)) + 1, -1);
    for (std::size_t item = 0; item < size; ++item) assign(item, static_cast<std::size_t>(labels[item]));
    return count;
  }
  Labels known(labels);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  number.assign(known.size(), -1);
  for (std::size_t item = 0; item < size; ++item) {
    const auto found = std::lower_bound(known.begin(), known.end(), labels[item]);
    assign(item, static_cast<std::size_t>(found - known.begin()));
  }
  return count;
}

/// Items by class, in input order within each.
void lay_out(const std::vector<std::int32_t>& unit, std::int32_t units, ClassForest& forest) {
  auto& begin = forest.instance.option_begin;
  begin.assign(static_cast<std::size_t>(units) + 1, 0);
  for (const auto one : unit) ++begin[static_cast<std::size_t>(one) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int64_t> next(begin.begin(), begin.end() - 1);
  forest.item_of_option.resize(unit.size());
  for (std::size_t item = 0; item < unit.size(); ++item) {
    forest.item_of_option[static_cast<std::size_t>(next[static_cast<std::size_t>(unit[item])]++)] =
        static_cast<std::int64_t>(item);
  }
}

struct Binary {
  std::int64_t mantissa = 0;  ///< odd, or 0
  int exponent = 0;           ///< the number is mantissa * 2^exponent
};

Binary take_apart(double value) {
  if (!(value > 0)) return {};  // worthless, whatever it is: never taken
  int exponent = 0;
  auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  while (mantissa % 2 == 0) {
    mantissa /= 2;
    ++exponent;
  }
  return {mantissa, exponent};
}

/// A float is the binary number it holds: times one power of two all of them are integers.
bool scale_reals(const double* values, ClassForest& forest) {
  std::vector<Binary> parts;
  parts.reserve(forest.item_of_option.size());
  int least = 0;
  int widest = 0;
  for (const auto item : forest.item_of_option) {
    parts.push_back(take_apart(values[item]));
    least = std::min(least, parts.back().exponent);
    widest = std::max(widest, parts.back().exponent + 53);
  }
  forest.exponent = -least;
  constexpr int most = 430;  // what the widest arithmetic leaves beside counts and weights
  if (widest - least > most) {
    PyErr_SetString(PyExc_OverflowError, "the values span too many powers of two");
    return false;
  }
  auto& instance = forest.instance;
  constexpr auto limbs = haversack::ForestInstance::kLimbs;
  const bool is_narrow = widest - least <= 62;
  if (is_narrow) instance.option_profit.reserve(parts.size());
  else instance.option_limbs.assign(parts.size() * limbs, 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto shift = static_cast<unsigned>(parts[i].mantissa == 0 ? 0 : parts[i].exponent - least);
    const auto mantissa = static_cast<std::uint64_t>(parts[i].mantissa);
    if (is_narrow) {
      instance.option_profit.push_back(static_cast<std::int64_t>(mantissa << shift));
      continue;
    }
    auto* words = instance.option_limbs.data() + i * limbs;
    words[shift / 64] = mantissa << (shift % 64);
    if (shift % 64 != 0) words[shift / 64 + 1] = mantissa >> (64 - shift % 64);
  }
  return true;
}

bool set_sections(const Labels& labels, const Labels& caps, const std::vector<std::int32_t>& unit, std::int32_t units,
                  ClassForest& forest) {
  auto& instance = forest.instance;
  instance.section_parent.assign(caps.size(), -1);
  for (const auto cap : caps) instance.section_cap.push_back(cap < 0 ? -1 : cap);
  constexpr std::int32_t unknown = -2;
  instance.unit_section.assign(static_cast<std::size_t>(units), unknown);
  for (std::size_t item = 0; item < labels.size(); ++item) {
    if (labels[item] >= static_cast<std::int64_t>(caps.size())) {
      PyErr_Format(PyExc_ValueError, "sections[%zu] is %lld, but there are caps for %zu sections only", item,
                   static_cast<long long>(labels[item]), caps.size());
      return false;
    }
    const auto section = labels[item] < 0 ? -1 : static_cast<std::int32_t>(labels[item]);
    auto& home = instance.unit_section[static_cast<std::size_t>(unit[item])];
    if (home != unknown && home != section) {
      PyErr_Format(PyExc_ValueError, "sections[%zu]: the items of a class must be in one section; found %d and %d",
                   item, home, section);
      return false;
    }
    home = section;
  }
  return true;
}

}  // namespace

bool read_classes(const ColumnsData& columns, PyObject* classes, PyObject* sections, PyObject* caps,
                  ClassForest& forest) {
  Labels class_labels, section_labels, limits;
  if (classes == Py_None) class_labels.assign(columns.size, -1);
  else if (!read_labels(classes, "classes", class_labels)) return false;
  if (!has_length(class_labels, columns.size, "classes")) return false;
  std::vector<std::int32_t> unit;
  const auto units = number_classes(class_labels, unit);
  lay_out(unit, units, forest);
  if (sections != Py_None) {
    if (!read_labels(sections, "sections", section_labels) || !read_labels(caps, "caps", limits)) return false;
    if (!has_length(section_labels, columns.size, "sections")) return false;
    if (!set_sections(section_labels, limits, unit, units, forest)) return false;
  }
  auto& instance = forest.instance;
  instance.option_weight.reserve(columns.size);
  for (const auto item : forest.item_of_option) instance.option_weight.push_back(columns.costs[item]);
  if (columns.reals != nullptr) return scale_reals(columns.reals, forest);
  instance.option_profit.reserve(columns.size);
  for (const auto item : forest.item_of_option) instance.option_profit.push_back(columns.ints[item]);
  return true;
}
