#pragma once

#include <Python.h>

/// Reads a list of plain dicts that have forms or hang together: ((ids, pinned), (begin, costs, values, names, texts),
/// links), where links are (sections, groups, requires, choices, tiers, has_tiers), or None if there are none.
/// Returns None where anything is out of the ordinary and wants the slow, explaining way; null if memory ran out.
[[nodiscard]] PyObject* read_structured(PyObject* list);
