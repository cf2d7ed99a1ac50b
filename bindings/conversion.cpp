// SPDX-License-Identifier: Apache-2.0
#include "conversion.h"

#include <cmath>
#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include "core/message_text.h"
#include "platform/config/schema.h"
#include "platform/simulation/busy_error.h"
#include "policies.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace pybind11::literals;

namespace {

py::str decoded(std::string_view text, const char* errors) {
  PyObject* str = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), errors);
  if (str == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(str);
}

// to_text() restores the bytes of `text`.
py::str to_value_str(std::string_view text) { return decoded(text, "surrogateescape"); }

}  // namespace

py::str to_path(std::string_view text) { return to_value_str(text); }

py::str to_str(std::string_view text) { return decoded(text, "replace"); }

std::string to_text(py::handle str) {
  // File names may hold bytes that are not valid UTF-8. Python represents such bytes as surrogates, and
  // "surrogateescape" restores the bytes.
  PyObject* encoded = PyUnicode_AsEncodedString(str.ptr(), "utf-8", "surrogateescape");
  if (encoded == nullptr) throw py::error_already_set();
  return std::string(py::reinterpret_steal<py::bytes>(encoded));
}

std::string shown(py::handle object) {
  constexpr std::size_t longest = 100;
  try {
    const py::str text = py::repr(object);
    return printable(to_text(text), longest);
  } catch (const py::error_already_set& error) {
    // The repr of the object raised an exception, so the message names its type instead.
    if (!error.matches(PyExc_Exception)) throw;
    const py::handle type = py::type::handle_of(object);
    return "an object of type " + to_text(py::str(type.attr("__name__")));
  }
}

namespace {

py::object nan() { return py::module_::import("math").attr("nan"); }

}  // namespace

py::object to_object(const Value& value) {
  if (const bool* b = value.boolean()) return py::bool_(*b);
  if (const std::int64_t* i = value.integer()) return py::int_(*i);
  // Every NaN becomes the same Python object. Containers compare their elements by identity first, so two results
  // compare equal if the same values are unknown in both.
  if (const double* d = value.real()) return std::isnan(*d) ? nan() : py::float_(*d);
  if (const std::string* s = value.text()) return to_value_str(*s);
  if (const Value::List* items = value.list_items()) {
    py::list list;
    for (const Value& item : *items) list.append(to_object(item));
    return list;
  }
  if (const Value::Map* map = value.map_items()) {
    py::dict dict;
    for (const auto& [key, item] : *map) dict[to_value_str(key)] = to_object(item);
    return dict;
  }
  return py::none();
}

namespace {

const SourceLocation given_in_python{"Python", 0};

// Converts Python objects to a tree of Values. Without the limits on depth and number of values, the conversion of an
// object that contains itself would not end.
class TreeReader {
 public:
  explicit TreeReader(std::size_t most_values, VariantObjects* objects = nullptr)
      : most_values_(most_values), objects_(objects) {}

  // Converts the value given for the key `path`.
  Value read_at(const std::string& path, py::handle object) {
    path_ = {path};
    return read(object);
  }

  Value read(py::handle object, std::size_t depth = 0) {
    if (depth > deepest_tree) throw ConfigError(given_in_python, "", "is nested too deeply, or in itself");
    count(1);
    Value value = read_data(object, depth);
    value.source = given_in_python;
    return value;
  }

 private:
  void count(std::size_t more) {
    if (more > most_values_ - values_) {
      throw ConfigError(given_in_python, "", "has more than " + std::to_string(most_values_) + " values");
    }
    values_ += more;
  }

  Value read_data(py::handle object, std::size_t depth) {
    if (object.is_none()) return Value();
    if (py::isinstance<py::bool_>(object)) return Value(object.cast<bool>());
    if (py::isinstance<py::int_>(object)) return read_integer(object);
    if (py::isinstance<py::float_>(object)) return Value(object.cast<double>());
    if (py::isinstance<py::str>(object)) return read_text(object);
    if (py::isinstance<py::dict>(object)) return read_map(py::reinterpret_borrow<py::dict>(object), depth);
    if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
      return read_list(py::reinterpret_borrow<py::sequence>(object), depth);
    }
    if (PyMapping_Check(object.ptr()) && py::hasattr(object, "items")) {
      return read_map(py::dict(py::reinterpret_borrow<py::object>(object)), depth);
    }
    if (py::hasattr(object, "__fspath__")) return read_text(py::module_::import("os").attr("fsdecode")(object));
    if (py::hasattr(object, "tolist")) {
      // Counts the elements of an array before it converts them, so that an array that is too large is rejected at
      // once.
      if (py::hasattr(object, "size") && py::isinstance<py::int_>(object.attr("size"))) {
        const auto size = PyLong_AsSize_t(object.attr("size").ptr());
        PyErr_Clear();
        if (size > most_values_) count(size);
      }
      return read(object.attr("tolist")(), depth + 1);
    }
    if (objects_ != nullptr && is_policy(object)) return read_policy(object);
    throw py::type_error("a configuration cannot hold " + shown(object) + " of type " +
                         std::string(py::str(py::type::handle_of(object).attr("__name__"))));
  }

