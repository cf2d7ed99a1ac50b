// SPDX-License-Identifier: Apache-2.0
// Adapts nandscape.policies.Refresh to RefreshPolicy.
#include "controller/migration/refresh_policy.h"

#include <pybind11/gil_safe_call_once.h>

#include <memory>
#include <optional>
#include <string>

#include "conversion.h"
#include "policies.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace controller;

namespace {

class PythonRefresh final : public RefreshPolicy {
 public:
  struct Facts {
    explicit Facts(py::handle policy) : type(policy_name(policy)) {}

    std::string type;
  };

  PythonRefresh(const KeptObject& policy, const Facts& facts, const RefreshContext& /*context*/)
      : facts_(facts), policy_(policy, facts.type) {}

  bool due(const BlockAge& block) const override {
    const InPolicy asked;
    const py::object answer = policy_.ask("due", seen(block));
    if (const std::optional<bool> due = truth_in(answer)) return *due;
    throw py::type_error(facts_.type + ".due() returned " + shown(answer) +
                         "; it returns whether the block is due for a rewrite, True or False");
  }

 private:
  static py::object seen(const BlockAge& block) {
    PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> type;
    const py::object& age =
        type.call_once_and_store_result([] { return py::module_::import("nandscape.policies").attr("BlockAge"); })
            .get_stored();
    return age(block.age_hours, block.pe_cycles, block.reads_since_program, block.erases);
  }

  const Facts facts_;
  mutable PolicyCopy policy_;
};

}  // namespace

std::shared_ptr<VariantObject> refresh_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonRefresh, RefreshRegistry>>(policy, refresh_registry());
}

}  // namespace nandscape::python
