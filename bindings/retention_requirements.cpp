// SPDX-License-Identifier: Apache-2.0
#include "retention_requirements.h"

#include <cstdint>
#include <vector>

#include "arrays.h"
#include "conversion.h"
#include "interruptible.h"
#include "platform/config/parameter_reader.h"
#include "platform/studies/retention_requirements/trace_requirements.h"

namespace nandscape::python {
namespace {

namespace py = pybind11;
using namespace pybind11::literals;

TraceRequirements study(const py::dict& trace, std::uint64_t skip_ns, std::uint64_t capacity_sectors) {
  host::TraceFile file;
  read_parameters(to_value(trace), file);
  return interruptible([&] { return study_requirements(file, skip_ns, capacity_sectors); });
}

std::vector<std::uint64_t> within(const TraceRequirements& requirements) {
  const auto& marks = requirements.requirements.within();
  return {marks.begin(), marks.end()};
}

}  // namespace

void bind_retention_requirements(py::module_& m) {
  py::class_<TraceRequirements>(m, "TraceRequirements")
      .def_readonly("writes", &TraceRequirements::writes)
      .def_readonly("written_sectors", &TraceRequirements::written_sectors)
      .def_readonly("distinct_sectors", &TraceRequirements::distinct_sectors)
      .def_readonly("capacity_sectors", &TraceRequirements::capacity_sectors)
      .def_readonly("span_ns", &TraceRequirements::span_ns)
      .def_readonly("reordered", &TraceRequirements::reordered)
      .def_readonly("extents", &TraceRequirements::extents)
      .def_property_readonly("within", [](const TraceRequirements& r) { return to_array(within(r)); })
      .def_property_readonly("bins", [](const TraceRequirements& r) { return to_array(r.requirements.bins()); });
  m.def("retention_edges_ns", [] { return to_array(RequirementHistogram::edges_ns()); });
  m.def("study_requirements", &study, "trace"_a, "skip_ns"_a, "capacity_sectors"_a);
}

}  // namespace nandscape::python
