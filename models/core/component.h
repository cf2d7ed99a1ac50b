// SPDX-License-Identifier: Apache-2.0
// The base class of the parts of a device. A device saves the state and the counters of all its components, and lists
// the work that waits in them.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "core/archive.h"

namespace nandscape {

class Component {
 public:
  // Saves or restores the state. Called only while the device is settled, that is, while no work is in progress.
  virtual void persist(Archive& /*archive*/) {}
  // Saves or restores the counters. They are separate from the state because they survive a power cycle of the device.
  virtual void persist_counters(Archive& /*archive*/) {}
  // Prints the work that waits in this component, one line for each item.
  virtual void list_waiting(std::ostream& /*out*/) const {}
  // Returns true if this component is processing no access and no internal work on behalf of an access.
  virtual bool idle() const { return true; }

 protected:
  ~Component() = default;
};

// All components of a device, in the order in which their states are saved.
using Components = std::vector<Component*>;

// Returns the pending work of all components in one line, or an empty string. A semicolon follows each item.
std::string report_waiting(const Components& components);

// Saves and restores the state of a policy under the policy's name. If the device that is restored has a policy with
// another name, the saved state is ignored.
template <class Policy>
class PolicyState final : public Component {
 public:
  // `policy` is null if the device has no such policy.
  PolicyState(std::string name, Policy* policy) : name_(std::move(name)), policy_(policy) {}

  void persist(Archive& archive) override {
    archive.variant(policy_ == nullptr ? "" : name_, [this](Archive& state) { policy_->persist(state); });
  }
  void persist_counters(Archive& archive) override {
    if constexpr (requires { policy_->persist_counters(archive); }) {
      if (policy_ != nullptr) policy_->persist_counters(archive);
    }
  }

 private:
  const std::string name_;
  Policy* const policy_;
};

}  // namespace nandscape
