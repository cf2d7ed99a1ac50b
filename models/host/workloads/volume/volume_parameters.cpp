// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/volume/volume_parameters.h"

namespace nandscape::host {

void describe(VolumeStatistics& p, ParameterVisitor& v) {
  v.real("capacity_gib", p.capacity_gib, {0, 1e6}, "gib", "of the disk, A; reads go anywhere on it");
  v.real("written_gib", p.written_gib, {0, 1e6}, "gib", "written in the span, N");
  v.real("distinct_gib", p.distinct_gib, {0, 1e6}, "gib", "of it distinct, W: each sector once");
  v.real("span_days", p.span_days, {1e-9, 1e6}, "days", "the time in which that is written");
  v.real("read_percent", p.read_percent, {0, 99}, "percent", "share of the requests that read; the others write");
  v.integer("request_bytes", p.request_bytes, {512, 1 << 24}, "bytes", "size of every request, and what it starts at");
}

void describe(VolumeResults& r, ParameterVisitor& v) {
  constexpr RealRange percent{0, 100};
  v.real("overwritten_1_day_percent", r.overwritten_1_day_percent, percent, "percent",
         "of what is written, overwritten within a day");
  v.real("overwritten_1_week_percent", r.overwritten_1_week_percent, percent, "percent", "within a week");
  v.real("overwritten_5_weeks_percent", r.overwritten_5_weeks_percent, percent, "percent", "within five weeks");
  v.integer("dies", r.dies, {1}, "", "of the drive that it was simulated on");
  v.real("exported_gib", r.exported_gib, {0}, "gib", "capacity of that drive");
}

void describe(VolumeParameters& p, ParameterVisitor& v) {
  v.text("profile", p.profile, "name or file of a profile, whose figures count where none are given beside it");
  describe(static_cast<VolumeStatistics&>(p), v);
  v.real("scale", p.scale, {1e-9, 1e3}, "",
         "times which all amounts are taken: the disk, what is written, and what is distinct of it");
  v.integer("start_bytes", p.start_bytes, {}, "bytes", "where the disk starts on the device");
  v.integer("requests", p.requests, {1}, "", "requests to make, at most those of the span");
  v.real("requests_per_s", p.requests_per_s, {0, 1e9}, "per_s",
         "open loop: mean rate of a Poisson process; 0: that of the amounts over the span");
}

}  // namespace nandscape::host
