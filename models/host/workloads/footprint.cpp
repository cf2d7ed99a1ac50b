// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/footprint.h"

#include <string>

#include "host/workloads/workload_checks.h"

namespace nandscape::host {

void describe(FootprintParameters& p, ParameterVisitor& v) {
  v.real("footprint_fraction", p.fraction, {0, 1}, "",
         "share of the capacity that requests access; 0: the part that the drive holds data for at the start "
         "(controller.precondition.occupancy), or all of an empty drive");
  v.integer("footprint_bytes", p.bytes, {}, "bytes", "size of the footprint; 0: by footprint_fraction");
  v.integer("footprint_start_bytes", p.start_bytes, {}, "bytes", "byte at which the footprint starts");
}

Footprint footprint_of(const FootprintParameters& p, const WorkloadContext& context) {
  const std::uint64_t capacity = context.capacity_sectors;
  const double fraction = p.fraction > 0 ? p.fraction : context.filled_fraction;
  Footprint footprint;
  footprint.start_sector = whole_sectors(context, "footprint_start_bytes", p.start_bytes);
  footprint.key = p.bytes == 0 ? "footprint_fraction" : "footprint_bytes";
  footprint.sectors = p.bytes == 0 ? static_cast<std::uint64_t>(static_cast<double>(capacity) * fraction)
                                   : whole_sectors(context, "footprint_bytes", p.bytes);
  if (footprint.sectors > capacity || footprint.start_sector > capacity - footprint.sectors) {
    refuse(context, footprint.key,
           "a footprint of " + std::to_string(footprint.sectors * bytes_per_sector) + " bytes from byte " +
               std::to_string(p.start_bytes) + " on ends past the capacity of " +
               std::to_string(capacity * bytes_per_sector) + " bytes");
  }
  return footprint;
}

}  // namespace nandscape::host
