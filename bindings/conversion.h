// SPDX-License-Identifier: Apache-2.0
// Conversion of values and errors between C++ and Python.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/value.h"
#include "platform/config/configuration.h"

namespace nandscape::python {

// Converts UTF-8 text to a Python str. Invalid bytes become replacement characters. Such bytes occur, for example, in a
// message that quotes a damaged trace.
pybind11::str to_str(std::string_view text);

// Converts a file path to a Python str. A path may hold any bytes, and to_text() restores the bytes that are not valid
// UTF-8.
pybind11::str to_path(std::string_view path);

// Returns the repr of an object for use in a message, cut to about 100 bytes. If repr() raises an exception, the text
// names the object's type instead.
std::string shown(pybind11::handle object);

// Converts a Python str to UTF-8. Surrogates, which stand for invalid bytes of a file name, become these bytes again.
std::string to_text(pybind11::handle str);

// Converts a Value to a Python dict, list, int, float, bool, str or None.
pybind11::object to_object(const Value& value);

// Converts a Python object to a Value. Also accepts tuples, other mappings, paths, and numpy arrays and scalars. Throws
// TypeError for any other type, and ConfigError for an integer that does not fit int64. A policy (an object of a class
// of nandscape.policies) is added to `objects` under the path of its key, and the tree stores its name. If `objects` is
// null, a policy raises TypeError.
Value to_value(pybind11::handle object, VariantObjects* objects = nullptr);

// Converts a Python tree to JSON text. The tree may have more values than to_value() allows, because results of runs
// are saved in this way.
std::string to_json(pybind11::handle tree);

// Converts a list of overrides and keeps their order. Each is a pair of a path and a value, or a string "key=value" as
// on the command line. Policies among the values are added to `objects`.
std::vector<Override> to_overrides(const pybind11::list& items, VariantObjects& objects);

// Registers the functions that translate C++ errors to the exception classes of nandscape.errors.
void translate_errors();

}  // namespace nandscape::python
