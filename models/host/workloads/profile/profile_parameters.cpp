// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/profile/profile_parameters.h"

namespace nandscape::host {

void describe(ProfileStatistics& p, ParameterVisitor& v) {
  v.real("read_percent", p.read_percent, {0, 100}, "percent", "share of the requests that read; the others write");
  v.real("mean_read_bytes", p.mean_read_bytes, {512}, "bytes", "mean size of a read");
  v.real("mean_write_bytes", p.mean_write_bytes, {512}, "bytes", "mean size of a write");
  v.reals("size_class_percent", p.size_class_percent, {0, 100}, "percent",
          "shares of the requests, reads and writes together, in the classes of size; empty: the means alone decide");
  v.reals("size_class_bytes", p.size_class_bytes, {512}, "bytes",
          "largest size of each class, rising; one class more holds what is larger");
  v.integer("size_step_bytes", p.size_step_bytes, {512}, "bytes", "sizes are multiples of it");
  v.integer("largest_request_bytes", p.largest_request_bytes, {512, 1 << 24}, "bytes", "no request is larger");
  v.real("cold_read_percent", p.cold_read_percent, {0, 100}, "percent",
         "share of the reads whose data are never written during the run");
  v.integer("alignment_bytes", p.alignment_bytes, {}, "bytes",
            "requests start at multiples of it, counted from the footprint's start; 0: size_step_bytes");
  describe(p.footprint, v);
}

void describe(ProfileParameters& p, ParameterVisitor& v) {
  v.text("profile", p.profile, "name or file of a profile, whose figures count where none are given beside it");
  describe(static_cast<ProfileStatistics&>(p), v);
  v.real("updated_fraction", p.updated_fraction, {0, 1}, "",
         "share of the footprint, at its front, that is written; less in a run that would not write it mean_updates "
         "times");
  v.integer("updated_bytes", p.updated_bytes, {}, "bytes", "the same as a size; 0: by updated_fraction");
  v.real("mean_updates", p.mean_updates, {1e-3, 1e9}, "",
         "how often the run writes each byte of what it writes, in the mean, if updated_bytes is 0; at least");
  v.integer("requests", p.requests, {1}, "", "requests to make");
  v.real("requests_per_s", p.requests_per_s, {0, 1e9}, "per_s", "open loop: mean rate of a Poisson process");
}

}  // namespace nandscape::host
