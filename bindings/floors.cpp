// Columns of a forest with floors out of Python, and what was found back.

#include "floors.hpp"

#include <cstring>
#include <limits>

#include "haversack/floors.hpp"

namespace {

template <class T>
bool read_column(PyObject* columns, Py_ssize_t at, std::vector<T>& column) {
  PyObject* list = PyTuple_GetItem(columns, at);
  if (list == nullptr) return false;
  if (!PyList_Check(list)) {
    PyErr_Format(PyExc_TypeError, "a list is needed, found %R", list);
    return false;
  }
  const Py_ssize_t size = PyList_Size(list);
  column.reserve(static_cast<std::size_t>(size));
  for (Py_ssize_t i = 0; i < size; ++i) {
    const long long number = PyLong_AsLongLong(PyList_GetItem(list, i));
    if (number == -1 && PyErr_Occurred() != nullptr) return false;
    if (number < static_cast<long long>(std::numeric_limits<T>::min()) ||
        number > static_cast<long long>(std::numeric_limits<T>::max())) {
      PyErr_SetString(PyExc_OverflowError, "a number is too wide for its column");
      return false;
    }
    column.push_back(static_cast<T>(number));
  }
  return true;
}

bool read_words(PyObject* bytes, std::vector<std::uint64_t>& words) {
  char* source = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes, &source, &size) != 0) return false;
  words.resize(static_cast<std::size_t>(size) / sizeof(std::uint64_t));
  if (!words.empty()) std::memcpy(words.data(), source, words.size() * sizeof(std::uint64_t));
  return true;
}

bool read(PyObject* sections, PyObject* nodes, PyObject* options, haversack::FloorInstance& instance) {
  return read_column(sections, 0, instance.section_around) && read_column(sections, 1, instance.section_cap) &&
         read_column(sections, 2, instance.section_floor) && read_column(nodes, 0, instance.node_section) &&
         read_column(nodes, 1, instance.node_parent) && read_column(nodes, 2, instance.node_forced) &&
         read_column(options, 0, instance.option_begin) && read_column(options, 1, instance.option_weight) &&
         read_column(options, 2, instance.option_fill);
}

/// Has a signal's handler raised? Asked without the GIL.
bool is_interrupted() {
  const PyGILState_STATE state = PyGILState_Ensure();
  const bool raised = PyErr_CheckSignals() != 0;
  PyGILState_Release(state);
  return raised;
}

template <class T>
PyObject* as_bytes(const std::vector<T>& column) {
  return PyBytes_FromStringAndSize(reinterpret_cast<const char*>(column.data()),
                                   static_cast<Py_ssize_t>(column.size() * sizeof(T)));
}

PyObject* told(const haversack::FloorOutcome& outcome) {
  switch (outcome.status) {
    case haversack::ForestStatus::interrupted: return nullptr;
    case haversack::ForestStatus::too_wide: Py_RETURN_NONE;
    case haversack::ForestStatus::solved: break;
    default: PyErr_SetString(PyExc_ValueError, "no forest with floors: sizes, ranges or order"); return nullptr;
  }
  PyObject* choice = as_bytes(outcome.choice);
  PyObject* bound = as_bytes(outcome.bound);
  if (choice == nullptr || bound == nullptr) {
    Py_XDECREF(choice);
    Py_XDECREF(bound);
    return nullptr;
  }
  return Py_BuildValue("(NNOLii)", choice, bound, outcome.is_proven ? Py_True : Py_False,
                       static_cast<long long>(outcome.states), static_cast<int>(outcome.passes),
                       static_cast<int>(outcome.bits));
}

}  // namespace

PyObject* solve_floors(PyObject* sections, PyObject* nodes, PyObject* options, PyObject* worth, PyObject* penalty,
                       std::int64_t grain, std::int64_t effort) {
  haversack::FloorInstance instance;
  instance.grain = grain;
  if (!read(sections, nodes, options, instance)) return nullptr;
  if (!read_words(worth, instance.option_worth) || !read_words(penalty, instance.penalty)) return nullptr;
  haversack::ForestLimits limits;
  limits.states = effort;
  limits.interrupted = is_interrupted;
  PyThreadState* released = PyEval_SaveThread();
  const auto outcome = haversack::solve_floors(instance, limits);
  PyEval_RestoreThread(released);
  return told(outcome);
}
