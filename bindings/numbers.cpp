#include "numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "haversack/forest.hpp"
#include "haversack/units.hpp"
#include "held.hpp"

namespace {

PyObject* integer(std::int64_t number) { return PyLong_FromLongLong(number); }

bool is_list(PyObject* object) {
  if (!PyList_Check(object)) PyErr_Format(PyExc_TypeError, "a list is needed, found %R", object);
  return PyList_Check(object) != 0;
}

/// Positions in [low, high).
bool read_positions(PyObject* list, std::int64_t low, std::int64_t high, std::vector<std::int64_t>& positions) {
  if (!is_list(list)) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
    const long long position = PyLong_AsLongLong(PyList_GET_ITEM(list, i));
    if (position == -1 && PyErr_Occurred() != nullptr) return false;
    if (position < low || position >= high) {
      PyErr_Format(PyExc_IndexError, "%lld is not within %lld and %lld", position, static_cast<long long>(low),
                   static_cast<long long>(high));
      return false;
    }
    positions.push_back(position);
  }
  return true;
}

/// Offsets of lists that are not empty: ascending, from 0 to a size.
bool read_begin(PyObject* list, Py_ssize_t size, std::vector<std::int64_t>& begin) {
  if (!read_positions(list, 0, static_cast<std::int64_t>(size) + 1, begin)) return false;
  const bool is_right = !begin.empty() && begin.front() == 0 && begin.back() == static_cast<std::int64_t>(size) &&
                        std::adjacent_find(begin.begin(), begin.end(), std::greater_equal<>()) == begin.end();
  if (!is_right) PyErr_SetString(PyExc_ValueError, "offsets must ascend from 0 to the number of entries");
  return is_right;
}

struct Binary {
  PyObject* whole = nullptr;  ///< an integer as it was given, or null:
  std::int64_t mantissa = 0;  ///< odd, or 0
  int exponent = 0;           ///< the number is mantissa * 2^exponent
};

bool take_apart(PyObject* number, Binary& parts) {
  if (PyLong_Check(number)) {
    parts.whole = number;
    return true;
  }
  const double real = PyFloat_AsDouble(number);
  if ((real == -1 && PyErr_Occurred() != nullptr) || real == 0) return real == 0;
  if (!std::isfinite(real)) {
    PyErr_Format(PyExc_ValueError, "a finite number is needed, found %R", number);
    return false;
  }
  parts.mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(real, &parts.exponent), 53));
  parts.exponent -= 53;
  while (parts.mantissa % 2 == 0) {
    parts.mantissa /= 2;
    ++parts.exponent;
  }
  return true;
}

PyObject* shifted(PyObject* number, int shift) {
  if (number == nullptr || shift == 0) return number;
  PyObject* by = integer(shift);
  PyObject* result = by == nullptr ? nullptr : PyNumber_Lshift(number, by);
  Py_XDECREF(by);
  Py_DECREF(number);
  return result;
}

PyObject* times_power(const Binary& parts, int exponent) {
  if (parts.whole != nullptr) return shifted(Py_NewRef(parts.whole), exponent);
  const int shift = parts.mantissa == 0 ? 0 : parts.exponent + exponent;
  if (shift > 9) return shifted(integer(parts.mantissa), shift);
  return integer(parts.mantissa * (std::int64_t{1} << shift));
}

bool read_lists(PyObject* lists, std::int64_t items, haversack::Lists& into) {
  if (!is_list(lists)) return false;
  std::vector<std::int64_t> positions;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(lists); ++i) {
    positions.clear();
    if (!read_positions(PyList_GET_ITEM(lists, i), 0, items, positions)) return false;
    for (const auto position : positions) into.entries.push_back(static_cast<std::int32_t>(position));
    into.close();
  }
  return true;
}

PyObject* as_lists(const haversack::Lists& lists) {
  return lists_of(static_cast<std::size_t>(lists.size()), [&](std::size_t i) {
    return std::pair(lists.first(static_cast<std::int32_t>(i)), lists.last(static_cast<std::int32_t>(i)));
  });
}

constexpr auto kLimbs = haversack::ForestInstance::kLimbs;
constexpr unsigned kWidest = 440;  ///< bits; the engine's widest arithmetic has 512, for counts and prices too

/// The words of an integer, in two's complement. False where it is too wide.
bool read_words(PyObject* number, std::uint64_t* words) {
  auto* bytes = reinterpret_cast<unsigned char*>(words);
#if PY_VERSION_HEX >= 0x030D0000
  const auto size = PyLong_AsNativeBytes(number, bytes, kLimbs * 8, Py_ASNATIVEBYTES_LITTLE_ENDIAN);
  if (size < 0 || size > static_cast<Py_ssize_t>(kLimbs * 8)) return false;
#else
  if (_PyLong_AsByteArray(reinterpret_cast<PyLongObject*>(number), bytes, kLimbs * 8, 1, 1) < 0) return false;
#endif
  const std::uint64_t sign = (words[kLimbs - 1] >> 63U) != 0 ? ~std::uint64_t{0} : 0;
  constexpr auto last = kWidest / 64;
  bool fits = (words[last] ^ sign) >> (kWidest % 64) == 0;
  for (auto word = last + 1; word < kLimbs; ++word) fits = fits && words[word] == sign;
  return fits;
}

}  // namespace

