// SPDX-License-Identifier: Apache-2.0
// Conversion between numpy arrays and the state counts of controller/content: rows of four numbers, one per cell state.
#pragma once

#include <pybind11/numpy.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "arrays.h"
#include "controller/content/cdber.h"
#include "interruptible.h"

namespace nandscape::python {

template <class T>
using Array = pybind11::array_t<T, pybind11::array::c_style | pybind11::array::forcecast>;
using Counts = Array<std::uint32_t>;

// Converts rows of four counts, one count per cell state. Throws std::invalid_argument if the last dimension is not 4.
inline std::vector<controller::StateCounts> states_of(const Counts& array) {
  if (array.ndim() == 0 || array.shape(array.ndim() - 1) != controller::cell_states) {
    throw std::invalid_argument("counts of states are rows of four: 11, 10, 01, 00");
  }
  std::vector<controller::StateCounts> states(static_cast<std::size_t>(array.size()) / controller::cell_states);
  for (std::size_t row = 0; row < states.size(); ++row) {
    std::copy_n(array.data() + row * controller::cell_states, controller::cell_states, states[row].of.begin());
  }
  return states;
}

template <class States>
auto rows_of(const std::vector<States>& states) {
  std::vector<typename decltype(States::of)::value_type> numbers;
  numbers.reserve(states.size() * controller::cell_states);
  for (const States& s : states) numbers.insert(numbers.end(), s.of.begin(), s.of.end());
  return to_array(std::move(numbers))
      .reshape({static_cast<pybind11::ssize_t>(states.size()), pybind11::ssize_t{controller::cell_states}});
}

// Returns an array of shape (4, 2) with one row per cell state: the error rates of the state to the left (column 0) and
// to the right (column 1).
inline Array<double> to_rows(const controller::StateErrorRates& rates) {
  std::vector<double> numbers;
  for (std::size_t s = 0; s < controller::cell_states; ++s)
    numbers.insert(numbers.end(), {rates.left.of[s], rates.right.of[s]});
  return to_array(std::move(numbers)).reshape({pybind11::ssize_t{controller::cell_states}, pybind11::ssize_t{2}});
}

// Calls `function` with each row of counts and returns an array of the results.
template <class Function>
auto each(const Counts& array, Function function) {
  const std::vector<controller::StateCounts> states = states_of(array);
  std::vector<decltype(function(states.front()))> results;
  results.reserve(states.size());
  interruptible([&] {
    for (const controller::StateCounts& s : states) results.push_back(function(s));
  });
  return to_array(std::move(results));
}

// Calls `function` with the segments of each page. `array` has the shape (pages, segments, 4).
template <class Function>
auto each_page(const Counts& array, Function function) {
  if (array.ndim() != 3 || array.shape(1) == 0) {
    throw std::invalid_argument("counts of segments have the shape (pages, segments, 4)");
  }
  const std::vector<controller::StateCounts> states = states_of(array);
  const auto of_page = static_cast<std::size_t>(array.shape(1));
  std::vector<decltype(function(std::span(states)))> results;
  interruptible([&] {
    for (std::size_t first = 0; first < states.size(); first += of_page) {
      results.push_back(function(std::span(states).subspan(first, of_page)));
    }
  });
  return to_array(std::move(results));
}

}  // namespace nandscape::python
