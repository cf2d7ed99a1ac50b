// SPDX-License-Identifier: Apache-2.0
#include "read_timing.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arrays.h"
#include "interruptible.h"
#include "platform/config/read_timing_tables.h"
#include "platform/studies/read_timing_study.h"

namespace nandscape::python {
namespace {

// A study that several threads use at the same time. Setting `called_off` cancels their calls.
struct SharedStudy {
  ReadTimingStudy study;
  std::atomic<bool> called_off = false;
};

namespace py = pybind11;
using namespace pybind11::literals;

auto copied(std::span<const double> (controller::ReadTimingTable::*numbers)() const) {
  return [numbers](const controller::ReadTimingTable& table) {
    const std::span<const double> all = (table.*numbers)();
    return to_array(std::vector<double>(all.begin(), all.end()));
  };
}

py::array_t<std::uint8_t> grid(const controller::ReadTimingTable& table) {
  std::vector<std::uint8_t> reductions;
  for (const controller::ReadTimingTable::Entry& entry : table.entries())
    reductions.push_back(entry.precharge_reduction);
  const auto rows = static_cast<py::ssize_t>(table.pe_cycles().size());
  const auto columns = static_cast<py::ssize_t>(table.retention_months().size());
  return to_array(std::move(reductions)).reshape({rows, columns});
}

void bind_tables(py::module_& m) {
  py::class_<controller::ReadTimingTable>(m, "ReadTimingTable")
      .def_property_readonly("pe_cycles", copied(&controller::ReadTimingTable::pe_cycles))
      .def_property_readonly("retention_months", copied(&controller::ReadTimingTable::retention_months))
      .def_property_readonly("grid", &grid)
      .def("precharge_reduction", &controller::ReadTimingTable::precharge_reduction, "pe_cycles"_a,
           "retention_months"_a);
  m.def(
      "read_timing_table", [](const std::string& name_or_path) { return load_read_timing_table(name_or_path); },
      "name_or_path"_a);
  m.def("list_read_timing_tables", &list_read_timing_tables);
  m.def(
      "set_read_timing_table_folder", [](const std::string& folder) { set_read_timing_table_folder(folder); },
      "folder"_a);
}

void bind_study(py::module_& m) {
  py::class_<ReadTimingGoal>(m, "ReadTimingGoal")
      .def(py::init<std::uint32_t, std::uint32_t, double, double, std::uint32_t>(), "correctable"_a, "margin"_a,
           "pages"_a, "temperature_c"_a, "parts"_a);
  py::class_<SharedStudy>(m, "ReadTimingStudy")
      .def(py::init([](const Configuration& configuration, const ReadTimingGoal& goal, std::uint32_t blocks) {
             return interruptible([&] { return new SharedStudy{{configuration, goal, blocks}}; });
           }),
           "configuration"_a, "goal"_a, "blocks"_a)
      .def_property_readonly("sampled_pages", [](const SharedStudy& s) { return s.study.sampled_pages(); })
      .def(
          "precharge_reduction",
          [](const SharedStudy& s, std::uint32_t pe_cycles, double months) {
            return interruptible([&] { return s.study.precharge_reduction(pe_cycles, months); }, &s.called_off);
          },
          "pe_cycles"_a, "months"_a)
      .def("call_off", [](SharedStudy& s) { s.called_off = true; });
  m.def("guaranteed_correctable", &guaranteed_correctable, "configuration"_a);
}

}  // namespace

void bind_read_timing(py::module_& m) {
  bind_tables(m);
  bind_study(m);
}

}  // namespace nandscape::python
