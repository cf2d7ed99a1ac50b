// SPDX-License-Identifier: Apache-2.0
// Adapts nandscape.policies.Refresh to RefreshPolicy.
#include "controller/migration/refresh_policy.h"

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
    const py::object answer = policy_.ask("due", seen_age(block));
    if (const std::optional<bool> due = truth_in(answer)) return *due;
    throw py::type_error(facts_.type + ".due() returned " + shown(answer) +
                         "; it returns whether the block is due for a rewrite, True or False");
  }

 private:
  const Facts facts_;
  mutable PolicyCopy policy_;
};

}  // namespace

std::shared_ptr<VariantObject> refresh_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonRefresh, RefreshRegistry>>(policy, refresh_registry());
}

}  // namespace nandscape::python
