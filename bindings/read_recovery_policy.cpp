// SPDX-License-Identifier: Apache-2.0
// Adapts nandscape.policies.ReadRecovery to ReadRecoveryPolicy. Only the types of its answers are checked here;
// ReadRecovery checks whether the drive can follow them.
#include <pybind11/gil_safe_call_once.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "controller/reading/read_recovery.h"
#include "conversion.h"
#include "lazy_sequence.h"
#include "policies.h"
#include "slots.h"

namespace nandscape::python {

namespace py = pybind11;
using namespace controller;

namespace {

// The Python classes of nandscape.policies that this adapter creates or checks.
struct Classes {
  py::object step, attempt, place;
};

const Classes& classes() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<Classes> all;
  return all
      .call_once_and_store_result([] {
        const py::module_ policies = py::module_::import("nandscape.policies");
        return Classes{policies.attr("ReadStep"), policies.attr("ReadAttempt"), policies.attr("PagePlace")};
      })
      .get_stored();
}

class PythonReadRecovery;

// The page that a method of the policy receives as its argument. The attributes of the page are created when the policy
// accesses them.
struct PageView {
  PyObject base;
  PythonReadRecovery* policy;
  const PageUnderRecovery* page;  // null once the method of the policy has returned
};

PyTypeObject* page_view_type();

class PythonReadRecovery final : public ReadRecoveryPolicy, private LazySequence::Source {
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

    // Returns the stage with that name, or nothing for an unknown name.
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

  // Returns the order of steps as a tuple. The retry table is constant, so all orders that begin with the same step are
  // equal, and their tuple is cached.
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

  // Returns the reads so far. Items are created on access, since a policy often needs only their number.
  py::object attempts_of(std::span<const ReadAttempt> attempts) {
    of_page_ = attempts;
    return attempts_view_.open(*this, attempts.size());
  }

  py::object decoded_of(const PageUnderRecovery& page) {
    const ReadAttempt* const decoded = page.decoded();
    return decoded == nullptr ? py::none() : attempt_of(*decoded);
  }

 private:
  // The largest number of attempts in the cache. Each call shows the policy all attempts of a page again, so equal
  // attempts share one Python object.
  static constexpr std::size_t most_attempts = 10'000;

  py::object ask(const char* method, const PageUnderRecovery& page) {
    // If the policy has kept a reference to the view, this call needs a new view.
    if (view_ == nullptr || Py_REFCNT(view_->ptr()) != 1) view_ = new_view();
    struct Look {
      Look(PythonReadRecovery& policy, const PageUnderRecovery& page)
          : view(*reinterpret_cast<PageView*>(policy.view_->ptr())), attempts(policy.attempts_view_) {
        view.page = &page;
      }
      ~Look() {
        view.page = nullptr;
        attempts.close();
      }
      PageView& view;
      LazySequence& attempts;
    } const look(*this, page);
    return policy_.ask(method, *view_);
  }

  KeptObject new_view() {
    auto view = py::reinterpret_steal<py::object>(PyType_GenericAlloc(page_view_type(), 0));
    if (!view) throw py::error_already_set();
    reinterpret_cast<PageView*>(view.ptr())->policy = this;
    return kept(std::move(view));
  }

  py::object item(std::size_t n) override { return attempt_of(of_page_[n]); }

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
  LazySequence attempts_view_;
  std::span<const ReadAttempt> of_page_;
  std::vector<KeptObject> orders_;  // cached tuples of steps_of(), by first step
  std::unordered_map<std::uint64_t, KeptObject> attempts_;
};

template <class Part>
PyObject* part_of(PyObject* self, Part part) {
  return slot([&] {
    const PageView& view = *reinterpret_cast<const PageView*>(self);
    if (view.page != nullptr) return py::object(part(*view.policy, *view.page));
    throw py::value_error("a page under recovery can be looked at only until the method of the policy returns");
  });
}

PyObject* order_of(PyObject* self, void*) {
  return part_of(self,
                 [](PythonReadRecovery& policy, const PageUnderRecovery& page) { return policy.steps_of(page.order); });
}

PyObject* attempts_of(PyObject* self, void*) {
  return part_of(self, [](PythonReadRecovery& policy, const PageUnderRecovery& page) {
    return policy.attempts_of(page.attempts);
  });
}

PyObject* decoded_of(PyObject* self, void*) {
  return part_of(self,
                 [](PythonReadRecovery& policy, const PageUnderRecovery& page) { return policy.decoded_of(page); });
}

PyObject* place_of(PyObject* self, void*) {
  return part_of(self, [](PythonReadRecovery&, const PageUnderRecovery& page) {
    const PagePlace p = page.place();
    return classes().place(p.channel, p.die, p.plane, p.block, p.superblock, p.page, p.wordline, p.layer, p.type);
  });
}

PyObject* age_of(PyObject* self, void*) {
  return part_of(self, [](PythonReadRecovery&, const PageUnderRecovery& page) { return seen_age(page.age()); });
}

void free_view(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

py::object make_page_view_type() {
  static std::array parts{PyGetSetDef{"order", order_of, nullptr, nullptr, nullptr},
                          PyGetSetDef{"attempts", attempts_of, nullptr, nullptr, nullptr},
                          PyGetSetDef{"decoded", decoded_of, nullptr, nullptr, nullptr},
                          PyGetSetDef{"place", place_of, nullptr, nullptr, nullptr},
                          PyGetSetDef{"age", age_of, nullptr, nullptr, nullptr},
                          PyGetSetDef{}};
  std::array slots{PyType_Slot{Py_tp_getset, parts.data()},
                   PyType_Slot{Py_tp_dealloc, reinterpret_cast<void*>(free_view)}, PyType_Slot{0, nullptr}};
  PyType_Spec spec{"nandscape._core.PageUnderRecovery", sizeof(PageView), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots.data()};
  return type_from(spec);
}

PyTypeObject* page_view_type() {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> made;
  return reinterpret_cast<PyTypeObject*>(made.call_once_and_store_result(make_page_view_type).get_stored().ptr());
}

}  // namespace

void bind_page_under_recovery(py::module_& m) {
  m.attr("PageUnderRecovery") = py::handle(reinterpret_cast<PyObject*>(page_view_type()));
}

std::shared_ptr<VariantObject> read_recovery_object(py::handle policy) {
  return std::make_shared<PolicyObject<PythonReadRecovery, ReadRecoveryRegistry>>(policy, read_recovery_registry());
}

}  // namespace nandscape::python
