// SPDX-License-Identifier: Apache-2.0
#include "controller/mapping/initial_fill.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "controller/mapping/greedy_equilibrium.h"
#include "core/error.h"

namespace nandscape::controller {

void describe(PreconditionParameters& p, ParameterVisitor& v) {
  v.unread_if(p.distribution == FillDistribution::steady_state, {"invalid_page_ratio", "order"},
              "distribution is steady_state, that of random writes");
  v.real("occupancy", p.occupancy, {0, 1}, "", "share of the exported capacity that holds data at the start");
  v.real(
      "invalid_page_ratio", p.invalid_page_ratio, {0, 0.99}, "",
      "for the distribution `scattered`: share of the programmed pages whose data have been overwritten at the start");
  v.choice("distribution", p.distribution,
           {{"scattered", "as left by random overwrites without collection"},
            {"steady_state", "as in the long run under random writes and greedy collection"}},
           "how many pages of each block are valid at the start");
  v.choice("order", p.order,
           {{"random", "as after random writes of single mapping units"},
            {"sequential", "as after one fill in the order of addresses"}},
           "how the data are arranged at the start");
  v.choice("ages", p.ages,
           {{"uniform", "all were written at the same time"},
            {"spread", "the fewer pages of a block are valid, the longer ago it was written"}},
           "when blocks were written, before nand.condition.retention_days");
  v.real("drive_writes_per_day", p.drive_writes_per_day, {1e-6, 1e6}, "",
         "for ages: how often per day the exported capacity was written");
  v.integer("updated_start_bytes", p.updated_start_bytes, {}, "bytes", "start of the data that were written last");
  v.integer("updated_bytes", p.updated_bytes, {}, "bytes",
            "size of the data that were written last. nand.condition.retention_days does not count for blocks that "
            "hold any of them, or translation pages, which are written with every update of what they map");
  v.real("updated_age_days", p.updated_age_days, {0, 1e6}, "days", "time since these data were written");
  v.real("last_read_share", p.last_read_share, {0, 1}, "",
         "for controller.read_retry.start: age of all data at their last read, as a share of their present age; the "
         "retry step of that read is remembered for each layer; 0: never read");
}

InitialFill::Affine InitialFill::Affine::spread(std::uint64_t modulus) {
  if (modulus < 3) return identity(std::max<std::uint64_t>(modulus, 1));
  constexpr double golden_section = 0.6180339887498949;
  auto factor = static_cast<std::uint64_t>(static_cast<double>(modulus) * golden_section);
  while (std::gcd(factor, modulus) != 1) ++factor;
  // The extended Euclidean algorithm computes the inverse of the factor.
  std::int64_t t = 0, next_t = 1;
  auto r = static_cast<std::int64_t>(modulus), next_r = static_cast<std::int64_t>(factor);
  while (next_r != 0) {
    const std::int64_t quotient = r / next_r;
    t = std::exchange(next_t, t - quotient * next_t);
    r = std::exchange(next_r, r - quotient * next_r);
  }
  const auto inverse = static_cast<std::uint64_t>(t < 0 ? t + static_cast<std::int64_t>(modulus) : t);
  return {modulus, factor, inverse};
}

namespace {

constexpr std::uint64_t most_units_of_plane = 0xFFFFFFFF;

std::uint64_t pages_written(const PreconditionParameters& p, std::uint64_t logical_pages) {
  return static_cast<std::uint64_t>(std::llround(p.occupancy * static_cast<double>(logical_pages)));
}

std::uint64_t translation_pages_written(std::uint64_t written, std::uint32_t entries) {
  return entries == 0 ? 0 : (written + entries - 1) / entries;
}

// Returns the number of full blocks that a plane needs for `valid_pages` valid pages and the configured share of
// invalid pages. For a steady state, invalid pages are not counted, so the result is the minimum. Such a fill uses all
// blocks except for the free ones.
std::uint32_t blocks_needed(const PreconditionParameters& p, const FtlGeometry& g, std::uint64_t valid_pages) {
  const double invalid = p.distribution == FillDistribution::scattered ? p.invalid_page_ratio : 0;
  const double programmed = static_cast<double>(valid_pages) / (1 - invalid);
  return static_cast<std::uint32_t>(std::ceil(programmed / g.units_per_block()));
}

}  // namespace

void check(const PreconditionParameters& p, const FtlGeometry& g, std::uint64_t logical_pages,
           std::uint32_t free_blocks, std::uint32_t entries_per_translation_page) {
  const std::uint64_t units = std::uint64_t{g.blocks_per_plane()} * g.units_per_block();
  if (units > most_units_of_plane) {
    throw ConfigError({}, "nand.geometry.pages_per_block",
                      "makes " + std::to_string(units) + " mapping units of each plane; at most " +
                          std::to_string(most_units_of_plane) + " can be mapped");
  }
  const std::uint64_t capacity = logical_pages * g.unit_bytes();
  if (p.updated_start_bytes > capacity || p.updated_bytes > capacity - p.updated_start_bytes) {
    throw ConfigError({}, "controller.precondition.updated_bytes",
                      std::to_string(p.updated_bytes) + " bytes from byte " + std::to_string(p.updated_start_bytes) +
                          " on end past the exported capacity of " + std::to_string(capacity) + " bytes");
  }
  const std::uint64_t written = pages_written(p, logical_pages);
  const std::uint64_t valid =
      (written + translation_pages_written(written, entries_per_translation_page) + g.planes() - 1) / g.planes();
  const std::uint32_t blocks = blocks_needed(p, g, valid);
  if (blocks + free_blocks <= g.blocks_per_plane()) return;
  const double room = static_cast<double>(g.blocks_per_plane() - free_blocks) * g.units_per_block();
  throw ConfigError({}, "controller.precondition.invalid_page_ratio",
                    "valid and invalid pages need " + std::to_string(blocks) + " blocks of a plane's " +
                        std::to_string(g.blocks_per_plane()) + ", and " + std::to_string(free_blocks) +
                        " must stay free; with this occupancy it can be at most " +
                        std::to_string(std::max(0.0, 1 - static_cast<double>(valid) / room)));
}

InitialFill::InitialFill(const PreconditionParameters& parameters, const FtlGeometry& geometry,
                         const AllocationOrder& order, std::uint64_t logical_pages, std::uint64_t seed,
                         std::uint32_t free_blocks, std::uint32_t entries_per_translation_page,
                         const FillPattern* pattern, const FillFrontiers& frontiers)
    : geometry_(geometry),
      order_(order),
      sequential_(parameters.order == FillOrder::sequential && parameters.distribution == FillDistribution::scattered),
      days_per_turnover_(parameters.ages == FillAges::spread ? parameters.occupancy / parameters.drive_writes_per_day
                                                             : 0),
      updated_age_days_(parameters.updated_age_days),
      pattern_(pattern),
      seed_(seed),
      planes_(geometry.planes()) {
  const bool steady = parameters.distribution == FillDistribution::steady_state;
  const std::uint32_t pages_per_block = geometry.units_per_block();
  pages_permutation_ = sequential_ ? Affine::identity(pages_per_block) : Affine::spread(pages_per_block);
  const auto permutation = [this](std::uint64_t slots) {
    return sequential_ ? Affine::identity(std::max<std::uint64_t>(slots, 1)) : Affine::spread(slots);
  };
  const std::uint64_t written = pages_written(parameters, logical_pages);
  const std::uint64_t translation_pages = translation_pages_written(written, entries_per_translation_page);
  const std::uint64_t unit = geometry.unit_bytes();
  const std::uint64_t first_updated = std::min(written, parameters.updated_start_bytes / unit);
  const std::uint64_t end_updated =
      std::min(written, (parameters.updated_start_bytes + parameters.updated_bytes + unit - 1) / unit);
  RandomStream random(seed, "controller.precondition");
  if (frontiers.any_plane && !sequential_) {
    scatter_planes(order.together(), written, first_updated,
                   parameters.updated_bytes == 0 ? first_updated : end_updated);
  }

  for (const FtlPlane id : geometry.every_plane()) {
    PlaneFill& plane = planes_[id];
    const auto slots_of = [&](std::uint64_t pages) { return static_cast<std::uint32_t>(order.slots(id, pages)); };
    plane.host_slots = slots_of(written);
    plane.first_translation = order.slots(id, logical_pages);
    plane.slots = plane.host_slots + static_cast<std::uint32_t>(order.slots(id, logical_pages + translation_pages) -
                                                                plane.first_translation);
    plane.first_updated = slots_of(first_updated);
    plane.updated_slots = parameters.updated_bytes == 0 ? 0 : slots_of(end_updated) - plane.first_updated;
    plane.last_slots = parameters.updated_bytes == 0 ? 0 : plane.updated_slots + plane.slots - plane.host_slots;
    plane.first_last_rank = plane.slots - plane.last_slots;
    plane.slots_permutation = permutation(plane.first_last_rank);
    plane.last_permutation = permutation(plane.last_slots);
    plane.first_block = blocks_.size();
    blocks_.emplace_back();
    if (plane.slots == 0) continue;

    plane.used_blocks =
        steady ? geometry.blocks_per_plane() - free_blocks : blocks_needed(parameters, geometry, plane.slots);
    plane.full_blocks = plane.used_blocks;
    plane.blocks_per_rank = plane.used_blocks / static_cast<double>(plane.slots);
    if (steady) {
      const std::vector<std::uint32_t> open = open_blocks(id, frontiers);
      plane.full_blocks -= static_cast<std::uint32_t>(open.size());
      balance(plane, open, random);
    } else {
      scatter(plane, random);
    }
    BlockFill* const blocks = &blocks_[plane.first_block];
    for (std::uint32_t k = 0; k < plane.used_blocks && !sequential_; ++k) {
      blocks[k].offset = static_cast<std::uint32_t>(mix64(seed ^ geometry.block(id, k).value) % pages_per_block);
    }
    const std::uint64_t patterned = pattern == nullptr ? 0 : pattern->patterned(plane.first_last_rank);
    while (patterned != 0 && plane.patterned_blocks < plane.full_blocks &&
           blocks[plane.patterned_blocks + 1].first_rank <= patterned) {
      ++plane.patterned_blocks;
    }
  }
}

// Units are scattered only within rows that are completely written. Rows at the limits of the data written last are
// excluded, so that these data do not exchange their places with other data.
void InitialFill::scatter_planes(std::uint32_t together, std::uint64_t written, std::uint64_t first_updated,
                                 std::uint64_t end_updated) {
  scattered_.emplace(geometry_.planes(), together, seed_);
  scattered_rows_ = written / scattered_->units_per_row();
  const auto edge = [this](std::uint64_t unit) {
    const bool whole = unit % scattered_->units_per_row() == 0;
    return whole ? scattered_rows_ : unit / scattered_->units_per_row();
  };
  edge_rows_ = {edge(first_updated), edge(end_updated)};
}

// The written share of each open block is a multiple of the golden section modulo 1 [Knuth, The Art of Computer
// Programming, volume 3, section 6.4]. Such multiples are evenly distributed over the planes, for any number of planes.
std::vector<std::uint32_t> InitialFill::open_blocks(FtlPlane plane, const FillFrontiers& frontiers) const {
  constexpr double golden_section = 0.6180339887498949;
  const std::uint32_t wordlines = geometry_.units_per_block() / frontiers.units_per_wordline;
  std::vector<std::uint32_t> open;
  std::uint64_t units = 0;
  for (std::uint32_t stream = 0; stream < frontiers.open_blocks && wordlines > 1; ++stream) {
    const double multiple = golden_section * (std::uint64_t{stream} * geometry_.planes() + plane.value + 1);
    const double share = multiple - std::floor(multiple);
    const auto programmed = 1 + static_cast<std::uint32_t>(share * (wordlines - 1));
    units += open.emplace_back(programmed * frontiers.units_per_wordline);
  }
  const PlaneFill& fill = planes_[plane];
  const std::uint64_t full = std::uint64_t{fill.used_blocks - static_cast<std::uint32_t>(open.size())};
  const bool fits = fill.slots > units && fill.slots - units <= full * geometry_.units_per_block();
  return fits ? open : std::vector<std::uint32_t>();
}

// Each programmed page is valid with equal probability, so the number of valid pages in a block has a hypergeometric
// distribution. It is drawn from the normal approximation of this distribution. The limits `least` and `most` ensure
// that exactly the remaining valid pages are left for the last blocks.
void InitialFill::scatter(const PlaneFill& plane, RandomStream& random) {
  const std::uint32_t pages_per_block = geometry_.units_per_block();
  const std::uint64_t together = order_.together();
  std::uint64_t valid_left = plane.slots;
  std::uint64_t pages_left = std::uint64_t{plane.used_blocks} * pages_per_block;
  for (std::uint32_t block = 0; block < plane.used_blocks; ++block) {
    pages_left -= pages_per_block;
    const double total = static_cast<double>(pages_left + pages_per_block);
    const double share = static_cast<double>(valid_left) / total;
    const double mean = share * pages_per_block;
    const double variance = mean * (1 - share) * static_cast<double>(pages_left) / std::max(1.0, total - 1);
    double drawn = mean;
    if (!sequential_ && variance > 0) {
      // The sum of 12 uniform random numbers, minus 6, approximates a standard normal number well enough for a page
      // count.
      double normal = -6;
      for (int n = 0; n < 12; ++n) normal += random.uniform();
      drawn += normal * std::sqrt(variance);
    }
    const std::uint64_t least = valid_left > pages_left ? valid_left - pages_left : 0;
    const std::uint64_t most = std::min<std::uint64_t>(pages_per_block, valid_left);
    auto valid = std::clamp(static_cast<std::uint64_t>(std::llround(std::max(0.0, drawn))), least, most);
    // `together` consecutive logical pages share a flash page, so the number is rounded up to a multiple of `together`.
    if (sequential_) valid = std::min<std::uint64_t>(most, (valid + together - 1) / together * together);
    valid_left -= valid;
    append(static_cast<std::uint32_t>(valid));
  }
}

// The numbers of valid pages are the quantiles of their distribution in the equilibrium of greedy collection. They are
// assigned to the blocks in an order that keeps the prefix sums close to a straight line. Then find() needs few steps
// from its first guess.
void InitialFill::balance(const PlaneFill& plane, const std::vector<std::uint32_t>& open, RandomStream& random) {
  const std::uint32_t pages_per_block = geometry_.units_per_block();
  const std::uint32_t blocks = plane.full_blocks;
  const std::uint64_t slots = plane.slots - std::accumulate(open.begin(), open.end(), std::uint64_t{0});
  const double pages = static_cast<double>(blocks) * pages_per_block;
  const CollectionEquilibrium equilibrium = greedy_equilibrium(static_cast<double>(slots) / pages, pages_per_block);
  std::vector<std::uint32_t> by_rank(blocks);
  std::uint64_t sum = 0;
  std::uint32_t valid = 0;
  double below = equilibrium.blocks[0];  // share of blocks with at most `valid` valid pages
  for (std::uint32_t rank = 0; rank < blocks; ++rank) {
    while (valid < pages_per_block && below <= (rank + 0.5) / blocks) below += equilibrium.blocks[++valid];
    sum += by_rank[rank] = valid;
  }
  // Corrects the sum, which differs from `slots` by rounding, by one page per block.
  for (std::uint32_t rank = 0; sum != slots; rank = (rank + 1) % blocks) {
    if (sum < slots && by_rank[rank] < pages_per_block) {
      ++by_rank[rank];
      ++sum;
    } else if (sum > slots && by_rank[rank] > 0) {
      --by_rank[rank];
      --sum;
    }
  }
  const Affine ranks = Affine::spread(blocks);
  const std::uint64_t offset = random.below(blocks);
  for (std::uint32_t block = 0; block < blocks; ++block) append(by_rank[ranks.forward(block, offset)]);
  for (const std::uint32_t programmed : open) append(programmed);
}

std::uint32_t InitialFill::valid_pages(Superblock block) const {
  const PlaneFill& plane = planes_[geometry_.plane_of(block)];
  const std::uint32_t index = block.value % geometry_.blocks_per_plane();
  if (index >= plane.used_blocks) return 0;
  const BlockFill* const fill = &blocks_[plane.first_block + index];
  return fill[1].first_rank - fill[0].first_rank;
}

std::uint32_t InitialFill::programmed_pages(Superblock block) const {
  const PlaneFill& plane = planes_[geometry_.plane_of(block)];
  return is_open(plane, geometry_.block_in_plane(block)) ? valid_pages(block) : geometry_.units_per_block();
}

bool InitialFill::patterned(Superblock block) const {
  const PlaneFill& plane = planes_[geometry_.plane_of(block)];
  return block.value % geometry_.blocks_per_plane() < plane.patterned_blocks;
}

template <bool patterned>
inline std::uint64_t InitialFill::rank_of(const PlaneFill& plane, std::uint64_t slot) const {
  const auto among_last = [&](std::uint64_t k) { return plane.first_last_rank + plane.last_permutation.forward(k, 0); };
  if (plane.last_slots != 0) {
    if (slot >= plane.host_slots) return among_last(plane.updated_slots + slot - plane.host_slots);
    const std::uint64_t behind = slot - plane.first_updated;
    if (behind < plane.updated_slots) return among_last(behind);
  }
  const std::uint64_t among_others =
      plane.slots_permutation.forward(slot < plane.first_updated ? slot : slot - plane.updated_slots, 0);
  if constexpr (!patterned) return among_others;
  return pattern_->rank_of(among_others, plane.first_last_rank);
}

std::uint64_t InitialFill::slot_of(const PlaneFill& plane, std::uint64_t rank) const {
  if (rank >= plane.first_last_rank) {
    const std::uint64_t last = plane.last_permutation.backward(rank - plane.first_last_rank, 0);
    const bool of_host = last < plane.updated_slots;
    return of_host ? plane.first_updated + last : plane.host_slots + last - plane.updated_slots;
  }
  const std::uint64_t among_others = pattern_ == nullptr ? rank : pattern_->slot_of(rank, plane.first_last_rank);
  const std::uint64_t slot = plane.slots_permutation.backward(among_others, 0);
  return slot < plane.first_updated ? slot : slot + plane.updated_slots;
}

bool InitialFill::updated(Superblock block) const {
  const PlaneFill& plane = planes_[geometry_.plane_of(block)];
  const std::uint32_t index = block.value % geometry_.blocks_per_plane();
  if (plane.last_slots == 0 || index >= plane.used_blocks) return false;
  return blocks_[plane.first_block + index + 1].first_rank > plane.first_last_rank;
}

double InitialFill::age_days(Superblock block) const {
  if (updated(block)) return updated_age_days_;
  const FtlPlane plane = geometry_.plane_of(block);
  if (days_per_turnover_ == 0 || is_open(planes_[plane], geometry_.block_in_plane(block))) return 0;
  // The logarithm approximates the sum 1/b + ... + 1/i (see age_days() in the header).
  const double valid = std::max(1U, valid_pages(block));
  return days_per_turnover_ * std::log((geometry_.units_per_block() + 0.5) / (valid - 0.5));
}

Ppa InitialFill::find(Lpn lpn) const {
  if (scattered_) {
    if (const std::uint64_t row = scattered_->row_of(lpn); is_scattered(row)) {
      const ScatteredPlanes::Place place = scattered_->place_of(lpn, row);
      return find(order_.plane_at(place.position), place.slot);
    }
  }
  return find(order_.plane_of(lpn), order_.slot_of(lpn));
}

inline Ppa InitialFill::find(FtlPlane plane, std::uint64_t slot) const {
  if (pattern_ != nullptr) return find_in_pattern(plane, slot);
  return find_by<false>(plane, slot);
}

Ppa InitialFill::find_in_pattern(FtlPlane plane, std::uint64_t slot) const { return find_by<true>(plane, slot); }

template <bool patterned>
inline Ppa InitialFill::find_by(FtlPlane plane_id, std::uint64_t slot) const {
  const PlaneFill& plane = planes_[plane_id];
  if (slot >= plane.host_slots) {
    if (slot < plane.first_translation) return Ppa();
    slot = slot - plane.first_translation + plane.host_slots;
    if (slot >= plane.slots) return Ppa();
  }
  const std::uint64_t rank = rank_of<patterned>(plane, slot);
  const BlockFill* const fills = &blocks_[plane.first_block];
  auto index =
      std::min(static_cast<std::uint32_t>(static_cast<double>(static_cast<std::int64_t>(rank)) * plane.blocks_per_rank),
               plane.used_blocks - 1);
  while (fills[index].first_rank > rank) --index;
  while (fills[index + 1].first_rank <= rank) ++index;
  const BlockFill fill = fills[index];
  const Superblock block = geometry_.block(plane_id, index);
  if (is_open(plane, index)) return geometry_.unit(block, static_cast<std::uint32_t>(rank - fill.first_rank));
  const auto k = static_cast<std::uint32_t>(pages_permutation_.forward(rank - fill.first_rank, fill.offset));
  return geometry_.unit(block, patterned && index < plane.patterned_blocks ? pattern_->place_of(k) : k);
}

Lpn InitialFill::lpn_at(Ppa ppa) const {
  const Superblock block = geometry_.block_of(ppa);
  const FtlPlane plane_id = geometry_.plane_of(block);
  const PlaneFill& plane = planes_[plane_id];
  const std::uint32_t index = block.value - plane_id.value * geometry_.blocks_per_plane();
  if (index >= plane.used_blocks) return Lpn();
  const BlockFill* const fill = &blocks_[plane.first_block + index];
  const std::uint32_t page = geometry_.unit_in_block(ppa);
  const std::uint64_t k =
      is_open(plane, index)
          ? page
          : pages_permutation_.backward(index < plane.patterned_blocks ? pattern_->at(page) : page, fill->offset);
  if (k >= fill[1].first_rank - fill[0].first_rank) return Lpn();
  const std::uint64_t slot = slot_of(plane, fill->first_rank + k);
  const Lpn in_order =
      order_.lpn_at(plane_id, slot < plane.host_slots ? slot : slot - plane.host_slots + plane.first_translation);
  const bool scattered = scattered_ && is_scattered(scattered_->row_of(in_order));
  return scattered ? scattered_->unit_at(in_order) : in_order;
}

}  // namespace nandscape::controller
