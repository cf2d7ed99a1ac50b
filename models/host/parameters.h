// SPDX-License-Identifier: Apache-2.0
// Configuration group `host`.
#pragma once

#include <vector>

#include "core/parameters.h"
#include "host/driver/driver_parameters.h"
#include "host/nvme/nvme_parameters.h"
#include "host/pcie/pcie_link.h"
#include "host/workloads/workload_parameters.h"

namespace nandscape::host {

struct HostParameters {
  PcieLinkParameters link;
  NvmeParameters nvme;
  DriverParameters driver;
  std::vector<WorkloadParameters> workload = std::vector<WorkloadParameters>(1);
};
void describe(HostParameters& p, ParameterVisitor& v);

}  // namespace nandscape::host
