// SPDX-License-Identifier: Apache-2.0
// A read recovery policy whose answers are functions supplied by the test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "controller/reading/read_recovery.h"

namespace nandscape {

struct ToldRecovery {
  using Page = controller::PageUnderRecovery;

  // Returns parameters with which a page reader uses this policy.
  controller::ReadRetryParameters parameters() const;

  controller::RecoveryNeeds needs{};
  std::function<std::optional<controller::ReadStep>(const Page&)> next;
  std::function<void(const Page&)> succeeded = [](const Page&) {};
};

class ToldRecoveryObject final : public controller::ReadRecoveryRegistry::Object {
 public:
  explicit ToldRecoveryObject(ToldRecovery told) : told_(std::move(told)) {}
  const std::string& name() const override {
    static const std::string name = "test:told";
    return name;
  }
  std::string_view family() const override { return controller::read_recovery_registry().family(); }
  std::unique_ptr<controller::ReadRecoveryPolicy> make() const override { return std::make_unique<Policy>(told_); }

 private:
  struct Policy final : controller::ReadRecoveryPolicy {
    explicit Policy(ToldRecovery given) : told(std::move(given)) {}
    controller::RecoveryNeeds needs() const override { return told.needs; }
    std::optional<controller::ReadStep> next(const controller::PageUnderRecovery& page) override {
      return told.next(page);
    }
    void succeeded(const controller::PageUnderRecovery& page) override { told.succeeded(page); }

    const ToldRecovery told;
  };

  const ToldRecovery told_;
};

inline controller::ReadRetryParameters ToldRecovery::parameters() const {
  controller::ReadRetryParameters parameters;
  auto object = std::make_shared<ToldRecoveryObject>(*this);
  const std::string name = object->name();
  parameters.policy = {name, std::move(object)};
  return parameters;
}

}  // namespace nandscape
