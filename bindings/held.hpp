/// Lists, references that are held, and ids looked up by what they print as.
#pragma once

#include <Python.h>

#include <cstdint>
#include <utility>
#include <vector>

/// A list made element by element; null with an error set if one of them is.
template <class Element>
PyObject* list_of(std::size_t size, Element element) {
  PyObject* list = PyList_New(static_cast<Py_ssize_t>(size));
  for (std::size_t i = 0; list != nullptr && i < size; ++i) {
    PyObject* made = element(i);
    if (made == nullptr) Py_CLEAR(list);
    else PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), made);
  }
  return list;
}

/// A list of lists of integers, made of (first, last) pairs. All that are empty are one and the same list: nobody
/// changes them, and most are empty, which would be as many objects for the collector to look at.
template <class Range>
PyObject* lists_of(std::size_t size, Range range) {
  PyObject* empty = PyList_New(0);
  PyObject* lists = empty == nullptr ? nullptr : list_of(size, [&](std::size_t i) {
    const auto [first, last] = range(i);
    if (first == last) return Py_NewRef(empty);
    const auto* entry = first;
    return list_of(static_cast<std::size_t>(last - first), [&](std::size_t) { return PyLong_FromLongLong(*entry++); });
  });
  Py_XDECREF(empty);
  return lists;
}

/// While objects are held, nothing that runs in between can take them away; a null stands for None.
class Held {
 public:
  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() {
    for (PyObject* object : objects_) Py_XDECREF(object);
  }

  void reserve(std::size_t size) { objects_.reserve(size); }
  void add(PyObject* object) { objects_.push_back(Py_XNewRef(object)); }
  void steal(PyObject* object) { objects_.push_back(object); }
  [[nodiscard]] std::size_t size() const { return objects_.size(); }
  [[nodiscard]] PyObject* operator[](std::size_t i) const { return objects_[i]; }

  /// Moves them into a new list, which holds them from then on; null with an error set on failure.
  [[nodiscard]] PyObject* into_list() {
    PyObject* list = PyList_New(static_cast<Py_ssize_t>(objects_.size()));
    if (list == nullptr) return nullptr;
    for (std::size_t i = 0; i < objects_.size(); ++i) {
      PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), objects_[i] != nullptr ? objects_[i] : Py_NewRef(Py_None));
    }
    objects_.clear();
    return list;
  }

 private:
  std::vector<PyObject*> objects_;
};

/// The ids of a list, compared as str. Open addressing over the hashes that str objects carry.
class Ids {
 public:
  explicit Ids(std::size_t size) {
    std::size_t slots = 16;
    while (slots < 2 * size) slots *= 2;
    slots_.assign(slots, nullptr);
  }

  /// Keeps the position of each id too, so that `position` finds it.
  void keep_positions() { positions_.resize(slots_.size()); }

  /// False if the id is of another type, or was seen before. The caller keeps it alive.
  [[nodiscard]] bool add(PyObject* id, std::size_t position) {
    PyObject* key = key_of(id);
    if (key == nullptr) return false;
    const std::size_t slot = slot_of(key);
    if (slots_[slot] != nullptr) return false;
    slots_[slot] = key;
    if (!positions_.empty()) positions_[slot] = static_cast<std::int32_t>(position);
    return true;
  }

  /// -1 if there is no such id.
  [[nodiscard]] std::int32_t position(PyObject* id) {
    PyObject* key = key_of(id);
    const std::size_t slot = key == nullptr ? 0 : slot_of(key);
    return key == nullptr || slots_[slot] == nullptr ? -1 : positions_[slot];
  }

 private:
  /// The id as str; null if it is of another type, or a number too long to be printed.
  PyObject* key_of(PyObject* id) {
    if (PyUnicode_CheckExact(id)) return id;
    if (!PyLong_CheckExact(id)) return nullptr;
    PyObject* printed = PyObject_Str(id);
    if (printed == nullptr) return PyErr_Clear(), nullptr;
    made_.steal(printed);
    return printed;
  }

  [[nodiscard]] std::size_t slot_of(PyObject* key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(PyObject_Hash(key)) & mask;
    while (slots_[slot] != nullptr && slots_[slot] != key && PyUnicode_Compare(slots_[slot], key) != 0) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  std::vector<PyObject*> slots_;
  std::vector<std::int32_t> positions_;
  Held made_;
};
