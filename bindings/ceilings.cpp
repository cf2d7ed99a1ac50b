// SPDX-License-Identifier: Apache-2.0
#include "ceilings.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <optional>

#include "controller/capacity.h"
#include "conversion.h"
#include "platform/ceilings/drive_ceilings.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace pybind11::literals;

namespace {

// Returns a tuple of the write amplification, the number of planes that one program fills, and a dict that maps the
// name of each resource to a dict: kind of access -> seconds for which one request occupies the resource.
py::tuple ceilings(const Configuration& configuration, std::uint32_t block_bytes,
                   std::optional<double> write_amplification, bool cached, std::optional<std::uint64_t> range_bytes) {
  const DriveCeilings found =
      drive_ceilings(configuration.parameters, block_bytes, write_amplification, cached, range_bytes);
  py::dict demands;
  for (const ResourceDemand& demand : found.demands) {
    py::dict seconds;
    for (std::size_t kind = 0; kind < access_kinds; ++kind) {
      seconds[access_kind_names[kind]] = demand.seconds[kind];
    }
    demands[to_str(demand.resource)] = seconds;
  }
  return py::make_tuple(found.write_amplification, found.planes_at_once, demands);
}

py::tuple capacity(const Configuration& configuration) {
  const DriveCapacity found = drive_capacity(configuration.parameters);
  return py::make_tuple(found.raw_bytes, found.exported_bytes, found.effective_spare);
}

// Returns a tuple of the number of superblocks that a stream may have open, and the number of planes over which each is
// distributed.
py::tuple superblocks(const Configuration& configuration) {
  const PlatformParameters& p = configuration.parameters;
  const controller::FlashLayout layout = controller::flash_layout(p.controller, geometry_of(p));
  return py::make_tuple(layout.mapping().planes(), layout.member_planes());
}

}  // namespace

void bind_ceilings(py::module_& m) {
  m.def("ceilings", &ceilings, "configuration"_a, "block_bytes"_a, "write_amplification"_a = py::none(),
        "cached"_a = false, "range_bytes"_a = py::none());
  m.def("capacity", &capacity, "configuration"_a);
  m.def("superblocks", &superblocks, "configuration"_a);
}

}  // namespace nandscape::python
