/// Lists of Python numbers, of any size, worked on as they are. All of these return null with an error set on failure.
#pragma once

#include <Python.h>

#include <cstdint>
#include <vector>

/// (least, most): lists of the smallest and of the largest of the numbers begin[i] .. begin[i + 1] - 1, by i.
[[nodiscard]] PyObject* extremes(PyObject* begin, PyObject* numbers);

/// (profits, exponent): numbers times 2^exponent, the least power of two, from 0, that makes all of them integers.
/// None if they all are integers.
[[nodiscard]] PyObject* scaled(PyObject* numbers);

/// The sum of numbers[begin[i] + choice[i]] over all i where the choice is not below 0; the numbers are integers.
[[nodiscard]] PyObject* sum_chosen(PyObject* begin, PyObject* numbers, PyObject* choice);

/// (members, unit_of, needs, users) of lists of positions, as `haversack::find_units` has them.
[[nodiscard]] PyObject* units_of(PyObject* required, PyObject* groups);

/// Integers as columns: of 64 bits, or else as the words of ForestInstance. False with an error set;
/// OverflowError where they are too wide for either.
[[nodiscard]] bool read_profits(PyObject* list, std::vector<std::int64_t>& narrow, std::vector<std::uint64_t>& limbs);
