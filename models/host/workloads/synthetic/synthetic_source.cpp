// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/synthetic/synthetic_source.h"

#include <algorithm>
#include <cmath>

#include "host/workloads/workload_checks.h"

namespace nandscape::host {

PatternRegistry& address_patterns() {
  static PatternRegistry patterns("address pattern", [](PatternRegistry& r) {
    for (const auto add : {register_uniform, register_sequential, register_zipf, register_hot_cold}) add(r);
  });
  return patterns;
}

ArrivalRegistry& arrival_processes() {
  static ArrivalRegistry processes("arrival process", [](ArrivalRegistry& r) {
    for (const auto add : {register_poisson, register_constant, register_bursty}) add(r);
  });
  return processes;
}

void describe(BlockShare& s, ParameterVisitor& v) {
  v.integer("block_bytes", s.block_bytes, {512}, "bytes", "size of a request");
  v.real("weight", s.weight, {0}, "", "how often it is drawn, relative to the other sizes");
}

void describe(SyntheticParameters& p, ParameterVisitor& v) {
  v.real("read_percent", p.read_percent, {0, 100}, "percent", "share of the requests that read");
  v.real("trim_percent", p.trim_percent, {0, 100}, "percent", "share of the requests that trim; the rest write");
  v.integer("block_bytes", p.block_bytes, {512}, "bytes", "size of every request, unless block_mix is given");
  v.groups("block_mix", p.block_mix, "sizes to draw from");
  v.variant("pattern", p.pattern, address_patterns(), "addresses of the requests");
  v.integer("alignment_bytes", p.alignment_bytes, {}, "bytes",
            "requests start at multiples of this, counted from the footprint's start; 0: the (smallest) block size");
  describe(p.footprint, v);
  v.integer("requests", p.requests, {1}, "", "requests to make");
  v.variant("arrival", p.arrival, arrival_processes(), "open loop: arrival times of the requests");
  v.real("rate_iops", p.rate_iops, {0, 1e9}, "iops", "open loop: mean requests per second");
}

namespace {

// Returns the number of 53-bit numbers n for which n / 2^53, which RandomStream::uniform() would return, is below
// `share`.
std::uint64_t limit_of(double share) { return static_cast<std::uint64_t>(std::ceil(share * 0x1.0p53)); }

}  // namespace

SyntheticSource::SyntheticSource(const Parameters& parameters, const WorkloadContext& context)
    : requests_(parameters.requests),
      reads_below_(limit_of(parameters.read_percent / 100)),
      reads_and_trims_below_(limit_of((parameters.read_percent + parameters.trim_percent) / 100)),
      think_time_(context.think_time),
      kind_random_(context.seed, context.path + ".kind"),
      size_random_(context.seed, context.path + ".size"),
      address_random_(context.seed, context.path + ".address"),
      arrival_random_(context.seed, context.path + ".arrival") {
  if (parameters.read_percent + parameters.trim_percent > 100) {
    refuse(context, "trim_percent", "reads and trims together are more than 100 percent");
  }
  set_sizes(parameters, context);
  set_addresses(parameters, context);
  set_arrivals(parameters, context);
}

void SyntheticSource::set_sizes(const Parameters& parameters, const WorkloadContext& context) {
  if (parameters.block_mix.empty()) {
    sizes_.push_back({whole_sectors(context, "block_bytes", parameters.block_bytes), 0, 1});
    return;
  }
  double total = 0;
  for (const BlockShare& share : parameters.block_mix) total += share.weight;
  if (!(total > 0)) refuse(context, "block_mix", "all weights are 0; at least one size must have a weight above 0");
  double sum = 0;
  for (const BlockShare& share : parameters.block_mix) {
    sum += share.weight;
    if (share.weight == 0) continue;
    sizes_.push_back({whole_sectors(context, "block_mix", share.block_bytes), 0, sum / total});
  }
}

void SyntheticSource::set_addresses(const Parameters& parameters, const WorkloadContext& context) {
  const Footprint footprint = footprint_of(parameters.footprint, context);
  start_sector_ = footprint.start_sector;
  const auto [smallest, largest] = std::ranges::minmax(sizes_, {}, &Size::sectors);
  if (largest.sectors > footprint.sectors) {
    refuse(context, parameters.block_mix.empty() ? "block_bytes" : "block_mix",
           "a request of " + std::to_string(largest.sectors * bytes_per_sector) +
               " bytes does not fit into a footprint of " + std::to_string(footprint.sectors * bytes_per_sector) +
               " bytes");
  }
  slot_sectors_ = parameters.alignment_bytes == 0
                      ? smallest.sectors
                      : whole_sectors(context, "alignment_bytes", parameters.alignment_bytes);
  for (Size& size : sizes_) size.slots = (size.sectors + slot_sectors_ - 1) / slot_sectors_;
  const std::uint64_t slots = (footprint.sectors - largest.sectors) / slot_sectors_ + 1;
  const std::uint64_t layout_seed = mix64(context.seed) ^ hash_name(context.path + ".layout");
  pattern_ = address_patterns().make(parameters.pattern, PatternContext{slots, layout_seed});
}

void SyntheticSource::set_arrivals(const Parameters& parameters, const WorkloadContext& context) {
  if (!context.open_loop) {
    if (parameters.rate_iops > 0) {
      refuse_in_closed_loop(context, "rate_iops");
    }
    return;
  }
  if (!(parameters.rate_iops > 0)) refuse(context, "rate_iops", "an open loop needs a rate above 0");
  arrivals_ = arrival_processes().make(parameters.arrival, parameters.rate_iops);
}

bool SyntheticSource::next(HostRequest& request) {
  if (made_ == requests_) return false;
  ++made_;
  request.kind = draw_kind();
  const Size& size = draw_size();
  request.sectors = size.sectors;
  request.first = Lba(start_sector_ + pattern_->next(size.slots, address_random_) * slot_sectors_);
  request.at = arrivals_ != nullptr ? arrivals_->next(arrival_random_) : think_time_;
  return true;
}

RequestKind SyntheticSource::draw_kind() {
  const std::uint64_t random = kind_random_() >> 11;
  if (random < reads_below_) return RequestKind::read;
  return random < reads_and_trims_below_ ? RequestKind::trim : RequestKind::write;
}

const SyntheticSource::Size& SyntheticSource::draw_size() {
  if (sizes_.size() == 1) return sizes_.front();
  const double u = size_random_.uniform();
  for (const Size& size : sizes_) {
    if (u < size.share_up_to) return size;
  }
  return sizes_.back();
}

void register_synthetic(WorkloadRegistry& kinds) {
  kinds.add<SyntheticSource>("synthetic", "requests drawn from distributions");
}

}  // namespace nandscape::host
