// SPDX-License-Identifier: Apache-2.0
#include "controller/migration/refresh/scrub.h"

namespace nandscape::controller {

Scrub::Scrub(const ScrubParameters& p, const FtlGeometry& geometry)
    : geometry_(geometry), period_(ticks_from_s(p.period_hours * 3600)), error_fraction_(p.relocate_error_fraction) {}

Ppa Scrub::next() {
  const std::uint64_t plane = step_ % geometry_.planes();
  const std::uint64_t page = step_ / geometry_.planes();
  if (++step_ == geometry_.units()) {
    step_ = 0;
    ++rounds_;
  }
  return Ppa(plane * geometry_.units_per_plane() + page);
}

}  // namespace nandscape::controller
