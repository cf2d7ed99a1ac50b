// SPDX-License-Identifier: Apache-2.0
// Shared ownership of a Python object by C++. The object may be released on any thread, since the release acquires the
// GIL.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <utility>

#include "interruptible.h"

namespace nandscape::python {

using KeptObject = std::shared_ptr<const pybind11::object>;

inline KeptObject kept(pybind11::object object) {
  return {new pybind11::object(std::move(object)), [](const pybind11::object* held) {
            const WayIntoPython way;
            const pybind11::gil_scoped_acquire acquired;
            delete held;
          }};
}

}  // namespace nandscape::python
