// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

#include "host/workloads/given/request_supply.h"

namespace nandscape::python {

// Requests that Python gives: arrays of them, and callables that make one after another.
void bind_requests_given(pybind11::module_& m);

// Of a dict of names: RequestColumns, or callables that begin anew, of one argument: whether requests have times.
// Such a one returns a callable, which returns the next request each time: None at the end, RequestColumns, or a tuple
// of operation, offset_bytes, size_bytes, fua and time in ticks.
host::RequestSupplies to_supplies(const pybind11::dict& given);

}  // namespace nandscape::python
