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

// Converts UTF-8 text to a str. Invalid bytes, for example of a damaged trace quoted in a message, become replacement
// characters.
pybind11::str to_str(std::string_view text);

// Converts a file path, which may hold any bytes. to_text() restores those bytes.
pybind11::str to_path(std::string_view path);

// The repr of an object for a message, cut to about 100 bytes.
std::string shown(pybind11::handle object);

// Converts a str to UTF-8. Surrogates that stand for bytes of a file name become these bytes again.
std::string to_text(pybind11::handle str);

// Converts to dict, list, int, float, bool, str or None.
pybind11::object to_object(const Value& value);

// Converts a Python object to a Value. Also takes tuples, other mappings, paths, and numpy arrays and scalars. Throws
// TypeError for any other type, and ConfigError for an integer that does not fit int64. Policies (nandscape.policies)
// are added to `objects` under their path, and their names to the tree. Without `objects`, a policy raises TypeError.
Value to_value(pybind11::handle object, VariantObjects* objects = nullptr);

// Converts a Python tree to JSON text. It may have more values than to_value() allows: enough for the result of a run.
std::string to_json(pybind11::handle tree);

// Converts overrides, in order: pairs of a path and a value, or "key=value" as on the command line.
// Policies among the values are added to `objects`.
std::vector<Override> to_overrides(const pybind11::list& items, VariantObjects& objects);

// Registers the translation of C++ errors to the classes of nandscape.errors.
void translate_errors();

}  // namespace nandscape::python
