// Python numbers and dicts into columns, through CPython's own interface: for 1,000 small dicts reading is most of
// the work, so the common shapes are read without creating a single object.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "buffers.hpp"
#include "columns.hpp"
#include "fields.hpp"
#include "haversack/solve.hpp"
#include "held.hpp"

namespace {

/// The values read so far: integers until the first float, then doubles, if every integer is one exactly.
class Values {
 public:
  explicit Values(ColumnsData& columns, std::size_t size) : columns_(columns), size_(size) {
    columns_.own_ints.reserve(size);
  }

  [[nodiscard]] bool add(PyObject* value) {
    if (PyFloat_CheckExact(value)) {
      const double real = PyFloat_AS_DOUBLE(value);
      if (!std::isfinite(real) || !become_real()) return false;
      columns_.own_reals.push_back(real);
      if (!columns_.whole.empty()) columns_.whole.push_back(0);
      return true;
    }
    if (!PyLong_CheckExact(value)) return false;
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0 && add(static_cast<std::int64_t>(whole));
  }

  [[nodiscard]] bool add(std::int64_t whole) {
    if (!real_) {
      columns_.own_ints.push_back(whole);
      return true;
    }
    if (!is_exact(whole)) return false;
    columns_.whole.resize(columns_.own_reals.size());
    columns_.whole.push_back(1);
    columns_.own_reals.push_back(static_cast<double>(whole));
    return true;
  }

  void finish() {
    if (real_) {
      columns_.reals = columns_.own_reals.data();
    } else {
      columns_.own_ints.reserve(1);  // so that no integers are integers too
      columns_.ints = columns_.own_ints.data();
    }
  }

 private:
  static bool is_exact(std::int64_t whole) { return whole >= -(1LL << 53) && whole <= (1LL << 53); }

  [[nodiscard]] bool become_real() {
    if (real_) return true;
    if (!std::all_of(columns_.own_ints.begin(), columns_.own_ints.end(), is_exact)) return false;
    columns_.own_reals.reserve(size_);
    columns_.own_reals.assign(columns_.own_ints.begin(), columns_.own_ints.end());
    columns_.whole.assign(columns_.own_ints.size(), 1);
    columns_.own_ints.clear();
    real_ = true;
    return true;
  }

  ColumnsData& columns_;
  std::size_t size_;
  bool real_ = false;
};

bool read_cost(PyObject* number, std::int64_t& cost) {
  if (!PyLong_CheckExact(number)) return false;
  int overflow = 0;
  cost = PyLong_AsLongLongAndOverflow(number, &overflow);
  return overflow == 0 && cost >= 0 && cost < haversack::kWeightLimit;
}

struct Row {
  PyObject* id = nullptr;
  PyObject* cost = nullptr;
  PyObject* value = nullptr;
  PyObject* pinned = nullptr;
};

bool read_row(PyObject* dict, Shape& shape, Row& row) {
  Py_ssize_t at = 0;
  PyObject* key;
  PyObject* content;
  const auto size = static_cast<std::size_t>(PyDict_GET_SIZE(dict));
  for (std::size_t k = 0; k < size && PyDict_Next(dict, &at, &key, &content); ++k) {
    const Field field = shape.field(k, key);
    if (content == Py_None && field != Field::unknown && field != Field::name) continue;
    switch (field) {
      case Field::id: row.id = content; break;
      case Field::cost:
      case Field::tokens:
        if (row.cost != nullptr) return false;
        row.cost = content;
        break;
      case Field::value: row.value = content; break;
      case Field::pinned: row.pinned = content; break;
      case Field::text:
        if (!PyUnicode_CheckExact(content)) return false;
        break;
      case Field::ignored: break;
      default: return false;
    }
  }
  return row.cost != nullptr && (row.pinned == nullptr || PyBool_Check(row.pinned));
}

bool is_float_buffer(const Py_buffer& buffer) {
  return buffer.format != nullptr && std::strpbrk(buffer.format, "fdg") != nullptr;
}

bool read_cost_column(PyObject* costs, ColumnsData& columns) {
  if (is_buffer(costs)) {
    if (!hold_buffer(costs, columns.cost_buffer, "costs")) return false;
    columns.size = static_cast<std::size_t>(columns.cost_buffer.shape[0]);
    return gather(columns.cost_buffer, columns.own_costs, columns.costs);
  }
  PyObject* sequence = PySequence_Fast(costs, "costs: a sequence of whole numbers or a buffer is needed");
  if (sequence == nullptr) return false;
  columns.size = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sequence));
  columns.own_costs.resize(columns.size);
  bool fine = true;
  for (std::size_t i = 0; fine && i < columns.size; ++i) {
    PyObject* number = PySequence_Fast_GET_ITEM(sequence, static_cast<Py_ssize_t>(i));
    if (!PyLong_CheckExact(number)) {
      PyErr_Format(PyExc_TypeError, "costs[%zu]: a whole number is needed, found %R", i, number);
      fine = false;
      break;
    }
    int overflow = 0;
    columns.own_costs[i] = PyLong_AsLongLongAndOverflow(number, &overflow);
    if (overflow != 0) {
      PyErr_Format(PyExc_OverflowError, "costs[%zu] does not fit 64 bits", i);
      fine = false;
    }
  }
  Py_DECREF(sequence);
  columns.costs = columns.own_costs.data();
  return fine;
}

