// SPDX-License-Identifier: Apache-2.0
// Conversion of C++ vectors to numpy arrays.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace nandscape::python {

// Moves the vector into an array without copying its elements.
template <class T>
pybind11::array_t<T> to_array(std::vector<T> values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  const T* const data = owned->data();
  const auto size = static_cast<pybind11::ssize_t>(owned->size());
  const pybind11::capsule owner(owned.release(), [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return pybind11::array_t<T>(size, data, owner);
}

// Returns an array with the shape of `like` and the elements of `values`, in C order (the last index varies fastest).
template <class T, class Like>
pybind11::array_t<T> in_shape_of(const Like& like, std::vector<T> values) {
  const std::vector<std::ptrdiff_t> shape(like.shape(), like.shape() + like.ndim());
  return to_array(std::move(values)).reshape(shape);
}

}  // namespace nandscape::python
