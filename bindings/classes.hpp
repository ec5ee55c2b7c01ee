#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

#include "columns.hpp"
#include "haversack/forest.hpp"

/// Items in classes and capped sections as a forest: a class is a unit, its items are the options of it.
struct ClassForest {
  haversack::ForestInstance instance;
  std::vector<std::int64_t> item_of_option;
  int exponent = 0;  ///< profits are values times 2^exponent
};

/// Labels are whole numbers, or None for none of them; below 0 an item has no class, or no section. False with a
/// Python error set: TypeError or ValueError for what is wrong, OverflowError for what is too wide.
[[nodiscard]] bool read_classes(const ColumnsData& columns, PyObject* classes, PyObject* sections, PyObject* caps,
                                ClassForest& forest);
