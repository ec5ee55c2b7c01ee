// The native module haversack._core: columns in, outcomes out, the GIL released while solving.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "classes.hpp"
#include "columns.hpp"
#include "floors.hpp"
#include "haversack/forest.hpp"
#include "haversack/linked.hpp"
#include "haversack/solve.hpp"
#include "numbers.hpp"
#include "structured.hpp"

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

template <class T>
void fill_column(nb::handle source, std::vector<T>& column) {
  if (source.is_none()) return;
  if (PyObject_CheckBuffer(source.ptr()) != 0) {
    const auto view = nb::cast<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(source);
    column.assign(view.data(), view.data() + view.size());
    return;
  }
  const auto items = nb::steal<nb::object>(PySequence_Fast(source.ptr(), "a sequence of integers or a buffer"));
  if (!items.is_valid()) throw nb::python_error();
  column.reserve(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(items.ptr())));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.ptr()); ++i) {
    const long long number = PyLong_AsLongLong(PySequence_Fast_GET_ITEM(items.ptr(), i));
    if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    if (number < std::numeric_limits<T>::min() || number > static_cast<long long>(std::numeric_limits<T>::max())) {
      PyErr_SetString(PyExc_OverflowError, "a number is too wide for its column");
      throw nb::python_error();
    }
    column.push_back(static_cast<T>(number));
  }
}

class ForestResult {
 public:
  haversack::ForestOutcome core;
  std::vector<std::int64_t> chosen;  ///< of items in classes: the chosen ones, ascending
  int exponent = 0;                  ///< of items in classes: profits are values times 2^exponent

  void add_items(const ClassForest& forest) {
    exponent = forest.exponent;
    for (std::size_t unit = 0; unit < core.choice.size(); ++unit) {
      if (core.choice[unit] < 0) continue;
      const auto option = forest.instance.option_begin[unit] + core.choice[unit];
      chosen.push_back(forest.item_of_option[static_cast<std::size_t>(option)]);
    }
    std::sort(chosen.begin(), chosen.end());
  }

  static nb::list ints(const std::vector<haversack::Int128>& numbers) {
    nb::list list;
    for (const auto number : numbers) list.append(as_int(number));
    return list;
  }
  [[nodiscard]] nb::list bound() const {
    if (core.wide_bound.empty()) return ints(core.bound);
    constexpr auto limbs = haversack::ForestInstance::kLimbs;
    const auto from_bytes = nb::borrow<nb::object>(reinterpret_cast<PyObject*>(&PyLong_Type)).attr("from_bytes");
    nb::list list;
    for (std::size_t at = 0; at < core.wide_bound.size(); at += limbs) {
      const nb::bytes words(reinterpret_cast<const char*>(&core.wide_bound[at]), limbs * 8);
      list.append(from_bytes(words, "little", "signed"_a = true));
    }
    return list;
  }
  [[nodiscard]] nb::dict statistics() const {
    nb::dict statistics;
    statistics["states"] = core.states;
    statistics["passes"] = core.passes;
    statistics["core"] = core.core;
    statistics["bits"] = core.bits;
    return statistics;
  }
};

/// The outcome, or None where the numbers are too wide.
nb::object solved(const haversack::ForestInstance& instance, haversack::ForestLimits limits) {
  limits.interrupted = [] { return signal_arrived(nullptr); };
  ForestResult result;
  {
    const nb::gil_scoped_release released;
    result.core = haversack::solve_forest(instance, limits);
  }
  switch (result.core.status) {
    case haversack::ForestStatus::interrupted: throw nb::python_error();
    case haversack::ForestStatus::too_wide: return nb::none();
    case haversack::ForestStatus::invalid: throw nb::value_error("not a forest: sizes, ranges, cycles or sections");
    case haversack::ForestStatus::infeasible: throw nb::value_error("mandatory units exceed a cap");
    case haversack::ForestStatus::solved: break;
  }
  return nb::cast(std::move(result));
}

