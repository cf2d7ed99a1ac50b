// SPDX-License-Identifier: Apache-2.0
#include "channel/bus_timing.h"

namespace nandscape::channel {

namespace {
constexpr std::uint32_t column_address_cycles = 2;
constexpr std::uint32_t feature_bytes = 4;

// Returns whether the command selects a step of the retry table, which needs vendor prefix cycles. A read at
// `best_levels` needs none, because no real die has a command for it.
constexpr bool retries(const NandCommand& c) { return c.retry_step != 0 && c.retry_step != best_levels; }

// Returns whether the command of a copyback transfers nothing of its page.
bool bare(const NandCommand& c) { return c.bytes == 0 && c.tag.empty(); }
}  // namespace

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
      before_data_out_(t_rr_),
      ticks_per_plain_byte_(1e6 / p.rate_mt_s),
      ticks_per_tag_byte_(1e6 / p.rate_mt_s * (8.0 / p.width_bits)),
      ticks_per_byte_(ticks_per_tag_byte_),
      page_bytes_(geometry.page_bytes) {
  if (p.transfer_spare) {
    ticks_per_byte_ *= static_cast<double>(geometry.page_bytes + geometry.spare_bytes) / geometry.page_bytes;
  }
  page_data_ = burst(page_bytes_);
  if (geometry.independent_plane_reads) {
    const Tick status = cycle_ + row_ + t_whr_ + plain_bytes(1);
    const Tick select = 2 * cycle_ + address_ + ticks_from_ns(p.t_ccs_ns);
    before_data_out_ = status + select;
  }
  NandCommand plain;
  for (std::size_t k = 0; k < requests_.size(); ++k) {
    plain.operation = static_cast<NandOperation>(k);
    requests_[k] = any_request(plain);
  }
}

Tick BusTiming::plain_bytes(std::uint32_t bytes) const {
  return burst_overhead_ + nearest_tick(bytes * ticks_per_plain_byte_);
}

Tick BusTiming::copied(const NandCommand& c) const {
  if (c.bytes != 0) return data(c.bytes);
  return burst_overhead_ + nearest_tick(static_cast<double>(c.tag.size_bytes()) * ticks_per_tag_byte_);
}

Tick BusTiming::prefixes(const NandCommand& c) const {
  return cycle_ * ((retries(c) ? 2 : 0) + (c.sensing_levels != 1 ? 2 : 0) + (c.single_operation ? 1 : 0) +
                   (c.program_step_mv != 0 ? 3 : 0) + (c.mode == ProgramMode::slc ? 1 : 0));
}

Tick BusTiming::any_request(const NandCommand& c) const {
  const Tick confirm = cycle_ + t_wb_ + (c.more_planes ? t_dbsy_ : 0);
  switch (c.operation) {
    case NandOperation::read:
    case NandOperation::copyback_read: return prefixes(c) + cycle_ + address_ + confirm;
    case NandOperation::program: return prefixes(c) + cycle_ + address_ + t_adl_ + data(c.bytes) + confirm;
    case NandOperation::copyback_program:
      return prefixes(c) + cycle_ + address_ + (bare(c) ? 0 : t_adl_ + copied(c)) + confirm;
    case NandOperation::erase: return cycle_ + row_ + confirm;
    case NandOperation::adjust_voltage: return 3 * cycle_ + row_ + confirm;
    case NandOperation::suspend:
    case NandOperation::resume:
    case NandOperation::reset: return cycle_ + row_ + t_wb_;
    case NandOperation::set_feature: return 3 * cycle_ + t_adl_ + plain_bytes(feature_bytes) + t_wb_;
    case NandOperation::get_feature: return 3 * cycle_ + t_wb_;
    case NandOperation::read_parameter_page: return 2 * cycle_ + t_wb_;
  }
  return 0;
}

Tick BusTiming::other_response(const NandCommand& c) const {
  switch (c.operation) {
    case NandOperation::copyback_read:
      if (!bare(c)) return t_rr_ + copied(c);
      [[fallthrough]];
    case NandOperation::program:
    case NandOperation::copyback_program:
    case NandOperation::adjust_voltage:
    case NandOperation::erase: return cycle_ + t_whr_ + plain_bytes(1);
    case NandOperation::get_feature: return t_rr_ + plain_bytes(feature_bytes);
    case NandOperation::read_parameter_page: return c.bytes == 0 ? 0 : t_rr_ + plain_bytes(c.bytes);
    default: return 0;
  }
}

}  // namespace nandscape::channel
