// SPDX-License-Identifier: Apache-2.0
#include "host/parameters.h"

namespace nandscape::host {

void describe(HostParameters& p, ParameterVisitor& v) {
  v.group("link", p.link, "PCI Express between host and drive");
  v.group("nvme", p.nvme, "the drive's NVMe controller");
  v.group("driver", p.driver, "the host's NVMe driver");
  v.groups("workload", p.workload, "requests of the host; workloads run side by side, each on its own queue pair");
}

}  // namespace nandscape::host
