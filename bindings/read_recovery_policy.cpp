// SPDX-License-Identifier: Apache-2.0
// Adapts nandscape.policies.ReadRecovery to ReadRecoveryPolicy.
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
          locks_die(flag_of(policy, "locks_die")),
          pipelines(flag_of(policy, "pipelines")),
          adapts_timing(flag_of(policy, "adapts_timing")),
          reads_soft(flag_of(policy, "reads_soft")),
          learns(flag_of(policy, "learns")) {
      if (!locks_die && (pipelines || adapts_timing)) {
        throw py::value_error(type +
                              ": pipelines and adapts_timing need retries that lock their die; "
                              "set locks_die, too");
      }
      if (locks_die && learns) {
        throw py::value_error(
            type +
            ": learns needs retries that wait for the result of the previous read, and retries that lock "
            "their die do not; leave locks_die off");
      }
    }

    std::string type;
    bool locks_die;
    bool pipelines;
    bool adapts_timing;
    bool reads_soft;
    bool learns;
  };

  PythonReadRecovery(const KeptObject& policy, const Facts& facts) : facts_(facts), policy_(policy, facts.type) {}

  std::optional<ReadStep> step(const StepOrder& order, unsigned n) const override {
    if (facts_.learns) return step_after(order, std::vector<std::uint16_t>(n, errors_not_known));
    const InPolicy asked;
    return read_step(policy_.ask("step", steps_of(order), py::int_(n)), order, n);
  }
  bool learns() const override { return facts_.learns; }
  std::optional<ReadStep> step_after(const StepOrder& order, std::span<const std::uint16_t> errors) const override {
    const InPolicy asked;
    py::tuple found(errors.size());
    for (std::size_t n = 0; n < errors.size(); ++n) {
      found[n] = errors[n] == errors_not_known ? py::object(py::none()) : py::object(py::int_(errors[n]));
    }
    return read_step(policy_.ask("step_after", steps_of(order), found), order, errors.size());
  }

  bool locks_die() const override { return facts_.locks_die; }
  bool pipelines() const override { return facts_.pipelines; }
  bool adapts_timing() const override { return facts_.adapts_timing; }
  bool reads_soft() const override { return facts_.reads_soft; }

 private:
  // Converts the policy's answer for a page that was read `reads` times.
  std::optional<ReadStep> read_step(const py::object& answer, const StepOrder& order, std::size_t reads) const {
    if (answer.is_none()) return std::nullopt;
    // Twice each step at each number of sensing levels.
    const std::size_t most_reads = std::size_t{2} * order.size() * most_sensing_levels;
    if (reads >= most_reads) {
      throw py::value_error(method() + " returned " + shown(answer) + " for a page that has been read " +
                            std::to_string(reads) + " times; it returns None to give up");
    }
    if (PyIndex_Check(answer.ptr()) != 0) return ReadStep{.retry_step = retry_step(answer, order)};
    if (PyTuple_Check(answer.ptr()) == 0 || PyTuple_GET_SIZE(answer.ptr()) != 4) {
      throw py::type_error(method() + " returned " + shown(answer) +
                           "; it returns the number of a step, a ReadStep, or None");
    }
    const auto fields = py::reinterpret_borrow<py::tuple>(answer);
    return ReadStep{.retry_step = retry_step(fields[0], order),
                    .sensing_levels = sensing_levels(fields[1]),
                    .adds_senses = truth(fields[2]),
                    .searches = truth(fields[3])};
  }

  std::string method() const { return facts_.type + (facts_.learns ? ".step_after()" : ".step()"); }

  // The order as a tuple. The retry table is constant, so there is one order per first step.
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
    throw py::value_error(method() + " returned step " + shown(answer) + "; the retry table has the steps 0 to " +
                          std::to_string(order.size() - 1));
  }

  std::uint8_t sensing_levels(py::handle answer) const {
    const Py_ssize_t levels = number(answer);
    if (levels == 1 || (facts_.reads_soft && levels >= 1 && levels <= static_cast<Py_ssize_t>(most_sensing_levels))) {
      return static_cast<std::uint8_t>(levels);
    }
    throw py::value_error(method() + " returned " + shown(answer) + " sensing levels; there are " +
                          (facts_.reads_soft ? "1 to " + std::to_string(most_sensing_levels)
                                             : "more than 1 only where reads_soft is set"));
  }

  Py_ssize_t number(py::handle answer) const {
    if (const std::optional<Py_ssize_t> value = integer_in(answer)) return *value;
    throw py::type_error(method() + " returned a ReadStep with " + shown(answer) + ", which is not an int");
  }

  bool truth(py::handle answer) const {
    if (const std::optional<bool> value = truth_in(answer)) return *value;
    throw py::type_error(method() + " returned a ReadStep with " + shown(answer) + ", which is not True or False");
  }

  const Facts facts_;
  mutable PolicyCopy policy_;
  mutable std::vector<KeptObject> orders_;  // by first step
};

}  // namespace

std::shared_ptr<VariantObject> read_recovery_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonReadRecovery, ReadRecoveryRegistry>>(policy, read_recovery_registry());
}

}  // namespace nandscape::python
