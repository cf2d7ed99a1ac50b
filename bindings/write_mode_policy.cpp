// SPDX-License-Identifier: Apache-2.0
// Adapts nandscape.policies.WriteMode to WriteModePolicy. A Python policy chooses an ISPP step for each page, but no
// write modes for blocks.
#include "controller/writing/write_mode.h"

#include <pybind11/gil_safe_call_once.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "conversion.h"
#include "policies.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace controller;

namespace {

class PythonWriteMode final : public WriteModePolicy {
 public:
  struct Facts {
    explicit Facts(py::handle policy) : type(policy_name(policy)) {}

    std::string type;
  };

  PythonWriteMode(const KeptObject& policy, const Facts& facts, const WriteModeContext& context)
      : facts_(facts),
        policy_(policy, facts.type),
        largest_step_mv_(std::min<double>(context.facts.largest_step_mv, std::numeric_limits<std::uint16_t>::max())) {}

  std::uint16_t step_mv(const PlacedPage& placed) override {
    const InPolicy asked;
    const py::object answer = policy_.ask("step_mv", seen(placed));
    const std::optional<Py_ssize_t> step = integer_in(answer);
    if (!step) {
      throw py::type_error(facts_.type + ".step_mv() returned " + shown(answer) +
                           "; it returns an ISPP step in mV, an int, or 0 for the device's own");
    }
    if (*step >= 0 && static_cast<double>(*step) <= largest_step_mv_) return static_cast<std::uint16_t>(*step);
    throw py::value_error(facts_.type + ".step_mv() returned " + shown(answer) + " mV; steps are 0 to " +
                          std::to_string(static_cast<std::uint32_t>(largest_step_mv_)) + " mV");
  }

 private:
  static py::object seen(const PlacedPage& placed) {
    PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> type;
    const py::object& page =
        type.call_once_and_store_result([] { return py::module_::import("nandscape.policies").attr("PlacedPage"); })
            .get_stored();
    static constexpr std::array<const char*, 3> origins = {"host", "mapping", "migration"};
    return page(placed.type, origins.at(static_cast<std::size_t>(placed.page.origin())), placed.page.write_stream,
                placed.page.block.value);
  }

  const Facts facts_;
  PolicyCopy policy_;
  const double largest_step_mv_;
};

}  // namespace

std::shared_ptr<VariantObject> write_mode_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonWriteMode, WriteModeRegistry>>(policy, write_mode_registry());
}

}  // namespace nandscape::python
