// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/profile/profile_source.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "host/workloads/workload_checks.h"

namespace nandscape::host {

namespace {

std::uint64_t share_of(std::uint64_t count, double percent) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) * percent / 100));
}

// Returns the shares of the size classes, scaled so that their sum is 1. Published shares are rounded, so their sum is
// not exactly 100 %.
std::vector<double> class_shares(const ProfileStatistics& p, const WorkloadContext& context) {
  std::vector<double> shares = p.size_class_percent;
  if (shares.empty()) return shares;
  if (shares.size() != p.size_class_bytes.size() + 1) {
    refuse(context, "size_class_percent",
           "holds " + std::to_string(shares.size()) + " shares, but size_class_bytes bounds " +
               std::to_string(p.size_class_bytes.size() + 1) + " classes: one up to each size, and one above");
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  const auto most_rounding = static_cast<double>(shares.size()) / 2;  // each share may be rounded by half a percent
  if (std::abs(sum - 100) > most_rounding) {
    refuse(context, "size_class_percent", "the shares add up to " + std::to_string(sum) + " percent instead of 100");
  }
  for (double& share : shares) share /= sum;
  return shares;
}

void check_sizes(const ProfileStatistics& p, const WorkloadContext& context) {
  whole_sectors(context, "size_step_bytes", p.size_step_bytes);
  if (p.largest_request_bytes % p.size_step_bytes != 0) {
    refuse(context, "largest_request_bytes", "is not a multiple of size_step_bytes");
  }
  if (!std::ranges::is_sorted(p.size_class_bytes, std::less_equal<>())) {
    refuse(context, "size_class_bytes", "sizes must be ascending");
  }
  // A class with a share above 0 must contain at least one possible request size.
  double below = 0;
  for (std::size_t k = 0; k < p.size_class_percent.size(); ++k) {
    const bool last = k == p.size_class_bytes.size();
    const double bound = last ? static_cast<double>(p.largest_request_bytes)
                              : std::min(p.size_class_bytes[k], static_cast<double>(p.largest_request_bytes));
    const auto step = static_cast<double>(p.size_step_bytes);
    const bool empty = std::floor(bound / step) <= std::floor(below / step);
    if (empty && p.size_class_percent[k] > 0) {
      refuse(context, "size_class_percent",
             "share number " + std::to_string(k) +
                 " is above 0, but its class contains no size: sizes are multiples of " +
                 std::to_string(p.size_step_bytes) + " bytes up to largest_request_bytes");
    }
    below = bound;
  }
}

RequestSizes sizes_of(const ProfileStatistics& p, const WorkloadContext& context) {
  const std::vector<double> shares = class_shares(p, context);
  check_sizes(p, context);
  try {
    return request_sizes({p.read_percent / 100, p.mean_read_bytes, p.mean_write_bytes, shares, p.size_class_bytes,
                          p.size_step_bytes, p.largest_request_bytes});
  } catch (const std::domain_error& nearest) {
    const std::string conflict =
        "no sizes have these means and classes; the nearest have " + std::string(nearest.what());
    if (shares.empty()) {
      refuse(context, "largest_request_bytes",
             conflict + ". Sizes are multiples of size_step_bytes up to largest_request_bytes");
    }
    refuse(context, "size_class_percent",
           conflict + ". Change a mean or the classes, or keep only the means: size_class_percent: []");
  }
}

std::uint64_t seed_of(const WorkloadContext& context, std::string_view what) {
  return mix64(context.seed) ^ hash_name(context.path + "." + std::string(what));
}

std::uint64_t alignment_of(const ProfileStatistics& p, const WorkloadContext& context) {
  if (p.alignment_bytes == 0) return p.size_step_bytes;
  whole_sectors(context, "alignment_bytes", p.alignment_bytes);
  return p.alignment_bytes;
}

std::unique_ptr<ArrivalProcess> arrivals_of(const ProfileParameters& p, const WorkloadContext& context) {
  if (context.open_loop) {
    if (!(p.requests_per_s > 0)) refuse(context, "requests_per_s", "an open loop needs a rate above 0");
    return arrival_processes().make({"poisson", nullptr}, p.requests_per_s);
  }
  if (p.requests_per_s > 0) {
    refuse_in_closed_loop(context, "requests_per_s");
  }
  return nullptr;
}

}  // namespace

ProfileSource::Direction::Direction(std::uint64_t n, SizeDistribution sizes, std::uint64_t seed)
    : count(n), distribution(std::move(sizes)), order(n, seed) {}

std::uint64_t ProfileSource::Direction::size(std::uint64_t rank) const {
  return distribution.at((static_cast<double>(rank) + 0.5) / static_cast<double>(count));
}

ProfileSource::ProfileSource(const Parameters& p, const WorkloadContext& context)
    : ProfileSource(p, context, sizes_of(p, context), share_of(p.requests, p.read_percent)) {}

