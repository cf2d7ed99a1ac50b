// SPDX-License-Identifier: Apache-2.0
// Plays requests that a program makes during the run: pulls one, or a batch, when the driver needs the next request.
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
  Tick time = 0;           // issue time of `request`, in an open loop
  RequestColumns columns;  // the batch; check() must accept it
};

class PulledSource final : public WorkloadSource {
 public:
  using Pull = std::function<Pulled()>;

  PulledSource(Pull pull, const WorkloadContext& context);

  // Throws InputError, with the number of the request, if the device cannot take the request; passes on exceptions of
  // `pull`.
  bool next(HostRequest& request) override;

 private:
  Pulled pull();
  bool next_of_batch(HostRequest& request);
  void take(const GivenRequest& given, Tick time, HostRequest& request);

  Pull pull_;
  const WorkloadContext context_;
  std::uint64_t number_ = 0;  // number of the next request
  Tick latest_ = 0;           // time of the last request
  RequestColumns batch_;
  std::size_t taken_of_batch_ = 0;
};

}  // namespace nandscape::host
