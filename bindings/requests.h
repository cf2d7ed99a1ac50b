// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include "host/workloads/given/request_supply.h"

namespace nandscape::python {

// Binds requests given in Python: arrays of requests, and callables that generate them.
void bind_requests_given(pybind11::module_& m);

// Converts a dict whose values are RequestColumns or factories. A factory is called with a bool that says whether
// requests have times, and returns a callable that begins with the first request. Each call of this callable returns
// RequestColumns, or one request (operation, offset_bytes, size_bytes, fua, time in ticks), or None at the end.
host::RequestSupplies to_supplies(const pybind11::dict& given);

}  // namespace nandscape::python
