// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace nandscape::python {

// Writing by content: counts of states, profiles of files, error rates, tables, mappings; on arrays of many pages.
void bind_content(pybind11::module_& m);
// Part of it: tables of write speeds and of segments, and how they are made.
void bind_content_tables(pybind11::module_& m);

}  // namespace nandscape::python
