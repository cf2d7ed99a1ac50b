// SPDX-License-Identifier: Apache-2.0
// Requests that a program makes one after another, while they are played: each is pulled when the driver wants it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "host/workloads/given/request_checks.h"
#include "host/workloads/given/request_columns.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

// What one pull gave.
struct Pulled {
  enum class What : std::uint8_t { end, request, batch } what = What::end;
  GivenRequest request;
  Tick time = 0;           // in an open loop
  RequestColumns columns;  // of a batch, which check() takes
};

class PulledSource final : public WorkloadSource {
 public:
  using Pull = std::function<Pulled()>;

  PulledSource(Pull pull, const WorkloadContext& context);

  // Throws InputError, which names the request by its number, for one that the device does not take, and what `pull`
  // throws.
  bool next(HostRequest& request) override;

 private:
  Pulled pull();
  bool next_of_batch(HostRequest& request);
  void take(const GivenRequest& given, Tick time, HostRequest& request);

  Pull pull_;
  const WorkloadContext context_;
  std::uint64_t number_ = 0;  // of the latest request
  Tick latest_ = 0;
  RequestColumns batch_;
  std::size_t taken_of_batch_ = 0;
};

}  // namespace nandscape::host