  static Value read_integer(py::handle object) {
    int overflow = 0;
    const long long integer = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow != 0) {
      // The message gives the number of bits, since the integer may have too many digits to print.
      const std::string bits = py::str(object.attr("bit_length")());
      throw ConfigError(given_in_python, "", "an integer of " + bits + " bits does not fit 64 bits with a sign");
    }
    return Value(std::int64_t{integer});
  }

  static Value read_text(py::handle object) {
    std::string text = to_text(object);
    constexpr std::size_t longest = 1 << 20;
    if (text.size() > longest)
      throw ConfigError(given_in_python, "", "a text of " + std::to_string(text.size()) + " bytes is too long");
    return Value(std::move(text));
  }

  Value read_policy(py::handle object) {
    std::shared_ptr<VariantObject> policy = policy_object(object);
    Value name(policy->name());
    std::string path;
    for (const std::string& key : path_) path = join_path(path, key);
    (*objects_)[path] = std::move(policy);
    return name;
  }

  // Iterates over a copy of the dict, since reading an item may run Python code that changes the dict.
  Value read_map(const py::dict& dict, std::size_t depth) {
    Value::Map map;
    for (const auto& [key, item] : py::reinterpret_steal<py::dict>(PyDict_Copy(dict.ptr()))) {
      if (!py::isinstance<py::str>(key)) {
        throw py::type_error("a key of a configuration is a str, not " + shown(key));
      }
      path_.push_back(to_text(key));
      Value value = read(item, depth + 1);
      map.emplace_back(std::move(path_.back()), std::move(value));
      path_.pop_back();
    }
    return Value(std::move(map));
  }

  Value read_list(const py::sequence& items, std::size_t depth) {
    Value::List list;
    for (const py::handle item : items) list.push_back(read(item, depth + 1));
    return Value(std::move(list));
  }

  const std::size_t most_values_;
  VariantObjects* const objects_;
  std::vector<std::string> path_;  // keys of the value being read
  std::size_t values_ = 0;
};

void raise(const char* name, const std::exception& error, const py::kwargs& attributes = {}) {
  const py::object type = py::module_::import("nandscape.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(to_str(error.what()), **attributes).ptr());
}

}  // namespace

Value to_value(py::handle object, VariantObjects* objects) { return TreeReader(largest_tree, objects).read(object); }

std::string to_json(py::handle tree) {
  constexpr std::size_t largest_document = 100'000'000;
  return TreeReader(largest_document).read(tree).to_json();
}

std::vector<Override> to_overrides(const py::list& items, VariantObjects& objects) {
  std::vector<Override> overrides;
  TreeReader reader(largest_tree, &objects);
  for (const py::handle item : items) {
    if (py::isinstance<py::str>(item)) {
      overrides.push_back(parse_override(to_text(item)));
      continue;
    }
    const auto pair = item.cast<py::tuple>();
    if (!py::isinstance<py::str>(pair[0])) {
      throw py::type_error("a key of a configuration is a str, not " + shown(pair[0]));
    }
    std::string path = to_text(pair[0]);
    Value value = reader.read_at(path, pair[1]);
    overrides.emplace_back(std::move(path), std::move(value));
  }
  return overrides;
}

void translate_errors() {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const ConfigError& error) {
      raise("ConfigError", error, py::kwargs(py::dict("path"_a = to_str(error.path()))));
    } catch (const InputError& error) {
      raise("InputError", error);
    } catch (const RequestError& error) {
      raise("RequestError", error, py::kwargs(py::dict("status"_a = to_str(error.status()))));
    } catch (const BusyError& error) {
      raise("BusyError", error);
    } catch (const Error& error) {
      raise("Error", error);
    } catch (const ProtocolError& error) {
      raise("ProtocolError", error);
    }
  });
}

}  // namespace nandscape::python
