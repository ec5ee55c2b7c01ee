// The native module haversack._core: columns in, outcomes out, the GIL released while solving.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <limits>
#include <memory>

#include "columns.hpp"
#include "haversack/solve.hpp"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace {

template <class T>
using View = nb::ndarray<nb::memview, const T, nb::ndim<1>, nb::c_contig>;

template <class T>
View<T> view(const T* data, std::size_t size, nb::handle owner) {
  static const T nothing{};
  const std::size_t shape[1] = {size};
  return View<T>(size == 0 ? &nothing : data, 1, shape, owner);
}

class Columns {
 public:
  std::unique_ptr<ColumnsData> data = std::make_unique<ColumnsData>();

  static nb::object read(nb::list snippets) {
    Columns columns;
    if (!read_dicts(snippets.ptr(), *columns.data)) return nb::none();
    return nb::cast(std::move(columns));
  }

  static Columns of(nb::object costs, nb::object values, nb::object pinned) {
    Columns columns;
    if (!read_columns(costs.ptr(), values.ptr(), pinned.ptr(), *columns.data)) throw nb::python_error();
    return columns;
  }
};

nb::object as_int(haversack::WideProfit number) {
  if (number >= INT64_MIN && number <= INT64_MAX) return nb::int_(static_cast<std::int64_t>(number));
  const nb::object high = nb::int_(static_cast<std::int64_t>(number >> 64));
  const nb::object low = nb::int_(static_cast<std::uint64_t>(number));
  return (high << nb::int_(64)) + low;
}

/// Integers and floats as they were given.
nb::list mixed_values(const ColumnsData& data) {
  nb::list values;
  for (std::size_t i = 0; i < data.size; ++i) {
    if (data.whole[i]) {
      values.append(static_cast<std::int64_t>(data.reals[i]));
    } else {
      values.append(data.reals[i]);
    }
  }
  return values;
}

class Outcome {
 public:
  haversack::Outcome core;
  bool integral = true;

  Outcome(haversack::Outcome outcome, bool is_integral) : core(std::move(outcome)), integral(is_integral) {}

  /// The positions of what is in, written down when somebody asks.
  [[nodiscard]] const std::vector<std::int64_t>& chosen() const {
    if (!listed_) {
      for (std::size_t i = 0; i < core.mask.size(); ++i) {
        if (core.mask[i]) chosen_.push_back(static_cast<std::int64_t>(i));
      }
      listed_ = true;
    }
    return chosen_;
  }

  [[nodiscard]] nb::object value() const { return integral ? as_int(core.value_int) : nb::float_(core.value_real); }
  [[nodiscard]] nb::object bound() const { return integral ? as_int(core.bound_int) : nb::float_(core.bound_real); }
  [[nodiscard]] nb::dict statistics() const {
    nb::dict statistics;
    statistics["states"] = core.states;
    return statistics;
  }

 private:
  mutable std::vector<std::int64_t> chosen_;
  mutable bool listed_ = false;
};

bool signal_arrived(void*) {
  const nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

/// The capacity, clamped to 64 bits: more than any sum of costs can reach.
haversack::Weight capacity_of(nb::int_ capacity) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(capacity.ptr(), &overflow);
  if (overflow > 0) return std::numeric_limits<haversack::Weight>::max();
  return overflow < 0 || number < 0 ? 0 : static_cast<haversack::Weight>(number);
}

nb::object solve(const Columns& columns, nb::int_ capacity, std::int64_t effort) {
  const haversack::Instance instance = columns.data->instance(capacity_of(capacity));
  haversack::Limits limits;
  limits.states = effort;
  limits.interrupted = signal_arrived;
  haversack::Outcome outcome;
  std::unique_ptr<Outcome> result;
  {
    const nb::gil_scoped_release released;
    outcome = haversack::solve(instance, limits);
    if (outcome.status != haversack::Status::interrupted && outcome.status != haversack::Status::too_wide) {
      result = std::make_unique<Outcome>(std::move(outcome), instance.profits != nullptr);
    }
  }
  if (outcome.status == haversack::Status::interrupted) throw nb::python_error();
  if (result == nullptr) return nb::none();
  return nb::cast(std::move(*result));
}

