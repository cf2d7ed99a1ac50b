// SPDX-License-Identifier: Apache-2.0
#include "cells.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "arrays.h"
#include "interruptible.h"
#include "platform/studies/cell_study.h"

namespace nandscape::python {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;
using Voltages = py::array_t<double, py::array::c_style | py::array::forcecast>;

template <class T>
py::array_t<T> to_rows(const std::vector<std::vector<T>>& rows) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  py::array_t<T> array({rows.size(), columns});
  auto at = array.template mutable_unchecked<2>();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      at(static_cast<py::ssize_t>(r), static_cast<py::ssize_t>(c)) = rows[r][c];
    }
  }
  return array;
}

// Wraps a member function of CellStudy that computes one value per voltage. The wrapper returns an array with the shape
// of the array of voltages.
using OfVoltages = std::vector<double> (CellStudy::*)(std::uint32_t, std::span<const double>,
                                                      const WordlineCondition&) const;
auto of_voltages(OfVoltages function) {
  return [function](const CellStudy& study, std::uint32_t state, const Voltages& voltages, const WordlineCondition& w) {
    const std::span<const double> all(voltages.data(), static_cast<std::size_t>(voltages.size()));
    return in_shape_of(voltages, interruptible([&] { return (study.*function)(state, all, w); }));
  };
}

py::array_t<bool> state_bits(const CellStudy& study) {
  const nand::Coding& coding = study.coding();
  py::array_t<bool> bits({coding.states(), coding.pages()});
  auto at = bits.mutable_unchecked<2>();
  for (std::uint32_t s = 0; s < coding.states(); ++s) {
    for (std::uint32_t p = 0; p < coding.pages(); ++p) at(s, p) = coding.bit(s, p);
  }
  return bits;
}

py::array_t<double> state_errors(const CellStudy& study, const WordlineCondition& w, std::uint32_t retry_step) {
  std::vector<std::vector<double>> rows;
  for (const StateErrors& e : interruptible([&] { return study.state_errors(w, retry_step); }))
    rows.push_back({e.lower, e.higher});
  return to_rows(rows);
}

// Returns a tuple of five arrays and a number. The arrays have one element for each region between the sensed levels:
// lower end, upper end, probability if the bit is 0, probability if it is 1, and LLR. The number is the mutual
// information of all regions.
py::tuple soft_regions(const CellStudy& study, std::uint32_t page, const WordlineCondition& w, std::uint32_t retry_step,
                       std::uint32_t levels_per_vref, double spacing_mv) {
  const auto regions =
      interruptible([&] { return study.soft_regions(page, w, retry_step, levels_per_vref, spacing_mv); });
  const auto column = [&](double nand::SoftRegion::*member) {
    std::vector<double> values;
    values.reserve(regions.size());
    for (const nand::SoftRegion& region : regions) values.push_back(region.*member);
    return to_array(std::move(values));
  };
  return py::make_tuple(column(&nand::SoftRegion::from_mv), column(&nand::SoftRegion::to_mv),
                        column(&nand::SoftRegion::probability_if_zero), column(&nand::SoftRegion::probability_if_one),
                        column(&nand::SoftRegion::llr), nand::mutual_information(regions));
}

double soft_spacing_mv(const CellStudy& study, std::uint32_t page, const WordlineCondition& w,
                       std::uint32_t sensing_levels) {
  return interruptible([&] { return study.soft_spacing_mv(page, w, sensing_levels); });
}

py::tuple program(const CellStudy& study, double step_mv) {
  const nand::IsppResult result = interruptible([&] { return study.program(step_mv); });
  return py::make_tuple(result.pulses, result.verifies, study.latency_us(result));
}

py::tuple program_trace(const CellStudy& study, double step_mv, std::uint64_t seed, std::uint32_t cells) {
  ProgramTrace trace = interruptible([&] { return study.program_trace(step_mv, seed, cells); });
  std::vector<std::vector<double>> means, finished;
  for (nand::IsppTracePoint& point : trace.pulses) {
    means.push_back(std::move(point.mean_mv));
    finished.push_back(std::move(point.finished));
  }
  return py::make_tuple(trace.result.verifies, to_rows(means), to_rows(finished), to_array(trace.cells.vth_mv),
                        to_array(trace.cells.state));
}

