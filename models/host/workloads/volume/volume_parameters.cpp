// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/volume/volume_parameters.h"

namespace nandscape::host {

void describe(VolumeStatistics& p, ParameterVisitor& v) {
  v.real("capacity_gib", p.capacity_gib, {0, 1e6}, "gib", "capacity of the disk, A; reads are spread evenly over it");
  v.real("written_gib", p.written_gib, {0, 1e6}, "gib", "data written in the span, N");
  v.real("distinct_gib", p.distinct_gib, {0, 1e6}, "gib",
         "working set, W: distinct sectors that are written in the span");
  v.real("span_days", p.span_days, {1e-9, 1e6}, "days", "span in which written_gib is written");
  v.real("read_percent", p.read_percent, {0, 99}, "percent", "share of the requests that read; the others write");
  v.integer("request_bytes", p.request_bytes, {512, 1 << 24}, "bytes", "size and alignment of every request");
}

void describe(VolumeResults& r, ParameterVisitor& v) {
  constexpr RealRange percent{0, 100};
  v.real("overwritten_1_day_percent", r.overwritten_1_day_percent, percent, "percent",
         "share of the written data that is overwritten within a day");
  v.real("overwritten_1_week_percent", r.overwritten_1_week_percent, percent, "percent",
         "share of the written data that is overwritten within a week");
  v.real("overwritten_5_weeks_percent", r.overwritten_5_weeks_percent, percent, "percent",
         "share of the written data that is overwritten within five weeks");
  v.integer("dies", r.dies, {1}, "", "dies of the drive that the publication simulated");
  v.real("exported_gib", r.exported_gib, {0}, "gib", "capacity of that drive");
}

void describe(VolumeParameters& p, ParameterVisitor& v) {
  v.text("profile", p.profile, "name or file of a profile; its values are defaults for the keys beside it");
  describe(static_cast<VolumeStatistics&>(p), v);
  v.real("scale", p.scale, {1e-9, 1e3}, "", "factor of all amounts: capacity_gib, written_gib and distinct_gib");
  v.integer("start_bytes", p.start_bytes, {}, "bytes", "byte of the device at which the disk starts");
  v.integer("requests", p.requests, {1}, "", "requests to make; at most the requests of the span are made");
  v.real("requests_per_s", p.requests_per_s, {0, 1e9}, "per_s",
         "open loop: mean rate of a Poisson process; 0: the requests of the span over the span");
}

}  // namespace nandscape::host
