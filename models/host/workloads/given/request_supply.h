// SPDX-License-Identifier: Apache-2.0
// Requests that a program gives, in the place of a workload that a configuration describes. A workload of kind
// `requests` names them.
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

  // A source that begins with the first request. Its next() throws InputError for a request that no device takes.
  // Throws InputError where that is known of all of them.
  virtual std::unique_ptr<WorkloadSource> open(const WorkloadContext& context) const = 0;

  // Whether next() of its sources runs code of the program's user.
  virtual bool calls_back() const = 0;
};

// By the names under which workloads ask for them.
using RequestSupplies = std::map<std::string, std::shared_ptr<const RequestSupply>, std::less<>>;

}  // namespace nandscape::host
