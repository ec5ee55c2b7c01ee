/// Columns out of anything with the buffer protocol, without making Python objects.
#pragma once

#include <Python.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

/// A column of int64 from a buffer of any integer type, borrowed when it is int64 already. Wrong type: a TypeError.
template <class Target>
bool gather(const Py_buffer& buffer, std::vector<Target>& own, const Target*& column) {
  const auto count = static_cast<std::size_t>(buffer.shape[0]);
  const Py_ssize_t stride = buffer.strides != nullptr ? buffer.strides[0] : buffer.itemsize;
  const char* format = buffer.format != nullptr ? buffer.format : "B";
  const char kind = (format[0] == '@' || format[0] == '=' || format[0] == '<') ? format[1] : format[0];
  const auto* bytes = static_cast<const char*>(buffer.buf);
  const auto copy = [&](auto sample) {
    using Source = decltype(sample);
    if constexpr (std::is_integral_v<Target> && std::is_floating_point_v<Source>) {
      PyErr_Format(PyExc_TypeError, "costs are whole numbers; this buffer holds '%s'", format);
      return false;
    } else {
      if (std::is_same_v<Source, Target> && stride == static_cast<Py_ssize_t>(sizeof(Target))) {
        column = reinterpret_cast<const Target*>(bytes);
        return true;
      }
      own.reserve(count + 1);  // so that an empty column is a column
      own.resize(count);
      for (std::size_t i = 0; i < count; ++i) {
        Source value;
        std::memcpy(&value, bytes + static_cast<Py_ssize_t>(i) * stride, sizeof value);
        if constexpr (std::is_same_v<Source, std::uint64_t>) {
          if (value > static_cast<std::uint64_t>(INT64_MAX)) {
            PyErr_SetString(PyExc_OverflowError, "a number does not fit 64 bits with a sign");
            return false;
          }
        }
        own[i] = static_cast<Target>(value);
      }
      column = own.data();
      return true;
    }
  };
  const bool is_signed = std::strchr("bhilqn", kind) != nullptr && kind != '\0';
  const bool is_unsigned = std::strchr("BHILQN", kind) != nullptr && kind != '\0';
  if (kind == 'd' && buffer.itemsize == 8) return copy(double{});
  if (kind == 'f' && buffer.itemsize == 4) return copy(float{});
  if (is_signed && buffer.itemsize == 8) return copy(std::int64_t{});
  if (is_signed && buffer.itemsize == 4) return copy(std::int32_t{});
  if (is_signed && buffer.itemsize == 2) return copy(std::int16_t{});
  if (is_signed && buffer.itemsize == 1) return copy(std::int8_t{});
  if (is_unsigned && buffer.itemsize == 8) return copy(std::uint64_t{});
  if (is_unsigned && buffer.itemsize == 4) return copy(std::uint32_t{});
  if (is_unsigned && buffer.itemsize == 2) return copy(std::uint16_t{});
  if (is_unsigned && buffer.itemsize == 1) return copy(std::uint8_t{});
  PyErr_Format(PyExc_TypeError, "a buffer of whole numbers or floats is needed; this one holds '%s'", format);
  return false;
}

/// Is this a buffer of numbers? Text-like bytes and lists are read as sequences.
inline bool is_buffer(PyObject* object) { return !PyList_Check(object) && PyObject_CheckBuffer(object); }

inline bool hold_buffer(PyObject* object, Py_buffer& buffer, const char* what) {
  if (PyObject_GetBuffer(object, &buffer, PyBUF_RECORDS_RO) != 0) return false;
  if (buffer.ndim == 1) return true;
  PyErr_Format(PyExc_ValueError, "%s: one dimension is needed, this buffer has %d", what, buffer.ndim);
  return false;
}