py::tuple sample(const CellStudy& study, const WordlineCondition& w, std::uint64_t seed, std::uint32_t cells) {
  CellSample sample = interruptible([&] { return study.sample(w, seed, cells); });
  return py::make_tuple(to_array(std::move(sample.vth_mv)), to_array(std::move(sample.state)));
}

}  // namespace

void bind_cells(py::module_& m) {
  py::class_<WordlineCondition>(m, "WordlineCondition")
      .def(py::init<double, double, double, double, double, std::optional<std::uint32_t>>(), "pe_cycles"_a, "months"_a,
           "block_reads"_a, "temperature_c"_a, "step_mv"_a, "layer"_a);

  py::class_<nand::Population>(m, "Population")
      .def_property_readonly("retry_steps", [](const nand::Population& p) { return to_array(p.retry_steps()); })
      .def_property_readonly("mean_retry_steps", &nand::Population::mean_retry_steps)
      .def_property_readonly(
          "layer_error_rates",
          [](const nand::Population& p) { return to_array(interruptible([&] { return p.layer_error_rates(); })); })
      .def(
          "most_errors",
          [](const nand::Population& p, double t_pre_us, double t_eval_us, double t_disch_us, double pages) {
            return interruptible([&] { return p.most_errors({t_pre_us, t_eval_us, t_disch_us}, pages); });
          },
          "t_pre_us"_a, "t_eval_us"_a, "t_disch_us"_a, "pages"_a);

  py::class_<CellStudy>(m, "CellStudy")
      .def(py::init([](const Configuration& configuration) {
             return interruptible([&] { return std::make_unique<CellStudy>(configuration); });
           }),
           "configuration"_a)
      .def_property_readonly("state_bits", &state_bits)
      .def(
          "senses", [](const CellStudy& s, std::uint32_t valid) { return to_array(s.senses(valid)); }, "valid_pages"_a)
      .def(
          "merged_states", [](const CellStudy& s, std::uint32_t valid) { return to_array(s.merged_states(valid)); },
          "valid_pages"_a)
      .def("vth_density", of_voltages(&CellStudy::vth_density), "state"_a, "voltages_mv"_a, "wordline"_a)
      .def("vth_below", of_voltages(&CellStudy::vth_below), "state"_a, "voltages_mv"_a, "wordline"_a)
      .def(
          "levels",
          [](const CellStudy& s, const WordlineCondition& w, std::uint32_t retry_step) {
            return to_array(interruptible([&] { return s.levels(w, retry_step); }));
          },
          "wordline"_a, "retry_step"_a)
      .def("state_errors", &state_errors, "wordline"_a, "retry_step"_a)
      .def(
          "rber",
          [](const CellStudy& s, std::uint32_t page, const WordlineCondition& w, std::uint32_t retry_step) {
            return interruptible([&] { return s.rber(page, w, retry_step); });
          },
          "page"_a, "wordline"_a, "retry_step"_a)
      .def("soft_spacing_mv", &soft_spacing_mv, "page"_a, "wordline"_a, "sensing_levels"_a)
      .def("soft_regions", &soft_regions, "page"_a, "wordline"_a, "retry_step"_a, "levels_per_vref"_a, "spacing_mv"_a)
      .def(
          "population",
          [](const CellStudy& s, const WordlineCondition& w, std::uint32_t correctable, std::uint32_t codeword_bits,
             std::uint32_t codewords_per_page) {
            return interruptible([&] {
              return std::make_unique<nand::Population>(
                  s.population(w, {codeword_bits, codewords_per_page, correctable}));
            });
          },
          "wordline"_a, "correctable"_a, "codeword_bits"_a, "codewords_per_page"_a, py::keep_alive<0, 1>())
      .def(
          "verify_levels", [](const CellStudy& s, double step_mv) { return to_array(s.ispp(step_mv).verify_mv); },
          "step_mv"_a)
      .def("program", &program, "step_mv"_a)
      .def("program_trace", &program_trace, "step_mv"_a, "seed"_a, "cells"_a)
      .def("sample", &sample, "wordline"_a, "seed"_a, "cells"_a);
}

}  // namespace nandscape::python
