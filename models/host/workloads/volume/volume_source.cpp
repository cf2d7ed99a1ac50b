// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/volume/volume_source.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "host/workloads/workload_checks.h"

namespace nandscape::host {

namespace {

constexpr double bytes_per_gib = 1 << 30;
constexpr double seconds_per_day = 86'400;

// Rounds down to a whole number.
std::uint64_t whole(double count) { return static_cast<std::uint64_t>(count); }

std::unique_ptr<ArrivalProcess> arrivals_of(const VolumeParameters& p, const WorkloadContext& context,
                                            std::uint64_t requests) {
  if (context.open_loop) {
    const double mean = static_cast<double>(requests) / (p.span_days * seconds_per_day);
    return arrival_processes().make({"poisson", nullptr}, p.requests_per_s > 0 ? p.requests_per_s : mean);
  }
  if (p.requests_per_s > 0) {
    refuse_in_closed_loop(context, "requests_per_s");
  }
  return nullptr;
}

}  // namespace

VolumeSource::Amounts VolumeSource::amounts_of(const Parameters& p, const WorkloadContext& context) {
  if (p.distinct_gib > p.written_gib) {
    refuse(context, "distinct_gib", "is more than written_gib, of which it is a part");
  }
  if (p.distinct_gib > p.capacity_gib) {
    refuse(context, "distinct_gib", "is more than capacity_gib; the working set is a part of the disk");
  }
  const double requests_per_gib = p.scale * bytes_per_gib / static_cast<double>(p.request_bytes);
  Amounts amounts{};
  amounts.disk = whole(p.capacity_gib * requests_per_gib);
  amounts.writes = whole(p.written_gib * requests_per_gib);
  amounts.distinct = whole(p.distinct_gib * requests_per_gib);
  amounts.reads = whole(static_cast<double>(amounts.writes) * p.read_percent / (100 - p.read_percent));
  if (amounts.distinct == 0) {
    refuse(context, "distinct_gib",
           "times scale is less than a request of " + std::to_string(p.request_bytes) + " bytes; nothing is written");
  }
  const double capacity = static_cast<double>(context.capacity_sectors) * bytes_per_sector;
  const double start = static_cast<double>(p.start_bytes);
  const double disk = static_cast<double>(amounts.disk) * static_cast<double>(p.request_bytes);
  if (start + disk > capacity) {
    const double most = std::max(capacity - start, 0.0) / (p.capacity_gib * bytes_per_gib);
    refuse(context, "scale",
           "a disk of " + std::to_string(whole(disk)) + " bytes from byte " + std::to_string(p.start_bytes) +
               " on ends past the capacity of " + std::to_string(whole(capacity)) + " bytes; a scale of at most " +
               std::to_string(std::floor(most * 1e6) / 1e6) + " fits");
  }
  return amounts;
}

VolumeSource::VolumeSource(const Parameters& p, const WorkloadContext& context)
    : request_sectors_(whole_sectors(context, "request_bytes", p.request_bytes)),
      start_sector_(whole_sectors(context, "start_bytes", p.start_bytes)),
      amounts_(amounts_of(p, context)),
      requests_(std::min(p.requests, amounts_.writes + amounts_.reads)),
      order_(amounts_.writes, mix64(context.seed) ^ hash_name(context.path + ".order")),
      arrivals_(arrivals_of(p, context, amounts_.writes + amounts_.reads)),
      think_time_(context.think_time),
      read_quota_(amounts_.reads, amounts_.reads + amounts_.writes),
      kind_random_(context.seed, context.path + ".kind"),
      address_random_(context.seed, context.path + ".address"),
      arrival_random_(context.seed, context.path + ".arrival") {}

bool VolumeSource::next(HostRequest& request) {
  if (made_ == requests_) return false;
  ++made_;
  std::uint64_t place = 0;
  if (read_quota_.draw(kind_random_)) {
    request.kind = RequestKind::read;
    place = address_random_.below(amounts_.disk);
  } else {
    request.kind = RequestKind::write;
    place = order_(written_++) % amounts_.distinct;
  }
  request.first = Lba(start_sector_ + place * request_sectors_);
  request.sectors = request_sectors_;
  request.at = arrivals_ != nullptr ? arrivals_->next(arrival_random_) : think_time_;
  return true;
}

void register_volume(WorkloadRegistry& kinds) {
  kinds.add<VolumeSource>("volume", "a disk of which a working set is written, with published amounts in a span");
}

}  // namespace nandscape::host
