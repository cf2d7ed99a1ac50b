// SPDX-License-Identifier: Apache-2.0
// The view of a drive's blocks as numpy arrays.
#pragma once

#include <pybind11/pybind11.h>

#include "controller/block_view.h"

namespace nandscape::python {

// Returns the names of the states of a block, in the order of their numbers.
pybind11::tuple block_states();
// Moves the columns of the view into arrays, by their names.
pybind11::dict to_dict(controller::BlockView view);

}  // namespace nandscape::python
