// SPDX-License-Identifier: Apache-2.0
// Binds GuestSession. The Python package starts the guest's kernel and speaks with its init over the console.
#include "guest.h"

#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>

#include "conversion.h"
#include "interruptible.h"
#include "platform/simulation/guest_session.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace pybind11::literals;

void bind_guest(py::module_& m) {
  py::class_<GuestSession>(m, "GuestSession", py::release_gil_before_calling_cpp_dtor())
      .def(
          py::init([](Simulation& simulation, const std::string& time, const std::string& pci,
                      const std::string& console, std::uint64_t time_of_day_s) {
            return std::make_unique<GuestSession>(simulation, GuestSession::Sockets{time, pci, console}, time_of_day_s);
          }),
          "simulation"_a, "time"_a, "pci"_a, "console"_a, "time_of_day_s"_a)
      .def(
          "run",
          [](GuestSession& session, std::optional<std::uint64_t> limit_ns) {
            switch (interruptible([&] { return session.run(limit_ns); })) {
              case GuestSession::End::line: return "line";
              case GuestSession::End::limit: return "limit";
              case GuestSession::End::gone: break;
            }
            return "gone";
          },
          "limit_ns"_a = py::none())
      .def("send", &GuestSession::send, "line"_a)
      .def("take_line", &GuestSession::take_line)
      .def_property_readonly("now_ns", &GuestSession::now_ns)
      .def("counters", [](const GuestSession& session) { return to_object(session.counters()); });
}

}  // namespace nandscape::python
