// SPDX-License-Identifier: Apache-2.0
// Adapts nandscape.policies.Scheduling to SchedulingPolicy.
#include "controller/flash_ops/scheduler/scheduling_policy.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "conversion.h"
#include "policies.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace controller;

namespace {

class PythonScheduling final : public SchedulingPolicy {
 public:
  struct Facts {
    explicit Facts(py::handle policy) : type(policy_name(policy)) {}

    std::string type;
  };

  PythonScheduling(const KeptObject& policy, const Facts& facts, std::uint32_t /*dies*/)
      : facts_(facts), policy_(policy, facts.type) {}

  std::optional<QueueKind> choose(const DieCandidates& candidates, Tick now) const override {
    const FlashOp* any = nullptr;
    for (const FlashOp* op : candidates.first) any = op != nullptr ? op : any;
    if (any == nullptr) return std::nullopt;
    const InPolicy asked;
    py::tuple waiting(queue_kinds);
    for (std::size_t kind = 0; kind < queue_kinds; ++kind) {
      const FlashOp* op = candidates.first[kind];
      waiting[kind] = op == nullptr ? py::object(py::none()) : py::object(py::int_(now - op->arrival));
    }
    const bool suspended = candidates.suspended != nullptr;
    const py::object answer = policy_.ask("choose", py::int_(any->channel.value), py::int_(any->command.die.value),
                                          waiting, py::bool_(candidates.collection_urgent), py::bool_(suspended));
    if (answer.is_none() && suspended) return std::nullopt;
    return kind_of(answer, candidates);
  }

 private:
  QueueKind kind_of(py::handle answer, const DieCandidates& candidates) const {
    const Py_ssize_t kind = integer_in(answer).value_or(-1);
    if (kind >= 0 && kind < static_cast<Py_ssize_t>(queue_kinds) &&
        candidates.first[static_cast<std::size_t>(kind)] != nullptr) {
      return static_cast<QueueKind>(kind);
    }
    throw py::value_error(facts_.type + ".choose() returned " + shown(answer) +
                          "; it returns a QueueKind with a waiting operation, and None only to resume a suspended one");
  }

  const Facts facts_;
  mutable PolicyCopy policy_;
};

}  // namespace

std::shared_ptr<VariantObject> scheduling_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonScheduling, SchedulingRegistry>>(policy, scheduling_registry());
}

}  // namespace nandscape::python
