// SPDX-License-Identifier: Apache-2.0
#include "channel/bus_timing.h"

#include <cmath>

namespace nandscape {

namespace {
constexpr std::uint32_t column_address_cycles = 2;
}

BusTiming::BusTiming(const ChannelParameters& p, const Geometry& geometry)
    : cycle_(ticks_from_ns(p.t_cycle_ns)),
      row_(cycle_ * p.row_address_cycles),
      address_(row_ + cycle_ * column_address_cycles),
      t_wb_(ticks_from_ns(p.t_wb_ns)),
      t_rr_(ticks_from_ns(p.t_rr_ns)),
      t_adl_(ticks_from_ns(p.t_adl_ns)),
      t_whr_(ticks_from_ns(p.t_whr_ns)),
      t_dbsy_(ticks_from_ns(p.t_dbsy_ns)),
      burst_overhead_(ticks_from_ns(p.t_preamble_ns) + ticks_from_ns(p.t_postamble_ns)),
      status_byte_(static_cast<Tick>(std::llround(1e6 / p.rate_mt_s))),
      ticks_per_byte_(1e6 / p.rate_mt_s * (8.0 / p.width_bits)) {
  if (p.transfer_spare) {
    ticks_per_byte_ *= static_cast<double>(geometry.page_bytes + geometry.spare_bytes) / geometry.page_bytes;
  }
}

Tick BusTiming::data(std::uint32_t bytes) const {
  if (bytes == 0) return 0;
  return burst_overhead_ + static_cast<Tick>(std::llround(bytes * ticks_per_byte_));
}

Tick BusTiming::request(const NandCommand& c) const {
  const Tick confirm = cycle_ + t_wb_ + (c.more_planes ? t_dbsy_ : 0);
  switch (c.operation) {
    case NandOperation::read: return cycle_ + address_ + confirm;
    case NandOperation::program: return cycle_ + address_ + t_adl_ + data(c.bytes) + confirm;
    case NandOperation::erase: return cycle_ + row_ + confirm;
    case NandOperation::suspend:
    case NandOperation::resume: return cycle_ + row_ + t_wb_;
  }
  return 0;
}

Tick BusTiming::response(const NandCommand& c) const {
  switch (c.operation) {
    case NandOperation::read: return c.bytes == 0 ? 0 : t_rr_ + data(c.bytes);
    case NandOperation::program:
    case NandOperation::erase: return cycle_ + t_whr_ + burst_overhead_ + status_byte_;
    default: return 0;
  }
}

}  // namespace nandscape
