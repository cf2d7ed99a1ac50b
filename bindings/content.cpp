// SPDX-License-Identifier: Apache-2.0
#include "content.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.h"
#include "content_arrays.h"
#include "controller/content/cell_states.h"
#include "controller/content/content_profile.h"
#include "controller/content/state_mapping.h"
#include "interruptible.h"

namespace nandscape::python {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;
using namespace controller;

using Bytes = Array<std::uint8_t>;

std::span<const std::byte> bytes_of(const Bytes& array) {
  return std::as_bytes(std::span(array.data(), static_cast<std::size_t>(array.size())));
}

void check_parts(std::span<const std::byte> bytes, std::uint32_t parts) {
  if (parts == 0 || parts > bytes.size() || bytes.size() % parts != 0) {
    throw std::invalid_argument("a page is a whole number of segments");
  }
}

void bind_counts(py::module_& m) {
  m.def(
      "count_states",
      [](const Bytes& lsb, const Bytes& msb, std::uint32_t parts) {
        check_parts(bytes_of(lsb), parts);
        std::vector<StateCounts> counts(parts);
        interruptible([&] { count_segments(bytes_of(lsb), bytes_of(msb), counts); });
        return rows_of(counts);
      },
      "lsb"_a, "msb"_a, "parts"_a);
  m.def(
      "count_symbols",
      [](const Bytes& bytes, std::uint32_t parts) {
        const auto all = bytes_of(bytes);
        check_parts(all, parts);
        std::vector<StateCounts> counts(parts);
        const std::size_t size = all.size() / parts;
        interruptible([&] {
          for (std::size_t p = 0; p < parts; ++p) counts[p] = count_symbols(all.subspan(p * size, size));
        });
        return rows_of(counts);
      },
      "bytes"_a, "parts"_a);
}

void bind_profiles(py::module_& m) {
  m.def("list_content_kinds", [] {
    std::vector<std::pair<std::string, std::string>> kinds;
    for (const Choice& kind : content_kinds()) kinds.emplace_back(kind.name, kind.meaning);
    return kinds;
  });
  py::class_<ContentProfile>(m, "ContentProfile")
      .def(py::init([](std::uint8_t kind, double of_pages, double of_segments) {
             return ContentProfile(static_cast<ContentKind>(kind), {of_pages, of_segments});
           }),
           "kind"_a, "of_pages"_a, "of_segments"_a)
      .def("pages",
           [](const ContentProfile& profile, const Array<std::uint64_t>& keys) {
             std::vector<StateShares> shares;
             for (py::ssize_t k = 0; k < keys.size(); ++k) shares.push_back(profile.page(keys.data()[k]));
             return rows_of(shares);
           })
      .def("segments", [](const ContentProfile& profile, const Array<std::uint64_t>& keys, std::uint32_t number) {
        std::vector<StateShares> shares(static_cast<std::size_t>(keys.size()) * number);
        for (std::size_t k = 0; k < static_cast<std::size_t>(keys.size()); ++k) {
          profile.segments(keys.data()[k], std::span(shares).subspan(k * number, number));
        }
        return rows_of(shares).reshape({keys.size(), static_cast<py::ssize_t>(number), py::ssize_t{cell_states}});
      });
  m.def("mean_shares", [](std::uint8_t kind) {
    return to_array(std::vector(mean_shares(static_cast<ContentKind>(kind)).of.begin(),
                                mean_shares(static_cast<ContentKind>(kind)).of.end()));
  });
  m.def("counts_of_shares", [](const Array<double>& shares, std::uint32_t cells) {
    if (shares.ndim() == 0 || shares.shape(shares.ndim() - 1) != cell_states) {
      throw std::invalid_argument("shares of states are rows of four: 11, 10, 01, 00");
    }
    std::vector<StateCounts> counts(static_cast<std::size_t>(shares.size()) / cell_states);
    for (std::size_t row = 0; row < counts.size(); ++row) {
      StateShares of_row;
      std::copy_n(shares.data() + row * cell_states, cell_states, of_row.of.begin());
      counts[row] = counts_of(of_row, cells);
    }
    return rows_of(counts).reshape(std::vector<py::ssize_t>(shares.shape(), shares.shape() + shares.ndim()));
  });
}

void bind_mapping(py::module_& m) {
  m.def("state_mappings", [] {
    std::vector<std::uint8_t> rows;
    for (std::uint8_t number = 0; number < StateMapping::mappings; ++number) {
      for (std::uint8_t s = 0; s < cell_states; ++s) {
        rows.push_back(static_cast<std::uint8_t>(StateMapping(number)(static_cast<CellState>(s))));
      }
    }
    return to_array(std::move(rows)).reshape({py::ssize_t{StateMapping::mappings}, py::ssize_t{cell_states}});
  });
}

}  // namespace

void bind_content(py::module_& m) {
  bind_counts(m);
  bind_profiles(m);
  bind_mapping(m);
  bind_content_tables(m);
}

}  // namespace nandscape::python
