// SPDX-License-Identifier: Apache-2.0
// A part of a device that is saved, counted and reported together with all others.
#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "core/archive.h"

namespace nandscape {

class Component {
 public:
  // Saves or restores the state while the device is settled.
  virtual void persist(Archive& /*archive*/) {}
  // Saves or restores the counters, which outlast a power cycle.
  virtual void persist_counters(Archive& /*archive*/) {}
  // Prints the work that waits here, one line for each item.
  virtual void list_waiting(std::ostream& /*out*/) const {}
  // Whether no access, and no work for an access, is under way here.
  virtual bool idle() const { return true; }

 protected:
  ~Component() = default;
};

// All parts of a device, in the order in which they are saved.
using Components = std::vector<Component*>;

// The work that waits in all parts, separated by semicolons.
std::string report_waiting(const Components& components);

// The state of a policy. A policy with another name ignores it.
template <class Policy>
class PolicyState final : public Component {
 public:
  // `policy` is null if there is none.
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
