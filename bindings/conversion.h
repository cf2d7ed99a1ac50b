// SPDX-License-Identifier: Apache-2.0
// Values and errors on their way between C++ and Python.
#pragma once

#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/value.h"
#include "platform/config/configuration.h"

namespace nandscape::python {

// Text as a str; bytes that are no UTF-8 (a damaged trace quoted in a message) become replacement characters.
pybind11::str to_str(std::string_view text);

// And the reverse; surrogates that stand for bytes of a file's name become these bytes again.
std::string to_text(pybind11::handle str);

// dict, list, int, float, bool, str or None.
pybind11::object to_object(const Value& value);

// The reverse; takes tuples, other mappings, paths, and numpy's arrays and scalars too. Throws TypeError for what a
// configuration cannot hold, and ConfigError for an integer of more than 64 bits.
Value to_value(pybind11::handle object);

// JSON text of such a tree, which may be as large as the result of a run.
std::string to_json(pybind11::handle tree);

// Overrides in their order: pairs of a path and a value, or text as the command line takes it, "key=value".
std::vector<Override> to_overrides(const pybind11::list& items);

// Makes the C++ errors arrive as the classes of nandscape.errors.
void translate_errors();

}  // namespace nandscape::python
