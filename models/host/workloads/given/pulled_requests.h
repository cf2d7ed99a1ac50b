// SPDX-License-Identifier: Apache-2.0
// Issues requests that a program generates during the run. When the driver needs the next request, the source calls the
// program, which returns one request or a batch of requests.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "host/workloads/given/request_checks.h"
#include "host/workloads/given/request_columns.h"
#include "host/workloads/workload_kinds.h"

namespace nandscape::host {

// The result of one pull.
struct Pulled {
  enum class What : std::uint8_t { end, request, batch } what = What::end;
  GivenRequest request;
  Tick time = 0;           // time at which `request` is issued, in an open loop
  RequestColumns columns;  // the batch, which must pass check()
};

class PulledSource final : public WorkloadSource {
 public:
  using Pull = std::function<Pulled()>;

  PulledSource(Pull pull, const WorkloadContext& context);

  // Returns false when there are no more requests. Throws InputError, with the number of the request, if the device
  // cannot execute the request. Passes on any exception that `pull` throws.
  bool next(HostRequest& request) override;

 private:
  Pulled pull();
  bool next_of_batch(HostRequest& request);
  void take(const GivenRequest& given, Tick time, HostRequest& request);

  Pull pull_;
  const WorkloadContext context_;
  std::uint64_t number_ = 0;  // number of the next request
  Tick latest_ = 0;           // issue time of the latest request
  RequestColumns batch_;
  std::size_t taken_of_batch_ = 0;
};

}  // namespace nandscape::host
