// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/profile/profile_parameters.h"

namespace nandscape::host {

void describe(ProfileStatistics& p, ParameterVisitor& v) {
  v.real("read_percent", p.read_percent, {0, 100}, "percent", "share of the requests that read; the others write");
  v.real("mean_read_bytes", p.mean_read_bytes, {512}, "bytes", "mean size of a read");
  v.real("mean_write_bytes", p.mean_write_bytes, {512}, "bytes", "mean size of a write");
  v.reals("size_class_percent", p.size_class_percent, {0, 100}, "percent",
          "shares of the requests, reads and writes together, by size class; empty: only the means count");
  v.reals("size_class_bytes", p.size_class_bytes, {512}, "bytes",
          "largest size of each class, ascending; one more class holds all larger sizes");
  v.integer("size_step_bytes", p.size_step_bytes, {512}, "bytes", "request sizes are multiples of this");
  v.integer("largest_request_bytes", p.largest_request_bytes, {512, 1 << 24}, "bytes", "largest size of a request");
  v.real("cold_read_percent", p.cold_read_percent, {0, 100}, "percent",
         "share of the reads whose data are never written during the run");
  v.integer("alignment_bytes", p.alignment_bytes, {}, "bytes",
            "requests start at multiples of this, counted from the footprint's start; 0: size_step_bytes");
  describe(p.footprint, v);
}

void describe(ProfileParameters& p, ParameterVisitor& v) {
  v.text("profile", p.profile, "name or file of a profile; its values are defaults for the keys beside it");
  describe(static_cast<ProfileStatistics&>(p), v);
  v.real("updated_fraction", p.updated_fraction, {0, 1}, "",
         "share of the footprint, at its front, that is written; smaller if the run would write it fewer than "
         "mean_updates times");
  v.integer("updated_bytes", p.updated_bytes, {}, "bytes", "size of the part that is written; 0: by updated_fraction");
  v.real("mean_updates", p.mean_updates, {1e-3, 1e9}, "",
         "least mean number of times that the run writes each byte of that part, if updated_bytes is 0");
  v.integer("requests", p.requests, {1}, "", "requests to make");
  v.real("requests_per_s", p.requests_per_s, {0, 1e9}, "per_s", "open loop: mean rate of a Poisson process");
}

}  // namespace nandscape::host
