// SPDX-License-Identifier: Apache-2.0
// Requests that a program supplies as complete columns before the run. Issuing them is as fast as issuing the requests
// of a synthetic workload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "host/workloads/given/request_supply.h"

namespace nandscape::host {

struct RequestColumns {
  std::vector<RequestKind> operation;
  std::vector<std::uint64_t> offset_bytes;
  std::vector<std::uint64_t> size_bytes;  // 0 for a flush
  std::vector<Tick> time;         // issue times, measured from the start of the workload; may be empty in a closed loop
  std::vector<std::uint8_t> fua;  // 1 for a write that completes only when its data are on flash; may be empty

  std::size_t size() const { return operation.size(); }
};

// Throws InputError, with the column and the index, if the columns violate a rule. All columns must have the same
// length, which must be greater than 0. Offsets and sizes must be whole sectors. Only flushes may have size 0, and only
// writes may have force unit access. Times must not decrease and must be less than 2^63 ps.
void check(const RequestColumns& columns);

class ColumnSupply final : public RequestSupply {
 public:
  // Throws InputError if the columns do not pass check().
  explicit ColumnSupply(RequestColumns columns);

  const RequestColumns& columns() const { return columns_; }

  // Makes a source that issues these requests. Throws InputError if a request ends past the capacity. Throws
  // ConfigError if the workload is an open loop and there are no times. The supply must outlive the source.
  std::unique_ptr<WorkloadSource> open(const WorkloadContext& context) const override;
  bool calls_back() const override { return false; }

 private:
  RequestColumns columns_;
};

}  // namespace nandscape::host
