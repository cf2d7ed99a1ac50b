// SPDX-License-Identifier: Apache-2.0
#include "conversion.h"

#include <exception>
#include <string>
#include <utility>

#include "platform/busy_error.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace pybind11::literals;

py::str to_str(std::string_view text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

py::object to_object(const Value& value) {
  if (const bool* b = value.boolean()) return py::bool_(*b);
  if (const std::int64_t* i = value.integer()) return py::int_(*i);
  if (const double* d = value.real()) return py::float_(*d);
  if (const std::string* s = value.text()) return to_str(*s);
  if (const Value::List* items = value.list_items()) {
    py::list list;
    for (const Value& item : *items) list.append(to_object(item));
    return list;
  }
  if (const Value::Map* map = value.map_items()) {
    py::dict dict;
    for (const auto& [key, item] : *map) dict[to_str(key)] = to_object(item);
    return dict;
  }
  return py::none();
}

namespace {

const SourceLocation given_in_python{"Python", 0};

Value integer_value(py::handle object) {
  int overflow = 0;
  const long long integer = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow != 0) {
    throw ConfigError(given_in_python, "", "the integer " + std::string(py::str(object)) + " does not fit 64 bits");
  }
  return Value(std::int64_t{integer});
}

Value map_value(const py::dict& dict) {
  Value::Map map;
  for (const auto& [key, item] : dict) {
    if (!py::isinstance<py::str>(key)) {
      throw py::type_error("a key of a configuration is a str, not " + std::string(py::repr(key)));
    }
    map.emplace_back(key.cast<std::string>(), to_value(item));
  }
  return Value(std::move(map));
}

Value list_value(const py::iterable& items) {
  Value::List list;
  for (const py::handle item : items) list.push_back(to_value(item));
  return Value(std::move(list));
}

Value plain_value(py::handle object) {
  if (object.is_none()) return Value();
  if (py::isinstance<py::bool_>(object)) return Value(object.cast<bool>());
  if (py::isinstance<py::int_>(object)) return integer_value(object);
  if (py::isinstance<py::float_>(object)) return Value(object.cast<double>());
  if (py::isinstance<py::str>(object)) return Value(object.cast<std::string>());
  if (py::isinstance<py::dict>(object)) return map_value(py::reinterpret_borrow<py::dict>(object));
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    return list_value(py::reinterpret_borrow<py::iterable>(object));
  }
  if (py::hasattr(object, "__fspath__")) return to_value(object.attr("__fspath__")());
  if (py::hasattr(object, "tolist")) return to_value(object.attr("tolist")());
  throw py::type_error("a configuration cannot hold " + std::string(py::repr(object)) + " of type " +
                       std::string(py::str(py::type::handle_of(object).attr("__name__"))));
}

void raise(const char* name, const std::exception& error, const py::kwargs& attributes = {}) {
  const py::object type = py::module_::import("nandscape.errors").attr(name);
  PyErr_SetObject(type.ptr(), type(to_str(error.what()), **attributes).ptr());
}

}  // namespace

Value to_value(py::handle object) {
  Value value = plain_value(object);
  value.source = given_in_python;
  return value;
}

std::vector<Override> to_overrides(const py::list& items) {
  std::vector<Override> overrides;
  for (const py::handle item : items) {
    if (py::isinstance<py::str>(item)) {
      overrides.push_back(parse_override(item.cast<std::string>()));
    } else {
      const auto [path, value] = item.cast<std::pair<std::string, py::object>>();
      overrides.emplace_back(path, to_value(value));
    }
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
