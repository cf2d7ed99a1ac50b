// SPDX-License-Identifier: Apache-2.0
// Requests that code of the user makes while they are played. It runs between two events, as a progress callback does;
// what it throws ends the run. The supply must outlive its sources.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "host/workloads/given/request_supply.h"
#include "platform/simulation/ownership.h"

namespace nandscape {

class CalledBackRequests final : public host::RequestSupply {
 public:
  // Nothing is thrown through the kernel: the source is at its end then, and `failed` is told why.
  using Failed = std::function<void(std::exception_ptr)>;

  CalledBackRequests(std::shared_ptr<const host::RequestSupply> supply, Ownership& simulation, Failed failed);

  std::unique_ptr<host::WorkloadSource> open(const host::WorkloadContext& context) const override;
  bool calls_back() const override { return true; }

 private:
  std::shared_ptr<const host::RequestSupply> supply_;
  Ownership& simulation_;
  Failed failed_;
};

}  // namespace nandscape
