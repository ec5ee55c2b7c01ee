/// The keys of a snippet and of a variant, and dicts told by their shape.
#pragma once

#include <Python.h>

#include <array>
#include <cstdint>

enum class Field : std::uint8_t {
  id,
  cost,
  tokens,
  value,
  pinned,
  text,
  section,
  group,
  needs,
  one_of,
  tier,
  variants,
  name,
  score,
  ignored,
  unknown
};

struct NamedField {
  const char* name;
  Field field;
};

/// Those of most snippets first: a key that was not met before is looked for from the beginning.
inline constexpr std::array<NamedField, 19> kFields{{
    {"id", Field::id},         {"cost", Field::cost},         {"tokens", Field::tokens},   {"value", Field::value},
    {"pinned", Field::pinned}, {"text", Field::text},         {"section", Field::section}, {"requires", Field::needs},
    {"group", Field::group},   {"variants", Field::variants}, {"one_of", Field::one_of},   {"tier", Field::tier},
    {"name", Field::name},     {"source", Field::ignored},    {"start", Field::ignored},   {"end", Field::ignored},
    {"meta", Field::ignored},  {"score", Field::score},       {"scores", Field::score},
}};

/// Dicts of one list mostly share a shape: the k-th key of one is the k-th key of the next, the very same object.
class Shape {
 public:
  Field field(std::size_t k, PyObject* key) {
    if (k < keys_.size() && keys_[k] == key) return fields_[k];
    const Field field = named(key);
    if (k < keys_.size()) {
      keys_[k] = key;
      fields_[k] = field;
    }
    return field;
  }

 private:
  static Field named(PyObject* key) {
    if (!PyUnicode_CheckExact(key)) return Field::unknown;
    for (const NamedField& known : kFields) {
      if (PyUnicode_CompareWithASCIIString(key, known.name) == 0) return known.field;
    }
    return Field::unknown;
  }

  std::array<PyObject*, 12> keys_{};
  std::array<Field, 12> fields_{};
};