PyObject* extremes(PyObject* begin, PyObject* numbers) {
  std::vector<std::int64_t> offsets;
  if (!is_list(numbers) || !read_begin(begin, PyList_GET_SIZE(numbers), offsets)) return nullptr;
  Held least, most;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    PyObject* low = PyList_GET_ITEM(numbers, offsets[i]);
    PyObject* high = low;
    for (auto k = offsets[i] + 1; k < offsets[i + 1]; ++k) {
      PyObject* number = PyList_GET_ITEM(numbers, k);
      const int is_less = PyObject_RichCompareBool(number, low, Py_LT);
      const int is_more = PyObject_RichCompareBool(number, high, Py_GT);
      if (is_less < 0 || is_more < 0) return nullptr;
      if (is_less > 0) low = number;
      if (is_more > 0) high = number;
    }
    least.add(low);
    most.add(high);
  }
  return Py_BuildValue("(NN)", least.into_list(), most.into_list());
}

PyObject* scaled(PyObject* numbers) {
  if (!is_list(numbers)) return nullptr;
  std::vector<Binary> parts(static_cast<std::size_t>(PyList_GET_SIZE(numbers)));
  int least = 0;
  bool are_whole = true;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!take_apart(PyList_GET_ITEM(numbers, static_cast<Py_ssize_t>(i)), parts[i])) return nullptr;
    least = std::min(least, parts[i].exponent);
    are_whole = are_whole && parts[i].whole != nullptr;
  }
  if (are_whole) return Py_NewRef(Py_None);
  PyObject* profits = list_of(parts.size(), [&](std::size_t i) { return times_power(parts[i], -least); });
  return Py_BuildValue("(Ni)", profits, -least);
}

PyObject* sum_chosen(PyObject* begin, PyObject* numbers, PyObject* choice) {
  std::vector<std::int64_t> offsets, forms;
  if (!is_list(numbers) || !read_begin(begin, PyList_GET_SIZE(numbers), offsets)) return nullptr;
  if (!read_positions(choice, -1, INT64_MAX, forms)) return nullptr;
  if (forms.size() + 1 != offsets.size()) {
    PyErr_Format(PyExc_ValueError, "%zu choices for %zu offsets", forms.size(), offsets.size());
    return nullptr;
  }
  std::int64_t sum = 0;
  PyObject* total = nullptr;  // where 64 bits are not enough
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (forms[i] < 0) continue;
    if (forms[i] >= offsets[i + 1] - offsets[i]) {
      PyErr_Format(PyExc_IndexError, "choice[%zu] is %lld", i, static_cast<long long>(forms[i]));
      Py_XDECREF(total);
      return nullptr;
    }
    PyObject* number = PyList_GET_ITEM(numbers, offsets[i] + forms[i]);
    int overflow = 0;
    if (total == nullptr) {
      const long long narrow = PyLong_AsLongLongAndOverflow(number, &overflow);
      if (narrow == -1 && PyErr_Occurred() != nullptr) return nullptr;
      std::int64_t grown = 0;
      if (overflow == 0 && !__builtin_add_overflow(sum, std::int64_t{narrow}, &grown)) {
        sum = grown;
        continue;
      }
      total = integer(sum);
      if (total == nullptr) return nullptr;
    }
    PyObject* more = PyNumber_Add(total, number);
    Py_DECREF(total);
    if (more == nullptr) return nullptr;
    total = more;
  }
  return total != nullptr ? total : integer(sum);
}

PyObject* units_of(PyObject* required, PyObject* groups) {
  if (!is_list(required)) return nullptr;
  const auto items = static_cast<std::int64_t>(PyList_GET_SIZE(required));
  haversack::Lists arcs, sets;
  if (!read_lists(required, items, arcs) || !read_lists(groups, items, sets)) return nullptr;
  const haversack::Units units = haversack::find_units(arcs, sets);
  PyObject* unit_of = list_of(units.unit_of.size(), [&](std::size_t i) { return integer(units.unit_of[i]); });
  return Py_BuildValue("(NNNN)", as_lists(units.members), unit_of, as_lists(units.needs), as_lists(units.users));
}

bool read_profits(PyObject* list, std::vector<std::int64_t>& narrow, std::vector<std::uint64_t>& limbs) {
  if (!is_list(list)) return false;
  const auto size = static_cast<std::size_t>(PyList_GET_SIZE(list));
  constexpr long long most = 1LL << 62U;
  narrow.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(PyList_GET_ITEM(list, static_cast<Py_ssize_t>(i)), &overflow);
    if (number == -1 && PyErr_Occurred() != nullptr) return false;
    if (overflow != 0 || number >= most || number <= -most) break;
    narrow.push_back(number);
  }
  if (narrow.size() == size) return true;
  narrow.clear();
  limbs.resize(size * kLimbs);
  for (std::size_t i = 0; i < size; ++i) {
    if (read_words(PyList_GET_ITEM(list, static_cast<Py_ssize_t>(i)), &limbs[i * kLimbs])) continue;
    PyErr_Clear();
    PyErr_SetString(PyExc_OverflowError, "a profit is too wide for the core");
    return false;
  }
  return true;
}
