// SPDX-License-Identifier: Apache-2.0
// Adapts nandscape.policies.ReadRecovery to ReadRecoveryPolicy. Only the types of its answers are checked here;
// ReadRecovery checks whether the drive can follow them.
#include <pybind11/gil_safe_call_once.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "controller/reading/read_recovery.h"
#include "conversion.h"
#include "policies.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace controller;

namespace {

// Classes of nandscape.policies.
struct Classes {
  py::object step, attempt, place, age;
};

const Classes& classes() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<Classes> all;
  return all
      .call_once_and_store_result([] {
        const py::module_ policies = py::module_::import("nandscape.policies");
        return Classes{policies.attr("ReadStep"), policies.attr("ReadAttempt"), policies.attr("PagePlace"),
                       policies.attr("BlockAge")};
      })
      .get_stored();
}

class PythonReadRecovery;

// The page that a policy looks at while it is asked. Its parts are made when the policy takes them.
class PageView {
 public:
  py::object order() const;
  py::object attempts() const;
  py::object place() const {
    const PagePlace p = page().place();
    return classes().place(p.channel, p.die, p.plane, p.block, p.page, p.wordline, p.layer, p.type);
  }
  py::object age() const {
    const BlockAge age = page().age();
    return classes().age(age.age_hours, age.pe_cycles, age.reads_since_program);
  }

 private:
  friend PythonReadRecovery;

  const PageUnderRecovery& page() const {
    if (page_ != nullptr) return *page_;
    throw py::value_error("a page under recovery can be looked at only until the method of the policy returns");
  }

  const PageUnderRecovery* page_ = nullptr;
  PythonReadRecovery* policy_ = nullptr;
};

class PythonReadRecovery final : public ReadRecoveryPolicy {
 public:
  struct Facts {
    explicit Facts(py::handle policy)
        : type(policy_name(policy)),
          hears_success(overrides(policy, "succeeded")),
          needs{.locks_die = flag_of(policy, "locks_die"),
                .adapts_timing = flag_of(policy, "adapts_timing"),
                .reads_soft = flag_of(policy, "reads_soft")} {
      for (const char* gone : {"step", "step_after", "pipelines", "learns"}) {
        if (overrides(policy, "next") || !py::hasattr(policy, gone)) continue;
        throw py::type_error(type + "." + gone +
                             " is without effect: define next(page), which sees page.order and page.attempts and "
                             "returns a ReadStep, pipelined or not");
      }
      const py::object named = policy.attr("stages");
      const auto refuse = [&] {
        throw py::type_error(type + ".stages is " + shown(named) + "; it is a dict of names and their meanings");
      };
      if (!py::isinstance<py::dict>(named)) refuse();
      for (const auto& [name, meaning] : py::reinterpret_borrow<py::dict>(named)) {
        if (!py::isinstance<py::str>(name) || !py::isinstance<py::str>(meaning)) refuse();
        needs.stages.push_back({to_text(name), to_text(meaning)});
      }
    }

    static bool overrides(py::handle policy, const char* method) {
      const py::object base = py::module_::import("nandscape.policies").attr("ReadRecovery");
      return !py::type::handle_of(policy).attr(method).is(base.attr(method));
    }

    // Returns nothing for an unknown name.
    std::optional<RecoveryStage> stage(const std::string& name) const {
      const auto in = [&](std::span<const StageName> stages) {
        return std::ranges::find(stages, name, &StageName::name) - stages.begin();
      };
      const std::size_t own = needs.stages.size();
      if (const auto k = static_cast<std::size_t>(in(needs.stages)); k < own) return own_stage(k);
      const auto k = static_cast<std::size_t>(in(known_stages()));
      return k < known_stages().size() ? std::optional(static_cast<RecoveryStage>(k)) : std::nullopt;
    }
    const std::string& name_of(RecoveryStage stage) const {
      const auto k = static_cast<std::size_t>(stage);
      const std::size_t known = known_stages().size();
      return k < known ? known_stages()[k].name : needs.stages[k - known].name;
    }

    std::string type;
    bool hears_success;
    RecoveryNeeds needs;
  };

  PythonReadRecovery(const KeptObject& policy, const Facts& facts) : facts_(facts), policy_(policy, facts.type) {}

  RecoveryNeeds needs() const override { return facts_.needs; }

  std::optional<ReadStep> next(const PageUnderRecovery& page) override {
    const InPolicy asked;
    return read_step(ask("next", page));
  }

  void succeeded(const PageUnderRecovery& page) override {
    if (!facts_.hears_success) return;
    const InPolicy asked;
    ask("succeeded", page);
  }

