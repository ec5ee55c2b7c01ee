// Plain dicts with variants and links into columns. Nothing is made but the columns: what they hold are the caller's
// own numbers and strings, checked for what the slow way would let pass as it is.

#include "structured.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fields.hpp"
#include "held.hpp"

namespace {

constexpr std::size_t kMany = 64;  ///< beyond that, lists within a snippet take the slow way

using Found = std::array<PyObject*, static_cast<std::size_t>(Field::unknown)>;

PyObject* get(const Found& found, Field field) { return found[static_cast<std::size_t>(field)]; }

using Fields = std::uint32_t;  ///< a bit for each

constexpr Fields bit(Field field) { return Fields{1} << static_cast<unsigned>(field); }

constexpr Fields kOfVariant =
    bit(Field::name) | bit(Field::text) | bit(Field::cost) | bit(Field::tokens) | bit(Field::value);
constexpr Fields kOfSnippet = ~(bit(Field::name) | bit(Field::unknown));

/// The fields of a dict that are not None. False where it has one that is not known.
bool read_fields(PyObject* dict, Fields known, Shape& shape, Found& found) {
  if (!PyDict_CheckExact(dict)) return false;
  Py_ssize_t at = 0;
  PyObject* key;
  PyObject* content;
  for (std::size_t k = 0; PyDict_Next(dict, &at, &key, &content); ++k) {
    const Field field = shape.field(k, key);
    if ((known & bit(field)) == 0) return false;
    found[static_cast<std::size_t>(field)] = content == Py_None ? nullptr : content;
  }
  return true;
}

bool is_sequence(PyObject* object) { return PyList_CheckExact(object) || PyTuple_CheckExact(object); }

bool is_id(PyObject* object) { return PyUnicode_CheckExact(object) || PyLong_CheckExact(object); }

bool is_name(PyObject* object) { return PyUnicode_CheckExact(object) && PyUnicode_GET_LENGTH(object) > 0; }

bool is_count(PyObject* object) {
  if (!PyLong_CheckExact(object)) return false;
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow > 0 || (overflow == 0 && number >= 0);
}

bool is_value(PyObject* object) {
  return PyLong_CheckExact(object) || (PyFloat_CheckExact(object) && std::isfinite(PyFloat_AS_DOUBLE(object)));
}

/// All that is read is held at once, so that no code that runs while the columns are built can change it.
class Reader {
 public:
  explicit Reader(PyObject* list) : list_(list), size_(static_cast<std::size_t>(PyList_GET_SIZE(list))), seen_(size_) {
    seen_.keep_positions();
    for (Held* column : {&ids_, &sections_, &groups_, &choices_, &tiers_}) column->reserve(size_);
    for (Held* column : {&names_, &texts_, &costs_, &values_}) column->reserve(3 * size_);
    pinned_.resize(size_);
    full_.steal(PyUnicode_InternFromString("full"));
  }

  [[nodiscard]] bool read() {
    if (full_[0] == nullptr) return false;
    for (std::size_t i = 0; i < size_; ++i) {
      if (!read_snippet(PyList_GET_ITEM(list_, static_cast<Py_ssize_t>(i)), i)) return false;
    }
    return find_required();
  }

  /// Once.
  [[nodiscard]] PyObject* columns() {
    PyObject* texts = has_texts_ ? texts_.into_list() : Py_NewRef(Py_None);
    PyObject* pinned = PyBytes_FromStringAndSize(pinned_.data(), static_cast<Py_ssize_t>(size_));
    return Py_BuildValue("((NN)(NNNNN)N)", ids_.into_list(), pinned, begin(), costs_.into_list(), values_.into_list(),
                         names_.into_list(), texts, links());
  }

 private:
  bool read_snippet(PyObject* dict, std::size_t position) {
    Found found{};
    if (!read_fields(dict, kOfSnippet, snippet_shape_, found)) return false;
    if (get(found, Field::score) != nullptr) return false;
    PyObject* pinned = get(found, Field::pinned);
    if (pinned != nullptr && !PyBool_Check(pinned)) return false;
    pinned_[position] = pinned == Py_True ? 1 : 0;
    PyObject* id = get(found, Field::id);
    ids_.add(id);
    lacks_ids_ = lacks_ids_ || id == nullptr;
    if (id != nullptr && !seen_.add(id, position)) return false;
    return read_forms(found) && read_links(found);
  }

  bool read_forms(const Found& found) {
    const std::size_t before = costs_.size();
    PyObject* variants = get(found, Field::variants);
    if (variants != nullptr && !is_sequence(variants)) return false;
    const Py_ssize_t count = variants == nullptr ? 0 : PySequence_Fast_GET_SIZE(variants);
    const bool has_own = count == 0 || get(found, Field::cost) != nullptr || get(found, Field::tokens) != nullptr ||
                         get(found, Field::text) != nullptr || get(found, Field::value) != nullptr;
    if (has_own && !add_form(full_[0], found)) return false;
    for (Py_ssize_t i = 0; i < count; ++i) {
      if (!read_variant(PySequence_Fast_GET_ITEM(variants, i), before)) return false;
    }
    // A first form of this name is told to be the snippet's own.
    if (!has_own && PyUnicode_CompareWithASCIIString(names_[before], "full") == 0) return false;
    begin_.push_back(costs_.size());
    return costs_.size() - before <= kMany;
  }

