// SPDX-License-Identifier: Apache-2.0
#include "platform/simulation/called_back_requests.h"

#include <utility>

#include "host/workloads/workload_kinds.h"
#include "platform/simulation/kernel_context.h"

namespace nandscape {

namespace {

class CalledBackSource final : public host::WorkloadSource {
 public:
  CalledBackSource(std::unique_ptr<host::WorkloadSource> source, const CalledBackRequests::Failed& failed)
      : source_(std::move(source)), failed_(failed) {}

  bool next(host::HostRequest& request) override {
    if (ended_) return false;
    ended_ = true;
    try {
      ended_ = !source_->next(request);
    } catch (...) {
      failed_(std::current_exception());
    }
    return !ended_;
  }

  std::uint64_t expected_requests() const override { return source_->expected_requests(); }

 private:
  const std::unique_ptr<host::WorkloadSource> source_;
  const CalledBackRequests::Failed& failed_;
  bool ended_ = false;
};

}  // namespace

CalledBackRequests::CalledBackRequests(std::shared_ptr<const host::RequestSupply> supply, Ownership& simulation,
                                       Failed failed)
    : supply_(std::move(supply)), simulation_(simulation), failed_(std::move(failed)) {}

std::unique_ptr<host::WorkloadSource> CalledBackRequests::open(const host::WorkloadContext& context) const {
  host::WorkloadContext outside = context;
  outside.call_out = [this](const std::function<void()>& call) {
    const Ownership::Callback callback(simulation_);
    KernelContext::outside(call);
  };
  return std::make_unique<CalledBackSource>(supply_->open(outside), failed_);
}

}  // namespace nandscape
