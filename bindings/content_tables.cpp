// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.h"
#include "content.h"
#include "content_arrays.h"
#include "controller/content/cdber_engine.h"
#include "interruptible.h"
#include "platform/config/configuration.h"
#include "platform/config/content_tables.h"

namespace nandscape::python {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;
using namespace controller;

void bind_tables(py::module_& m) {
  py::class_<CdberEngine>(m, "WriteSpeeds")
      .def_property_readonly("cells", &CdberEngine::cells)
      .def_property_readonly("correctable_ber",
                             [](const CdberEngine& engine) { return engine.speeds().correctable_ber(); })
      .def_property_readonly("steps",
                             [](const CdberEngine& engine) {
                               std::vector<std::pair<double, double>> steps;
                               for (const auto& step : engine.speeds().steps())
                                 steps.emplace_back(step.step_mv, step.program_us);
                               return steps;
                             })
      .def(
          "error_rates",
          [](const CdberEngine& engine, std::uint32_t step) {
            const auto steps = engine.speeds().steps();
            if (step >= steps.size()) throw std::invalid_argument("there is no such step");
            return to_rows(error_rates(steps[step]));
          },
          "step"_a)
      .def(
          "most_weak_cells",
          [](const CdberEngine& engine, std::uint8_t page) {
            std::vector<std::int64_t> most;
            for (std::uint32_t s = 0; s < engine.speeds().steps().size(); ++s) {
              most.push_back(engine.most_weak_cells(static_cast<PairedPage>(page), s));
            }
            return to_array(std::move(most));
          },
          "page"_a)
      .def(
          "relaxed",
          [](const CdberEngine& engine, std::uint8_t page, const Counts& states) {
            return each(states, [&](const StateCounts& s) { return engine.relaxed(static_cast<PairedPage>(page), s); });
          },
          "page"_a, "states"_a)
      .def(
          "optimal",
          [](const CdberEngine& engine, std::uint8_t page, const Counts& states) {
            return each(states, [&](const StateCounts& s) { return engine.exact(static_cast<PairedPage>(page), s); });
          },
          "page"_a, "states"_a)
      .def(
          "fastest_mapping",
          [](const CdberEngine& engine, const Counts& states, bool one_shot) {
            return each(states, [&](const StateCounts& s) { return engine.fastest_mapping(s, one_shot).number(); });
          },
          "states"_a, "one_shot"_a);

  py::class_<SegmentTable>(m, "SegmentTable")
      .def_property_readonly("cells", &SegmentTable::cells)
      .def_property_readonly("codes",
                             [](const SegmentTable& table) {
                               std::vector<std::tuple<std::uint32_t, double, double>> codes;
                               for (const auto& c : table.codes()) {
                                 codes.emplace_back(c.segments, c.correctable_ber, c.decode_us);
                               }
                               return codes;
                             })
      .def_property_readonly("error_rates", [](const SegmentTable& table) { return to_rows(table.errors()); })
      .def(
          "most_weak_cells",
          [](const SegmentTable& table, std::uint8_t page) {
            std::vector<std::int64_t> most;
            for (std::uint32_t c = 0; c < table.codes().size(); ++c) {
              most.push_back(table.most_weak_cells(static_cast<PairedPage>(page), c));
            }
            return to_array(std::move(most));
          },
          "page"_a)
      .def(
          "relaxed",
          [](const SegmentTable& table, std::uint8_t page, const Counts& segments) {
            return each_page(segments, [&](std::span<const StateCounts> s) {
              return table.relaxed(static_cast<PairedPage>(page), s);
            });
          },
          "page"_a, "segments"_a)
      .def(
          "optimal",
          [](const SegmentTable& table, std::uint8_t page, const Counts& segments) {
            return each_page(segments, [&](std::span<const StateCounts> s) {
              return table.optimal(static_cast<PairedPage>(page), s);
            });
          },
          "page"_a, "segments"_a)
      .def(
          "fastest_mapping",
          [](const SegmentTable& table, const Counts& segments) {
            return each_page(segments,
                             [&](std::span<const StateCounts> s) { return table.fastest_mapping(s).number(); });
          },
          "segments"_a);
}

void bind_making(py::module_& m) {
  py::class_<SegmentCode>(m, "SegmentCode")
      .def(py::init([](std::uint32_t segments, std::uint32_t codeword_bits, std::uint32_t user_bits,
                       std::uint32_t correctable, double decode_us) {
             return SegmentCode{segments, {codeword_bits, user_bits, correctable}, decode_us};
           }),
           "segments"_a, "codeword_bits"_a, "user_bits"_a, "correctable"_a, "decode_us"_a)
      .def_readonly("segments", &SegmentCode::segments)
      .def_readonly("decode_us", &SegmentCode::decode_us)
      .def_property_readonly("codeword_bits", [](const SegmentCode& c) { return c.code.codeword_bits; })
      .def_property_readonly("user_bits", [](const SegmentCode& c) { return c.code.user_bits; })
      .def_property_readonly("correctable", [](const SegmentCode& c) { return c.code.correctable; });
  m.def("segment_codes_of_4_kb", &segment_codes_of_4_kb);
  m.def("correctable_ber", &correctable_ber, "code"_a, "page_failure"_a);

  py::class_<ContentTables>(m, "ContentTables")
      .def(py::init([](const Configuration& configuration, double pe_cycles, double months) {
             configuration.require_allowed_plugins();
             return interruptible([&] {
               return std::make_unique<ContentTables>(configuration.parameters.nand, KeptData{pe_cycles, months});
             });
           }),
           "configuration"_a, "pe_cycles"_a, "months"_a)
      .def(
          "error_rates",
          [](const ContentTables& tables, double step_mv) {
            return to_rows(interruptible([&] { return tables.error_rates(step_mv); }));
          },
          "step_mv"_a)
      .def(
          "write_speeds",
          [](const ContentTables& tables, const std::vector<double>& steps_mv, double correctable,
             std::uint32_t cells) {
            return interruptible([&] {
              return std::make_unique<CdberEngine>(
                  std::make_shared<WordlineSpeedTable>(tables.write_speeds(steps_mv, correctable)), cells,
                  ContentBound::relaxed);
            });
          },
          "steps_mv"_a, "correctable_ber"_a, "cells"_a)
      .def(
          "segments",
          [](const ContentTables& tables, const std::vector<SegmentCode>& codes, double page_failure, double step_mv,
             std::uint32_t cells, bool own) {
            const CoveredSegments covered = own ? CoveredSegments::own : CoveredSegments::finest;
            return interruptible([&] { return tables.segments(codes, page_failure, step_mv, cells, covered); });
          },
          "codes"_a, "page_failure"_a, "step_mv"_a, "cells"_a, "own"_a);
}

}  // namespace

void bind_content_tables(py::module_& m) {
  bind_tables(m);
  bind_making(m);
}

}  // namespace nandscape::python
