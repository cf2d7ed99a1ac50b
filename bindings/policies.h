// SPDX-License-Identifier: Apache-2.0
// Policies that are written in Python (nandscape.policies), from an object in a configuration to the C++ interface. A
// kind of policy is one adapter file, <kind>_policy.cpp, and its line in policies.cpp.
//
// The configuration keeps a copy of the object, and each controller that is built makes one of its own: a configuration
// does not change, and runs of it are alike. What a policy raises goes through the calendar as other errors do, ends
// the call that runs simulated time and is raised from it.
#pragma once

#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/registry.h"
#include "interruptible.h"
#include "kept_object.h"

namespace nandscape::python {

// The interpreter, held while a policy is asked.
class InPolicy {
 public:
  InPolicy() = default;
  InPolicy(const InPolicy&) = delete;
  InPolicy& operator=(const InPolicy&) = delete;

 private:
  const WayIntoPython way_;
  const pybind11::gil_scoped_acquire acquired_;
};

// What a policy answers, and says of itself, is read by these. Types of numpy are taken, too.
// An integer; the nearest one of its type where it is far out of range. None: it is no integer.
std::optional<Py_ssize_t> integer_in(pybind11::handle answer);
// True or false, or an integer that stands for it. None: it is neither.
std::optional<bool> truth_in(pybind11::handle answer);
// An attribute that is True or False. Throws TypeError.
bool flag_of(pybind11::handle policy, const char* name);

// copy.deepcopy. Throws TypeError where that gives no policy of the same kind.
pybind11::object copy_of(pybind11::handle policy);

// A controller's own copy of a policy, made when it is first asked: controllers are made to be looked at, too.
class PolicyCopy {
 public:
  PolicyCopy(KeptObject original, std::string name) : original_(std::move(original)), name_(std::move(name)) {}

  // Calls the method that decides, which is looked up once. Throws what it raises, with a note that names the policy.
  // Where that is the KeyboardInterrupt of a signal, the run ends between two events (interruptible.h), and the policy
  // is asked once more for this one.
  template <class... Arguments>
  pybind11::object ask(const char* method, const Arguments&... arguments) {
    if (method_ == nullptr) bind(method);
    // The first place is for the object that the method is of.
    std::array<PyObject*, 1 + sizeof...(arguments)> stack = {nullptr, arguments.ptr()...};
    const auto call = [&] {
      constexpr std::size_t count = sizeof...(arguments) | PY_VECTORCALL_ARGUMENTS_OFFSET;
      return PyObject_Vectorcall(method_->ptr(), stack.data() + 1, count, nullptr);
    };
    PyObject* answer = call();
    if (answer == nullptr && SignalWatch::put_off()) answer = call();
    if (answer == nullptr) raise_from(method);
    return pybind11::reinterpret_steal<pybind11::object>(answer);
  }

 private:
  void bind(const char* method);
  [[noreturn]] void raise_from(const char* method) const;

  const KeptObject original_;
  const std::string name_;
  KeptObject method_;  // which holds the copy
};

// What a configuration keeps of a policy.
class PythonPolicy {
 public:
  explicit PythonPolicy(pybind11::handle policy) : policy_(kept(copy_of(policy))) {}
  const KeptObject& policy() const { return policy_; }

 protected:
  ~PythonPolicy() = default;

 private:
  KeptObject policy_;
};

// "module:Class".
std::string policy_name(pybind11::handle policy);

// Of the family Registry<Interface, Context...>. Adapter is the Interface over a copy of the policy, made from it, from
// what it says of itself once and for all (Adapter::Facts, read from the object), and from the context.
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

// Whether the object derives from nandscape.policies.Policy.
bool is_policy(pybind11::handle object);
// What a configuration keeps of it. Throws TypeError where it is of no kind that there is.
std::shared_ptr<VariantObject> policy_object(pybind11::handle policy);
// And a copy of it back.
pybind11::object policy_in(const VariantObject& object);

// <kind>_policy.cpp
std::shared_ptr<VariantObject> allocation_object(pybind11::handle policy);
std::shared_ptr<VariantObject> read_recovery_object(pybind11::handle policy);
std::shared_ptr<VariantObject> refresh_object(pybind11::handle policy);
std::shared_ptr<VariantObject> scheduling_object(pybind11::handle policy);
std::shared_ptr<VariantObject> victim_selection_object(pybind11::handle policy);
std::shared_ptr<VariantObject> write_mode_object(pybind11::handle policy);

}  // namespace nandscape::python
