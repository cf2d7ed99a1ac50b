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

// The path of a file, whose bytes may be any; to_text() takes it back.
pybind11::str to_path(std::string_view path);

// What a message shows of an object: its repr, cut.
std::string shown(pybind11::handle object);

// And the reverse of to_str(); surrogates that stand for bytes of a file's name become these bytes again.
std::string to_text(pybind11::handle str);

// dict, list, int, float, bool, str or None.
pybind11::object to_object(const Value& value);

// The reverse; takes tuples, other mappings, paths, and numpy's arrays and scalars too. Throws TypeError for what a
// configuration cannot hold, and ConfigError for an integer of more than 64 bits.
// Policies (nandscape.policies) go into `objects` under their path, and their names into the tree; without it, they are
// of what cannot be held.
Value to_value(pybind11::handle object, VariantObjects* objects = nullptr);

// JSON text of such a tree, which may be as large as the result of a run.
std::string to_json(pybind11::handle tree);

// Overrides in their order: pairs of a path and a value, or text as the command line takes it, "key=value".
// Policies among their values go into `objects`.
std::vector<Override> to_overrides(const pybind11::list& items, VariantObjects& objects);

// Makes the C++ errors arrive as the classes of nandscape.errors.
void translate_errors();

}  // namespace nandscape::python
