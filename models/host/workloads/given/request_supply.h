// SPDX-License-Identifier: Apache-2.0
// Interface for requests that a program supplies instead of a workload that the configuration describes. A workload of
// kind `requests` refers to them by name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "host/workloads/workload.h"

namespace nandscape::host {

struct WorkloadContext;

class RequestSupply {
 public:
  virtual ~RequestSupply() = default;

  // Makes a source that begins with the first request. The source's next() throws InputError for an invalid request; a
  // supply that knows all its requests throws it here instead.
  virtual std::unique_ptr<WorkloadSource> open(const WorkloadContext& context) const = 0;

  // Whether next() of its sources runs user code.
  virtual bool calls_back() const = 0;
};

// Supplies by the names with which workloads refer to them.
using RequestSupplies = std::map<std::string, std::shared_ptr<const RequestSupply>, std::less<>>;

}  // namespace nandscape::host
