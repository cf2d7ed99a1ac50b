// SPDX-License-Identifier: Apache-2.0
// Interface for requests that come from a program instead of a workload described in the configuration. A workload of
// kind `requests` refers to the requests by name.
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

  // Makes a source that begins with the first request. The source's next() throws InputError when it reaches an invalid
  // request. A supply that knows all of its requests in advance throws InputError here instead.
  virtual std::unique_ptr<WorkloadSource> open(const WorkloadContext& context) const = 0;

  // Returns true if next() of the sources runs user code.
  virtual bool calls_back() const = 0;
};

// The supplies of a simulation, indexed by the name with which workloads refer to them.
using RequestSupplies = std::map<std::string, std::shared_ptr<const RequestSupply>, std::less<>>;

}  // namespace nandscape::host