nb::object solve_forest(nb::int_ capacity, nb::object section_parent, nb::object section_cap, nb::object unit_section,
                        nb::object unit_parent, nb::object unit_mandatory, nb::object unit_with_parent,
                        nb::object option_begin, nb::object option_weight, nb::object option_profit,
                        nb::object option_tier, bool clamp, std::int64_t effort) {
  haversack::ForestInstance instance;
  instance.capacity = capacity_of(capacity);
  instance.clamp = clamp;
  fill_column(section_parent, instance.section_parent);
  fill_column(section_cap, instance.section_cap);
  fill_column(unit_section, instance.unit_section);
  fill_column(unit_parent, instance.unit_parent);
  fill_column(unit_mandatory, instance.unit_mandatory);
  fill_column(unit_with_parent, instance.unit_with_parent);
  fill_column(option_begin, instance.option_begin);
  fill_column(option_weight, instance.option_weight);
  fill_column(option_tier, instance.option_tier);
  if (!read_profits(option_profit.ptr(), instance.option_profit, instance.option_limbs)) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw nb::python_error();
    PyErr_Clear();
    return nb::none();
  }
  haversack::ForestLimits limits;
  limits.states = effort;
  return solved(instance, limits);
}

/// Profits of at most 128 bits; false: they are wider.
bool fill_profits(nb::handle numbers, std::vector<haversack::Int128>& profits) {
  std::vector<std::int64_t> narrow;
  std::vector<std::uint64_t> limbs;
  if (!read_profits(numbers.ptr(), narrow, limbs)) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError) == 0) throw nb::python_error();
    PyErr_Clear();
    return false;
  }
  profits.assign(narrow.begin(), narrow.end());
  constexpr auto words = haversack::ForestInstance::kLimbs;
  for (std::size_t i = 0; i < limbs.size(); i += words) {
    const auto low = static_cast<unsigned __int128>(limbs[i + 1]) << 64U | limbs[i];
    const auto profit = static_cast<haversack::Int128>(low);
    for (std::size_t j = 2; j < words; ++j)
      if (limbs[i + j] != (profit < 0 ? ~std::uint64_t{0} : 0)) return false;
    profits.push_back(profit);
  }
  return true;
}

nb::object solve_linked(nb::int_ capacity, nb::object section_parent, nb::object section_cap, nb::object item_section,
                        nb::object item_unit, nb::object option_begin, nb::object option_weight,
                        nb::object option_profit, nb::object unit_side, nb::object need_begin, nb::object need,
                        nb::object choice_begin, nb::object choice_item, nb::object known, std::int64_t effort) {
  haversack::LinkedInstance instance;
  instance.capacity = capacity_of(capacity);
  fill_column(section_parent, instance.section_parent);
  fill_column(section_cap, instance.section_cap);
  fill_column(item_section, instance.item_section);
  fill_column(item_unit, instance.item_unit);
  fill_column(option_begin, instance.option_begin);
  fill_column(option_weight, instance.option_weight);
  if (!fill_profits(option_profit, instance.option_profit)) return nb::none();
  fill_column(unit_side, instance.unit_side);
  fill_column(need_begin, instance.need_begin);
  fill_column(need, instance.need);
  fill_column(choice_begin, instance.choice_begin);
  fill_column(choice_item, instance.choice_item);
  fill_column(known, instance.known);
  haversack::ForestLimits limits;
  limits.states = effort;
  limits.interrupted = [] { return signal_arrived(nullptr); };
  haversack::LinkedOutcome outcome;
  {
    const nb::gil_scoped_release released;
    outcome = haversack::solve_linked(instance, limits);
  }
  if (outcome.status == haversack::ForestStatus::interrupted) throw nb::python_error();
  if (outcome.status == haversack::ForestStatus::too_wide) return nb::none();
  if (outcome.status != haversack::ForestStatus::solved) throw nb::value_error("what is in does not fit");
  nb::list choice;
  for (const auto option : outcome.choice) choice.append(option);
  return nb::make_tuple(choice, as_int(outcome.bound), outcome.fewest_tokens, outcome.states, outcome.nodes);
}

nb::object solve_classes(const Columns& columns, nb::int_ capacity, nb::object classes, nb::object sections,
                         nb::object caps, std::int64_t effort) {
  ClassForest forest;
  if (!read_classes(*columns.data, classes.ptr(), sections.ptr(), caps.ptr(), forest)) throw nb::python_error();
  forest.instance.capacity = capacity_of(capacity);
  haversack::ForestLimits limits;
  limits.states = effort;
  nb::object result = solved(forest.instance, limits);
  if (!result.is_none()) nb::cast<ForestResult&>(result).add_items(forest);
  return result;
}

