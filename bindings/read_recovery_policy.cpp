// SPDX-License-Identifier: Apache-2.0
// nandscape.policies.ReadRecovery as a ReadRecoveryPolicy.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "controller/reading/read_recovery.h"
#include "conversion.h"
#include "policies.h"
#include "protocol/sensing_levels.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace controller;

namespace {

class PythonReadRecovery final : public ReadRecoveryPolicy {
 public:
  struct Facts {
    explicit Facts(py::handle policy)
        : type(policy_name(policy)),
          locks_die(py::bool_(policy.attr("locks_die"))),
          pipelines(py::bool_(policy.attr("pipelines"))),
          adapts_timing(py::bool_(policy.attr("adapts_timing"))),
          reads_soft(py::bool_(policy.attr("reads_soft"))) {
      if (!locks_die && (pipelines || adapts_timing)) {
        throw py::value_error(type +
                              ": pipelines and adapts_timing are for retries that have their die to themselves; "
                              "set locks_die, too");
      }
    }

    std::string type;
    bool locks_die;
    bool pipelines;
    bool adapts_timing;
    bool reads_soft;
  };

  PythonReadRecovery(const KeptObject& policy, const Facts& facts) : facts_(facts), policy_(policy) {}

  std::optional<ReadStep> step(const StepOrder& order, unsigned n) const override {
    const InPolicy asked;
    const py::object answer = policy_.ask("step", steps_of(order), py::int_(n));
    if (answer.is_none()) return std::nullopt;
    // numpy's integers are numbers of steps, too.
    if (PyIndex_Check(answer.ptr()) != 0) return ReadStep{.retry_step = retry_step(answer, order)};
    if (PyTuple_Check(answer.ptr()) == 0 || PyTuple_GET_SIZE(answer.ptr()) != 3) {
      throw py::type_error(facts_.type + ".step() returned " + shown(answer) +
                           "; it returns the number of a step, a ReadStep, or None");
    }
    const auto fields = py::reinterpret_borrow<py::tuple>(answer);
    return ReadStep{.retry_step = retry_step(fields[0], order),
                    .sensing_levels = sensing_levels(fields[1]),
                    .adds_senses = py::bool_(fields[2])};
  }

  bool locks_die() const override { return facts_.locks_die; }
  bool pipelines() const override { return facts_.pipelines; }
  bool adapts_timing() const override { return facts_.adapts_timing; }
  bool reads_soft() const override { return facts_.reads_soft; }

 private:
  // The order as a tuple. There are as many as first steps, since the retry table stays.
  py::handle steps_of(const StepOrder& order) const {
    const std::uint8_t first = order[0];
    if (orders_.size() <= first) orders_.resize(first + std::size_t{1});
    KeptObject& known = orders_[first];
    if (known == nullptr || py::len(*known) != order.size()) {
      py::tuple steps(order.size());
      for (unsigned n = 0; n < order.size(); ++n) steps[n] = py::int_(order[n]);
      known = kept(std::move(steps));
    }
    return *known;
  }

  std::uint8_t retry_step(py::handle answer, const StepOrder& order) const {
    const Py_ssize_t step = number(answer);
    if (step >= 0 && step < static_cast<Py_ssize_t>(order.size())) return static_cast<std::uint8_t>(step);
    throw py::value_error(facts_.type + ".step() returned step " + shown(answer) +
                          "; the retry table has the steps 0 to " + std::to_string(order.size() - 1));
  }

  std::uint8_t sensing_levels(py::handle answer) const {
    const Py_ssize_t levels = number(answer);
    if (levels == 1 || (facts_.reads_soft && levels >= 1 && levels <= static_cast<Py_ssize_t>(most_sensing_levels))) {
      return static_cast<std::uint8_t>(levels);
    }
    throw py::value_error(facts_.type + ".step() returned " + shown(answer) + " sensing levels; there are " +
                          (facts_.reads_soft ? "1 to " + std::to_string(most_sensing_levels)
                                             : "more than 1 only where reads_soft is set"));
  }

  // Of an integer; the nearest of its type for one that is far out of range.
  Py_ssize_t number(py::handle answer) const {
    if (PyIndex_Check(answer.ptr()) == 0) {
      throw py::type_error(facts_.type + ".step() returned a ReadStep with " + shown(answer) + ", which is no int");
    }
    const Py_ssize_t value = PyNumber_AsSsize_t(answer.ptr(), nullptr);
    if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return value;
  }

  const Facts facts_;
  mutable PolicyCopy policy_;
  mutable std::vector<KeptObject> orders_;  // by their first step
};

}  // namespace

std::shared_ptr<VariantObject> read_recovery_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonReadRecovery, ReadRecoveryRegistry>>(policy, read_recovery_registry());
}

}  // namespace nandscape::python