nb::list pick(nb::list objects, nb::object mask, int wanted) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(mask.ptr(), &buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
  const auto* flags = static_cast<const std::uint8_t*>(buffer.buf);
  const Py_ssize_t size = PyList_GET_SIZE(objects.ptr());
  if (buffer.len != size) {
    PyBuffer_Release(&buffer);
    throw nb::value_error("the mask is not as long as the list");
  }
  Py_ssize_t count = 0;
  for (Py_ssize_t i = 0; i < size; ++i) count += flags[i] == wanted;
  PyObject* picked = PyList_New(count);
  if (picked != nullptr) {
    Py_ssize_t at = 0;
    for (Py_ssize_t i = 0; i < size; ++i) {
      if (flags[i] == wanted) PyList_SET_ITEM(picked, at++, Py_NewRef(PyList_GET_ITEM(objects.ptr(), i)));
    }
  }
  PyBuffer_Release(&buffer);
  if (picked == nullptr) throw nb::python_error();
  return nb::steal<nb::list>(picked);
}

}  // namespace

NB_MODULE(_core, module) {
  module.doc() = "The native core of haversack. Private: use the functions of the package.";

  nb::class_<Columns>(module, "Columns")
      .def_static("read", &Columns::read, "snippets"_a)
      .def_static("of", &Columns::of, "costs"_a, "values"_a, "pinned"_a = nb::none())
      .def("__len__", [](const Columns& self) { return self.data->size; })
      .def_prop_ro("costs",
                   [](nb::handle_t<Columns> self) {
                     const ColumnsData& data = *nb::cast<Columns&>(self).data;
                     return view(data.costs, data.size, self);
                   })
      .def_prop_ro("values",
                   [](nb::handle_t<Columns> self) -> nb::object {
                     const ColumnsData& data = *nb::cast<Columns&>(self).data;
                     if (data.ints != nullptr) return nb::cast(view(data.ints, data.size, self));
                     if (!data.whole.empty()) return mixed_values(data);
                     return nb::cast(view(data.reals, data.size, self));
                   })
      .def_prop_ro("pinned",
                   [](nb::handle_t<Columns> self) {
                     const ColumnsData& data = *nb::cast<Columns&>(self).data;
                     const std::vector<std::uint8_t>& pinned = data.pinned;
                     if (pinned.empty()) return nb::bytes(std::string(data.size, '\0').data(), data.size);
                     return nb::bytes(reinterpret_cast<const char*>(pinned.data()), pinned.size());
                   })
      .def_prop_ro("integral", [](const Columns& self) { return self.data->reals == nullptr; })
      .def_prop_ro("ids", [](const Columns& self) -> nb::object {
        return self.data->ids != nullptr ? nb::borrow(self.data->ids) : nb::none();
      });

  nb::class_<Outcome>(module, "Outcome")
      .def_prop_ro("chosen",
                   [](nb::handle_t<Outcome> self) {
                     const Outcome& outcome = nb::cast<Outcome&>(self);
                     return view(outcome.chosen().data(), outcome.chosen().size(), self);
                   })
      .def_prop_ro("mask",
                   [](nb::handle_t<Outcome> self) {
                     const Outcome& outcome = nb::cast<Outcome&>(self);
                     return view(outcome.core.mask.data(), outcome.core.mask.size(), self);
                   })
      .def_prop_ro("value", &Outcome::value)
      .def_prop_ro("bound", &Outcome::bound)
      .def_prop_ro("cost", [](const Outcome& self) { return self.core.weight; })
      .def_prop_ro("pinned_cost", [](const Outcome& self) { return self.core.pinned_weight; })
      .def_prop_ro("optimal", [](const Outcome& self) { return self.core.status == haversack::Status::optimal; })
      .def_prop_ro("fewest_tokens", [](const Outcome& self) { return self.core.fewest_weight; })
      .def_prop_ro("states", [](const Outcome& self) { return self.core.states; })
      .def_prop_ro("statistics", &Outcome::statistics);

  module.def("solve", &solve, "columns"_a, "capacity"_a, "effort"_a);
  module.def("pick", &pick, "objects"_a, "mask"_a, "wanted"_a);
  module.def("set_dispatch", &haversack::set_dispatch, "enabled"_a);
}
