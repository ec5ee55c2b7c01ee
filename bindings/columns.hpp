#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

#include "haversack/instance.hpp"

/// The columns of a problem: owned, or borrowed from a buffer that is held until the columns die.
struct ColumnsData {
  ColumnsData() = default;
  ColumnsData(const ColumnsData&) = delete;
  ColumnsData& operator=(const ColumnsData&) = delete;
  ~ColumnsData();

  std::size_t size = 0;
  const std::int64_t* costs = nullptr;
  const std::int64_t* ints = nullptr;  ///< exactly one of ints and reals is set
  const double* reals = nullptr;
  std::uint64_t cost_bits = 0;  ///< see Instance
  std::uint64_t value_bits = 0;
  std::vector<std::uint8_t> pinned;  ///< empty: none is
  PyObject* ids = nullptr;           ///< a list with None where an id is absent, or null: no ids

  std::vector<std::int64_t> own_costs;
  std::vector<std::int64_t> own_ints;
  std::vector<double> own_reals;
  std::vector<std::uint8_t> whole;  ///< of mixed values: 1 where an integer was given; empty: none was
  Py_buffer cost_buffer{};
  Py_buffer value_buffer{};

  /// Fills in the bits of the columns once they are read.
  void survey();
  [[nodiscard]] haversack::Instance instance(haversack::Weight capacity) const;
};

/// Reads a list of plain dicts. False without an error set: something is out of the ordinary and wants the slow,
/// explaining way. Never sets an error for bad input.
[[nodiscard]] bool read_dicts(PyObject* list, ColumnsData& columns);

/// Reads sequences or buffers of numbers. False with a Python error set.
[[nodiscard]] bool read_columns(PyObject* costs, PyObject* values, PyObject* pinned, ColumnsData& columns);