  // The order as a tuple. The retry table is constant, so there is one order per first step.
  py::object steps_of(const StepOrder& order) {
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

  py::object attempts_of(std::span<const ReadAttempt> attempts) {
    py::tuple seen(attempts.size());
    for (std::size_t n = 0; n < attempts.size(); ++n) {
      PyTuple_SET_ITEM(seen.ptr(), static_cast<py::ssize_t>(n), attempt_of(attempts[n]).release().ptr());
    }
    return seen;
  }

 private:
  // Equal attempts are one object, since a policy sees those of a page again at each question.
  static constexpr std::size_t most_attempts = 10'000;

  py::object ask(const char* method, const PageUnderRecovery& page) {
    // A policy may have kept the view.
    if (view_ == nullptr || Py_REFCNT(view_->ptr()) != 1) view_ = kept(py::cast(PageView()));
    auto& view = view_->cast<PageView&>();
    struct Look {
      explicit Look(PageView& view) : of(view) {}
      ~Look() { of.page_ = nullptr; }
      PageView& of;
    } const look(view);
    view.page_ = &page;
    view.policy_ = this;
    return policy_.ask(method, *view_);
  }

  py::object attempt_of(const ReadAttempt& attempt) {
    const ReadStep& step = attempt.step;
    const auto key = static_cast<std::uint64_t>(step.retry_step) |
                     static_cast<std::uint64_t>(step.sensing_levels) << 8 | std::uint64_t{step.adds_senses} << 12 |
                     std::uint64_t{step.pipelined} << 13 | static_cast<std::uint64_t>(attempt.result) << 14 |
                     static_cast<std::uint64_t>(step.stage) << 16 | std::uint64_t{attempt.errors} << 24;
    if (attempts_.size() >= most_attempts) attempts_.clear();
    KeptObject& known = attempts_[key];
    if (known == nullptr) {
      const py::object none = py::none();
      const bool counted = attempt.errors != errors_not_known;
      const bool decided = attempt.result != ReadResult::undecided;
      const bool named = step.stage != RecoveryStage::by_levels;
      known =
          kept(classes().attempt(classes().step(step.retry_step, step.sensing_levels, step.adds_senses, step.pipelined,
                                                named ? py::object(to_str(facts_.name_of(step.stage))) : none),
                                 counted ? py::object(py::int_(attempt.errors)) : none,
                                 decided ? py::object(py::bool_(attempt.result == ReadResult::decoded)) : none));
    }
    return *known;
  }

  std::optional<ReadStep> read_step(const py::object& answer) const {
    if (answer.is_none()) return std::nullopt;
    if (PyIndex_Check(answer.ptr()) != 0) return ReadStep{.retry_step = number(answer)};
    if (PyTuple_Check(answer.ptr()) == 0 || PyTuple_GET_SIZE(answer.ptr()) != 5) {
      throw py::type_error(method() + " returned " + shown(answer) +
                           "; it returns the number of a step, a ReadStep, or None");
    }
    const auto fields = py::reinterpret_borrow<py::tuple>(answer);
    return ReadStep{.retry_step = number(fields[0]),
                    .sensing_levels = number(fields[1]),
                    .adds_senses = truth(fields[2]),
                    .pipelined = truth(fields[3]),
                    .stage = stage(fields[4])};
  }

  std::string method() const { return facts_.type + ".next()"; }

  int number(py::handle answer) const {
    using Limits = std::numeric_limits<int>;
    if (const std::optional<Py_ssize_t> value = integer_in(answer)) {
      return static_cast<int>(std::clamp<Py_ssize_t>(*value, Limits::min(), Limits::max()));
    }
    throw py::type_error(method() + " returned a ReadStep with " + shown(answer) + ", which is not an int");
  }

  bool truth(py::handle answer) const {
    if (const std::optional<bool> value = truth_in(answer)) return *value;
    throw py::type_error(method() + " returned a ReadStep with " + shown(answer) + ", which is not True or False");
  }

  RecoveryStage stage(py::handle answer) const {
    if (answer.is_none()) return RecoveryStage::by_levels;
    if (!py::isinstance<py::str>(answer)) {
      throw py::type_error(method() + " returned a ReadStep with " + shown(answer) +
                           ", which is not the name of a stage or None");
    }
    if (const std::optional<RecoveryStage> known = facts_.stage(to_text(answer))) return *known;
    throw py::value_error(method() + " returned the stage " + shown(answer) + "; name it in `stages`");
  }

  const Facts facts_;
  PolicyCopy policy_;
  KeptObject view_;
  std::vector<KeptObject> orders_;  // by first step
  std::unordered_map<std::uint64_t, KeptObject> attempts_;
};

py::object PageView::order() const { return policy_->steps_of(page().order); }
py::object PageView::attempts() const { return policy_->attempts_of(page().attempts); }

}  // namespace

void bind_page_under_recovery(py::module_& m) {
  py::class_<PageView>(m, "PageUnderRecovery")
      .def_property_readonly("order", &PageView::order)
      .def_property_readonly("attempts", &PageView::attempts)
      .def_property_readonly("place", &PageView::place)
      .def_property_readonly("age", &PageView::age);
}

std::shared_ptr<VariantObject> read_recovery_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonReadRecovery, ReadRecoveryRegistry>>(policy, read_recovery_registry());
}

}  // namespace nandscape::python
