// SPDX-License-Identifier: Apache-2.0
// A supply of requests that user code generates during the run. The user code runs between two events, as progress
// callbacks do. Its exceptions end the run. The supply must outlive the sources that it opens.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "host/workloads/given/request_supply.h"
#include "platform/simulation/ownership.h"

namespace nandscape {

class CalledBackRequests final : public host::RequestSupply {
 public:
  // Called with an exception of the user code. The exception must not pass through the SystemC kernel, so the source
  // stores it in this way and ends.
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