  bool read_variant(PyObject* dict, std::size_t first) {
    Found found{};
    if (!read_fields(dict, kOfVariant, variant_shape_, found)) return false;
    PyObject* name = get(found, Field::name);
    if (name == nullptr || !is_name(name)) return false;
    for (std::size_t other = first; other < names_.size(); ++other) {
      if (names_[other] == name || PyUnicode_Compare(names_[other], name) == 0) return false;
    }
    return add_form(name, found);
  }

  bool add_form(PyObject* name, const Found& found) {
    PyObject* tokens = get(found, Field::tokens);
    PyObject* cost = get(found, Field::cost);
    if ((cost == nullptr) == (tokens == nullptr)) return false;
    if (cost == nullptr) cost = tokens;
    PyObject* value = get(found, Field::value);
    PyObject* text = get(found, Field::text);
    if (!is_count(cost) || value == nullptr || !is_value(value)) return false;
    if (text != nullptr && !PyUnicode_CheckExact(text)) return false;
    names_.add(name);
    texts_.add(text);
    costs_.add(cost);
    values_.add(value);
    has_texts_ = has_texts_ || text != nullptr;
    return true;
  }

  bool read_links(const Found& found) {
    constexpr std::array<Field, 3> fields{Field::section, Field::group, Field::one_of};
    for (const Field field : fields) {
      PyObject* name = get(found, field);
      if (name != nullptr && !is_name(name)) return false;
      column_of(field).add(name);
      has_links_ = has_links_ || name != nullptr;
    }
    PyObject* tier = get(found, Field::tier);
    if (tier != nullptr && !is_count(tier)) return false;
    tiers_.add(tier);
    has_tiers_ = has_tiers_ || tier != nullptr;
    return hold_required(get(found, Field::needs));
  }

  Held& column_of(Field field) {
    return field == Field::section ? sections_ : field == Field::group ? groups_ : choices_;
  }

  bool hold_required(PyObject* required) {
    if (required != nullptr) {
      has_links_ = true;
      if (is_id(required)) {
        required_.add(required);
      } else if (is_sequence(required)) {
        const auto count = static_cast<std::size_t>(PySequence_Fast_GET_SIZE(required));
        if (count > kMany) return false;
        for (std::size_t i = 0; i < count; ++i) {
          PyObject* id = PySequence_Fast_GET_ITEM(required, static_cast<Py_ssize_t>(i));
          if (!is_id(id)) return false;
          required_.add(id);
        }
      } else {
        return false;
      }
    }
    required_end_.push_back(required_.size());
    return true;
  }

  /// Ids into positions, each once; a snippet that requires itself requires nothing.
  bool find_required() {
    if (required_.size() > 0 && lacks_ids_) return false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      for (; next < required_end_[i]; ++next) {
        const auto position = seen_.position(required_[next]);
        if (position < 0) return false;
        const auto first = needed_.begin() + static_cast<std::ptrdiff_t>(needed_begin_[i]);
        const bool is_known = std::find(first, needed_.end(), position) != needed_.end();
        if (!is_known && static_cast<std::size_t>(position) != i) needed_.push_back(position);
      }
      needed_begin_.push_back(needed_.size());
    }
    return true;
  }

  [[nodiscard]] PyObject* requirements() const {
    return lists_of(size_, [&](std::size_t i) {
      return std::pair(needed_.data() + needed_begin_[i], needed_.data() + needed_begin_[i + 1]);
    });
  }

  [[nodiscard]] PyObject* begin() const {
    return list_of(begin_.size(), [&](std::size_t i) { return PyLong_FromSize_t(begin_[i]); });
  }

  [[nodiscard]] PyObject* tiers() const {
    return list_of(size_, [&](std::size_t i) { return tiers_[i] ? Py_NewRef(tiers_[i]) : PyLong_FromLong(0); });
  }

  [[nodiscard]] PyObject* links() {
    if (!has_links_ && !has_tiers_) return Py_NewRef(Py_None);
    return Py_BuildValue("(NNNNNO)", sections_.into_list(), groups_.into_list(), requirements(), choices_.into_list(),
                         tiers(), has_tiers_ ? Py_True : Py_False);
  }

  PyObject* list_;
  std::size_t size_;
  Shape snippet_shape_, variant_shape_;
  Ids seen_;
  Held full_;  ///< the name of a snippet's own form
  Held ids_, names_, texts_, costs_, values_, sections_, groups_, choices_, tiers_, required_;
  std::vector<char> pinned_;
  std::vector<std::size_t> begin_{0};
  std::vector<std::size_t> required_end_;
  std::vector<std::size_t> needed_begin_{0};
  std::vector<std::int32_t> needed_;
  bool has_links_ = false, has_tiers_ = false, has_texts_ = false, lacks_ids_ = false;
};

}  // namespace

PyObject* read_structured(PyObject* list) {
  Reader reader(list);
  if (reader.read()) return reader.columns();
  return PyErr_Occurred() == nullptr ? Py_NewRef(Py_None) : nullptr;
}