/// What a function of the C API returned, or the error that it set.
nb::object checked(PyObject* made) {
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
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

  nb::class_<ForestResult>(module, "ForestOutcome")
      .def_prop_ro("choice",
                   [](nb::handle_t<ForestResult> self) {
                     const auto& choice = nb::cast<const ForestResult&>(self).core.choice;
                     return view(choice.data(), choice.size(), self);
                   })
      .def_prop_ro("chosen",
                   [](nb::handle_t<ForestResult> self) {
                     const auto& chosen = nb::cast<const ForestResult&>(self).chosen;
                     return view(chosen.data(), chosen.size(), self);
                   })
      .def_prop_ro("exponent", [](const ForestResult& self) { return self.exponent; })
      .def_prop_ro("tiers",
                   [](const ForestResult& self) {
                     nb::list tiers;
                     for (const auto tier : self.core.tiers) tiers.append(tier);
                     return tiers;
                   })
      .def_prop_ro("value", [](const ForestResult& self) { return ForestResult::ints(self.core.value); })
      .def_prop_ro("bound", &ForestResult::bound)
      .def_prop_ro("cost", [](const ForestResult& self) { return as_int(self.core.weight); })
      .def_prop_ro("optimal", [](const ForestResult& self) { return self.core.optimal; })
      .def_prop_ro("fewest_tokens", [](const ForestResult& self) { return self.core.fewest_tokens; })
      .def_prop_ro("states", [](const ForestResult& self) { return self.core.states; })
      .def_prop_ro("statistics", &ForestResult::statistics);
  module.def("solve_forest", &solve_forest, "capacity"_a, "section_parent"_a, "section_cap"_a, "unit_section"_a.none(),
             "unit_parent"_a.none(), "unit_mandatory"_a.none(), "unit_with_parent"_a.none(), "option_begin"_a,
             "option_weight"_a, "option_profit"_a, "option_tier"_a.none(), nb::kw_only(), "clamp"_a = true,
             "effort"_a = -1);
  module.def("solve_linked", &solve_linked, "capacity"_a, "section_parent"_a, "section_cap"_a, "item_section"_a,
             "item_unit"_a, "option_begin"_a, "option_weight"_a, "option_profit"_a, "unit_side"_a, "need_begin"_a,
             "need"_a, "choice_begin"_a, "choice_item"_a, nb::kw_only(), "known"_a.none() = nb::none(),
             "effort"_a = -1);
  module.def("solve_classes", &solve_classes, "columns"_a, "capacity"_a, "classes"_a.none(), "sections"_a.none(),
             "caps"_a.none(), "effort"_a);
  module.def("solve_floors", [](nb::tuple sections, nb::tuple nodes, nb::tuple options, nb::bytes worth,
                                nb::bytes penalty, std::int64_t grain, std::int64_t effort) {
    return checked(solve_floors(sections.ptr(), nodes.ptr(), options.ptr(), worth.ptr(), penalty.ptr(), grain, effort));
  });
  module.def("solve", &solve, "columns"_a, "capacity"_a, "effort"_a);
  module.def("pick", &pick, "objects"_a, "mask"_a, "wanted"_a);
  module.def("read_structured", [](nb::list snippets) { return checked(read_structured(snippets.ptr())); });
  module.def("units_of",
             [](nb::list required, nb::list groups) { return checked(units_of(required.ptr(), groups.ptr())); });
  module.def("extremes",
             [](nb::list begin, nb::list numbers) { return checked(extremes(begin.ptr(), numbers.ptr())); });
  module.def("scaled", [](nb::list numbers) { return checked(scaled(numbers.ptr())); });
  module.def("sum_chosen", [](nb::list begin, nb::list numbers, nb::list choice) {
    return checked(sum_chosen(begin.ptr(), numbers.ptr(), choice.ptr()));
  });
  module.def("set_dispatch", &haversack::set_dispatch, "enabled"_a);
}
