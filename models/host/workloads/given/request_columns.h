// SPDX-License-Identifier: Apache-2.0
// Requests that a program has made beforehand, as columns. They are played as fast as the requests of a synthetic
// workload.
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
  std::vector<Tick> time;                 // from the start of the workload; may be empty in a closed loop
  std::vector<std::uint8_t> fua;          // 1: a write that completes only when it is on flash; may be empty

  std::size_t size() const { return operation.size(); }
};

// Throws InputError, with the column and the index, if the columns break a rule. All columns have the same length,
// above 0. Offsets and sizes are whole sectors. Only flushes have size 0, and only writes force unit access. Times do
// not decrease and are below 2^63 ps.
void check(const RequestColumns& columns);

class ColumnSupply final : public RequestSupply {
 public:
  // Throws InputError if check() does.
  explicit ColumnSupply(RequestColumns columns);

  const RequestColumns& columns() const { return columns_; }

  // Throws InputError if a request ends past the capacity, and ConfigError in an open loop without times. The supply
  // must outlive the source.
  std::unique_ptr<WorkloadSource> open(const WorkloadContext& context) const override;
  bool calls_back() const override { return false; }

 private:
  RequestColumns columns_;
};

}  // namespace nandscape::host