ProfileSource::ProfileSource(const Parameters& p, const WorkloadContext& context, RequestSizes sizes,
                             std::uint64_t reads)
    : requests_(p.requests),
      reads_(reads, std::move(sizes.reads), seed_of(context, "read_sizes")),
      writes_(p.requests - reads, std::move(sizes.writes), seed_of(context, "write_sizes")),
      read_quota_(reads, p.requests),
      cold_reads_(share_of(reads, p.cold_read_percent)),
      cold_quota_(cold_reads_, reads),
      slot_bytes_(alignment_of(p, context)),
      places_(writes_.count, seed_of(context, "places")),
      place_seed_(seed_of(context, "place")),
      arrivals_(arrivals_of(p, context)),
      think_time_(context.think_time),
      kind_random_(context.seed, context.path + ".kind"),
      address_random_(context.seed, context.path + ".address"),
      arrival_random_(context.seed, context.path + ".arrival") {
  if (writes_.count == 0 && cold_reads_ < reads) {
    refuse(context, "cold_read_percent",
           "reads that are not cold read data that the run writes, but none of its " + std::to_string(requests_) +
               " requests is a write; make it 100, or make more requests");
  }
  set_regions(p, context);
}

std::uint64_t ProfileSource::slots_of(std::uint64_t bytes) const { return (bytes + slot_bytes_ - 1) / slot_bytes_; }

void ProfileSource::set_regions(const Parameters& p, const WorkloadContext& context) {
  const Footprint footprint = footprint_of(p.footprint, context);
  start_sector_ = footprint.start_sector;
  const std::uint64_t slots = footprint.sectors * bytes_per_sector / slot_bytes_;

  const bool hot_reads = cold_reads_ < reads_.count;
  const std::uint64_t smallest = slots_of(std::max(writes_.largest(), hot_reads ? reads_.largest() : 0));
  if (p.updated_bytes != 0) {
    updated_.slots = slots_of(p.updated_bytes);
  } else if (writes_.count > 0) {
    const double written = static_cast<double>(writes_.count) * p.mean_write_bytes;
    const double most = static_cast<double>(slots) * p.updated_fraction;
    updated_.slots = static_cast<std::uint64_t>(
        std::min(most, std::ceil(written / p.mean_updates / static_cast<double>(slot_bytes_))));
    updated_.slots = std::max(updated_.slots, smallest);
  }
  const std::string_view key = p.updated_bytes != 0 ? "updated_bytes" : footprint.key;
  const auto bytes = [&](std::uint64_t count) { return std::to_string(count * slot_bytes_) + " bytes"; };
  if (updated_.slots < smallest) {
    refuse(context, key,
           "a request of " + bytes(smallest) + " does not fit into an updated part of " + bytes(updated_.slots));
  }
  const std::uint64_t cold = cold_reads_ == 0 ? 0 : std::max<std::uint64_t>(1, slots_of(reads_.largest()));
  if (updated_.slots > slots || cold > slots - updated_.slots) {
    refuse(context, key,
           "a footprint of " + bytes(slots) + " has no room for an updated part of " + bytes(updated_.slots) +
               " and cold reads of up to " + bytes(cold));
  }
  cold_ = {updated_.slots, slots - updated_.slots};
}

bool ProfileSource::next(HostRequest& request) {
  if (made_ == requests_) return false;
  ++made_;
  std::uint64_t bytes = 0;
  std::uint64_t slot = 0;
  if (read_quota_.draw(kind_random_)) {
    request.kind = RequestKind::read;
    bytes = reads_.next_size();
    slot = place_of_read(slots_of(bytes));
  } else {
    request.kind = RequestKind::write;
    const std::uint64_t write = writes_.made;
    bytes = writes_.next_size();
    slot = place_of_write(write, slots_of(bytes));
  }
  request.first = Lba(start_sector_ + slot * (slot_bytes_ / bytes_per_sector));
  request.sectors = bytes / bytes_per_sector;
  request.at = arrivals_ != nullptr ? arrivals_->next(arrival_random_) : think_time_;
  return true;
}

// Returns the first slot of a write. The updated region is divided into as many equal parts as there are writes, and
// each write starts in its own part. A request that would end past the region starts so early that it fits.
std::uint64_t ProfileSource::place_of_write(std::uint64_t write, std::uint64_t slots) const {
  const double within = static_cast<double>(mix64(place_seed_ ^ write) >> 11) * 0x1.0p-53;
  const double part = (static_cast<double>(places_(write)) + within) / static_cast<double>(writes_.count);
  const auto slot = static_cast<std::uint64_t>(part * static_cast<double>(updated_.slots));
  return updated_.first + std::min(slot, updated_.slots - slots);
}

std::uint64_t ProfileSource::place_of_read(std::uint64_t slots) {
  if (cold_quota_.draw(kind_random_)) return cold_.first + address_random_.below(cold_.slots - slots + 1);
  return place_of_write(address_random_.below(writes_.count), slots);
}

void register_profile(WorkloadRegistry& kinds) {
  kinds.add<ProfileSource>("profile", "requests with published statistics: mean sizes, size classes, cold reads");
}

}  // namespace nandscape::host