bool read_value_column(PyObject* values, ColumnsData& columns) {
  std::size_t count = 0;
  if (is_buffer(values)) {
    if (!hold_buffer(values, columns.value_buffer, "values")) return false;
    count = static_cast<std::size_t>(columns.value_buffer.shape[0]);
    const bool read = is_float_buffer(columns.value_buffer)
                          ? gather(columns.value_buffer, columns.own_reals, columns.reals)
                          : gather(columns.value_buffer, columns.own_ints, columns.ints);
    if (!read) return false;
  } else {
    PyObject* sequence = PySequence_Fast(values, "values: a sequence of numbers or a buffer is needed");
    if (sequence == nullptr) return false;
    count = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(sequence));
    Values read(columns, count);
    for (std::size_t i = 0; i < count; ++i) {
      PyObject* number = PySequence_Fast_GET_ITEM(sequence, static_cast<Py_ssize_t>(i));
      if (read.add(number)) continue;
      if (!PyLong_CheckExact(number) && !PyFloat_CheckExact(number)) {
        PyErr_Format(PyExc_TypeError, "values[%zu]: a number is needed, found %R", i, number);
      } else if (PyFloat_CheckExact(number) && !std::isfinite(PyFloat_AS_DOUBLE(number))) {
        PyErr_Format(PyExc_ValueError, "values[%zu]: a finite number is needed, found %R", i, number);
      } else {
        PyErr_Format(PyExc_OverflowError, "values[%zu] does not fit 64 bits beside the others", i);
      }
      Py_DECREF(sequence);
      return false;
    }
    Py_DECREF(sequence);
    read.finish();
  }
  if (count == columns.size) return true;
  PyErr_Format(PyExc_ValueError, "%zu costs, but %zu values", columns.size, count);
  return false;
}

/// Surveys the columns once, for this check and for the core.
bool check_ranges(ColumnsData& columns) {
  columns.survey();
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  constexpr std::uint64_t kInfinity = std::uint64_t{0x7ff} << 52;
  if ((columns.cost_bits & kSign) != 0) {
    PyErr_SetString(PyExc_ValueError, "a cost is negative");
  } else if (columns.reals != nullptr && columns.value_bits >= kInfinity) {
    PyErr_SetString(PyExc_ValueError, "a value is not finite");
  } else if (columns.cost_bits >= static_cast<std::uint64_t>(haversack::kWeightLimit)) {
    PyErr_SetString(PyExc_OverflowError, "a cost does not fit 62 bits");
  } else {
    return true;
  }
  return false;
}

bool read_pinned_column(PyObject* pinned, ColumnsData& columns) {
  if (pinned == Py_None) return true;
  Py_buffer buffer;
  if (PyObject_GetBuffer(pinned, &buffer, PyBUF_SIMPLE) != 0) return false;
  const bool fits = static_cast<std::size_t>(buffer.len) == columns.size;
  if (fits) {
    const auto* bytes = static_cast<const std::uint8_t*>(buffer.buf);
    columns.pinned.assign(bytes, bytes + buffer.len);
    for (std::uint8_t& flag : columns.pinned) flag = flag != 0;
  } else {
    PyErr_Format(PyExc_ValueError, "%zu costs, but %zd pinned flags", columns.size, buffer.len);
  }
  PyBuffer_Release(&buffer);
  return fits;
}

}  // namespace

ColumnsData::~ColumnsData() {
  if (cost_buffer.obj != nullptr) PyBuffer_Release(&cost_buffer);
  if (value_buffer.obj != nullptr) PyBuffer_Release(&value_buffer);
  Py_XDECREF(ids);
}

void ColumnsData::survey() {
  cost_bits = haversack::all_bits(costs, size);
  value_bits = ints != nullptr ? haversack::all_bits(ints, size) : haversack::largest_bits(reals, size);
}

haversack::Instance ColumnsData::instance(haversack::Weight capacity) const {
  haversack::Instance instance;
  instance.size = size;
  instance.weights = costs;
  instance.profits = ints;
  instance.real_profits = reals;
  instance.pinned = pinned.empty() ? nullptr : pinned.data();
  instance.weight_bits = cost_bits;
  instance.profit_bits = value_bits;
  instance.capacity = capacity;
  return instance;
}

bool read_dicts(PyObject* list, ColumnsData& columns) {
  const auto size = static_cast<std::size_t>(PyList_GET_SIZE(list));
  columns.size = size;
  columns.own_costs.resize(size);
  Values values(columns, size);
  Shape shape;
  Held ids;
  bool has_ids = false;
  ids.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    PyObject* dict = PyList_GET_ITEM(list, static_cast<Py_ssize_t>(i));
    if (!PyDict_CheckExact(dict)) return false;
    Row row;
    if (!read_row(dict, shape, row) || !read_cost(row.cost, columns.own_costs[i])) return false;
    const bool pinned = row.pinned == Py_True;
    if (pinned) {
      if (columns.pinned.empty()) columns.pinned.resize(size);
      columns.pinned[i] = 1;
    }
    if (row.value != nullptr ? !values.add(row.value) : !(pinned && values.add(std::int64_t{0}))) return false;
    ids.add(row.id);
    has_ids = has_ids || row.id != nullptr;
  }
  values.finish();
  columns.costs = columns.own_costs.data();
  columns.survey();
  if (!has_ids) return true;
  Ids seen(size);
  for (std::size_t i = 0; i < size; ++i) {
    if (ids[i] != nullptr && !seen.add(ids[i], i)) return false;
  }
  columns.ids = ids.into_list();
  if (columns.ids == nullptr) PyErr_Clear();
  return columns.ids != nullptr;
}

bool read_columns(PyObject* costs, PyObject* values, PyObject* pinned, ColumnsData& columns) {
  return read_cost_column(costs, columns) && read_value_column(values, columns) && check_ranges(columns) &&
         read_pinned_column(pinned, columns);
}
