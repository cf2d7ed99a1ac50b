// SPDX-License-Identifier: Apache-2.0
// Adapts policies written in Python (nandscape.policies) to the C++ interfaces. Each kind of policy has an adapter
// file, <kind>_policy.cpp, and a line in policies.cpp.
//
// The configuration keeps a copy of the object, and each controller copies that again. So the configuration does not
// change, and its runs are identical. An exception thrown by a policy passes through the calendar like other errors,
// ends the call that runs simulated time, and is raised from that call.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controller/mapping/block_age.h"
#include "core/registry.h"
#include "interruptible.h"
#include "kept_object.h"

namespace nandscape::python {

// Holds the GIL during a call of a policy.
class InPolicy {
 public:
  InPolicy() = default;
  InPolicy(const InPolicy&) = delete;
  InPolicy& operator=(const InPolicy&) = delete;

 private:
  const WayIntoPython way_;
  const pybind11::gil_scoped_acquire acquired_;
};

// The following functions convert answers and attributes of policies. They also accept numpy types.
//
// Returns an integer, clamped to the range of Py_ssize_t, or nothing if `answer` is not an integer.
std::optional<Py_ssize_t> integer_in(pybind11::handle answer);
// Returns the truth value of a bool or an integer, or nothing for any other type.
std::optional<bool> truth_in(pybind11::handle answer);
// Returns an attribute that must be True or False. Throws TypeError if it is neither.
bool flag_of(pybind11::handle policy, const char* name);

// Returns the condition of a block as a nandscape.policies.BlockAge.
pybind11::object seen_age(const controller::BlockAge& block);

// Copies the policy with copy.deepcopy. Throws TypeError if the copy is not a policy of the same kind.
pybind11::object copy_of(pybind11::handle policy);

// A controller's own copy of a policy. The copy is made at the first call, since some controllers are built only so
// that they can be inspected.
class PolicyCopy {
 public:
  PolicyCopy(KeptObject original, std::string name) : original_(std::move(original)), name_(std::move(name)) {}

  // Calls the policy's method with this name, which must be a string literal. Rethrows an exception of the method with
  // a note that names the policy. If the exception is the KeyboardInterrupt of a signal, the method is called once
  // more, and the run ends before its next event (interruptible.h).
  template <class... Arguments>
  pybind11::object ask(const char* method, const Arguments&... arguments) {
    const pybind11::object& bound = bound_method(method);
    // The element before the first argument is free. PY_VECTORCALL_ARGUMENTS_OFFSET lets the callee write `self` to it.
    std::array<PyObject*, 1 + sizeof...(arguments)> stack = {nullptr, arguments.ptr()...};
    const auto call = [&] {
      constexpr std::size_t count = sizeof...(arguments) | PY_VECTORCALL_ARGUMENTS_OFFSET;
      return PyObject_Vectorcall(bound.ptr(), stack.data() + 1, count, nullptr);
    };
    PyObject* answer = call();
    if (answer == nullptr && SignalWatch::put_off()) answer = call();
    if (answer == nullptr) raise_from(method);
    return pybind11::reinterpret_steal<pybind11::object>(answer);
  }

 private:
  const pybind11::object& bound_method(const char* method);
  [[noreturn]] void raise_from(const char* method) const;

  const KeptObject original_;
  const std::string name_;
  KeptObject copy_;
  std::vector<std::pair<const char*, KeptObject>> methods_;
};

// Holds the copy of a policy that a configuration stores.
class PythonPolicy {
 public:
  explicit PythonPolicy(pybind11::handle policy) : policy_(kept(copy_of(policy))) {}
  const KeptObject& policy() const { return policy_; }

 protected:
  ~PythonPolicy() = default;

 private:
  KeptObject policy_;
};

// Returns the name of the policy's class, as "module:Class".
std::string policy_name(pybind11::handle policy);

// A Python policy in the family Registry<Interface, Context...>. Adapter is a class that implements Interface by
// calling a copy of the policy. Its constructor is given the policy, the policy's constant attributes (Adapter::Facts,
// which are read once from the object), and the context.
template <class Adapter, class Family>
class PolicyObject;

template <class Adapter, class Interface, class... Context>
class PolicyObject<Adapter, Registry<Interface, Context...>> final : public Registry<Interface, Context...>::Object,
                                                                     public PythonPolicy {
 public:
  PolicyObject(pybind11::handle policy, const Registry<Interface, Context...>& family)
      : PythonPolicy(policy), name_(policy_name(policy)), family_(family.family()), facts_(policy) {}

  const std::string& name() const override { return name_; }
  std::string_view family() const override { return family_; }
  std::unique_ptr<Interface> make(Context... context) const override {
    return std::make_unique<Adapter>(policy(), facts_, std::forward<Context>(context)...);
  }

 private:
  const std::string name_;
  const std::string_view family_;
  const typename Adapter::Facts facts_;
};

// Returns whether the object's class derives from nandscape.policies.Policy.
bool is_policy(pybind11::handle object);
// Wraps the policy in the object that a configuration stores. Throws TypeError for an unknown kind of policy.
std::shared_ptr<VariantObject> policy_object(pybind11::handle policy);
// Returns a copy of the policy in `object`.
pybind11::object policy_in(const VariantObject& object);

// Binds the class of the object that a read-recovery policy receives as its page (read_recovery_policy.cpp).
void bind_page_under_recovery(pybind11::module_& m);

// These functions wrap one kind of policy each, and are defined in <kind>_policy.cpp.
std::shared_ptr<VariantObject> allocation_object(pybind11::handle policy);
std::shared_ptr<VariantObject> read_recovery_object(pybind11::handle policy);
std::shared_ptr<VariantObject> refresh_object(pybind11::handle policy);
std::shared_ptr<VariantObject> scheduling_object(pybind11::handle policy);
std::shared_ptr<VariantObject> victim_selection_object(pybind11::handle policy);
std::shared_ptr<VariantObject> write_mode_object(pybind11::handle policy);

}  // namespace nandscape::python
