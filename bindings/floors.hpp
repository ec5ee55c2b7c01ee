#pragma once

#include <Python.h>

#include <cstdint>

/// Solves a forest with floors: `sections` are (around, cap, floor), `nodes` (section, parent, forced), `options`
/// (begin, weight, fill), lists of integers; `worth` and `penalty` are bytes of words, as in FloorInstance.
/// Returns (choice as int32, bound as words, proven, states, passes, bits), None where the numbers are too wide, or
/// null with an error set.
[[nodiscard]] PyObject* solve_floors(PyObject* sections, PyObject* nodes, PyObject* options, PyObject* worth,
                                     PyObject* penalty, std::int64_t grain, std::int64_t effort);
