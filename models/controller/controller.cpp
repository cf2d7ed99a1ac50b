// SPDX-License-Identifier: Apache-2.0
#include "controller/controller.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "controller/access_range.h"
#include "core/error.h"
#include "core/ticks.h"

namespace nandscape {

FlashLayout flash_layout(const ControllerParameters& p, const Geometry& g) {
  const std::uint32_t unit = p.mapping.unit_bytes == 0 ? g.page_bytes : p.mapping.unit_bytes;
  if (g.page_bytes % unit != 0 || unit % sector_bytes != 0 || g.page_bytes / unit > most_units_per_page) {
    throw ConfigError({}, "controller.mapping.unit_bytes",
                      "must be a page (" + std::to_string(g.page_bytes) + "), a half or a quarter of it, and whole " +
                          std::to_string(sector_bytes) + "-byte sectors; 0 takes a page");
  }
  const std::uint32_t stripe = p.parity.stripe_dies;
  if (stripe != 0 && (stripe < 2 || g.dies() % stripe != 0)) {
    std::string choices;
    for (std::uint32_t dies = 2; dies <= g.dies(); ++dies) {
      if (g.dies() % dies == 0) choices += std::to_string(dies) + ", ";
    }
    throw ConfigError({}, "controller.parity.stripe_dies",
                      "must divide the device's " + std::to_string(g.dies()) +
                          " dies into sets of at least 2: " + choices + "or 0 for no parity");
  }
  if (stripe != 0 && p.garbage_collection.copyback) {
    throw ConfigError({}, "controller.garbage_collection.copyback",
                      "moves pages within a plane, past the controller, which makes the parity of their new row from "
                      "them: leave it off, or set parity.stripe_dies to 0");
  }
  const bool over_layers = fullpage_pattern(p, g).has_value();
  if (over_layers && stripe != 0) {
    throw ConfigError({}, "controller.mapping.fullpage_allocation",
                      "fpa makes a block of four that lie over all layers, and parity one of those of several dies: "
                      "choose one of them; controller.parity.stripe_dies is 0 without parity");
  }
  if (over_layers && p.garbage_collection.copyback) {
    throw ConfigError({}, "controller.garbage_collection.copyback",
                      "moves pages past the ECC engine, and with fpa their parity depends on where they lie: leave it "
                      "off, or set mapping.fullpage_allocation to in_one_page");
  }
  return FlashLayout(g, unit, stripe, over_layers);
}

std::optional<FullpagePattern> fullpage_pattern(const ControllerParameters& p, const Geometry& g) {
  if (p.mapping.fullpage_allocation != FullpageAllocation::fpa) return std::nullopt;
  FullpagePattern::LayerGroups groups{};
  std::array<bool, layer_quarters> taken{};
  bool each = p.mapping.fullpage_layer_groups.size() == layer_quarters;
  for (std::size_t k = 0; each && k < layer_quarters; ++k) {
    const double group = p.mapping.fullpage_layer_groups[k];
    groups[k] = static_cast<std::uint8_t>(group);
    each = groups[k] == group && !std::exchange(taken[groups[k]], true);
  }
  if (!each) {
    throw ConfigError({}, "controller.mapping.fullpage_layer_groups",
                      "must name each quarter of the layers once, such as [0, 2, 1, 3]");
  }
  if (g.blocks_per_plane % layer_quarters != 0) {
    throw ConfigError({}, "controller.mapping.fullpage_allocation",
                      "fpa makes one block of four; make nand.geometry.blocks_per_plane (" +
                          std::to_string(g.blocks_per_plane) + ") a multiple of 4");
  }
  return FullpagePattern(groups, g.pages_per_block);
}

namespace {

// Streams of the host's data that have a block open on each plane, but for fullpages; with parity, those that the host
// writes to, and one of collection.
std::uint8_t open_streams(const ControllerParameters& p, const StreamPolicy& policy) {
  return static_cast<std::uint8_t>(p.parity.stripe_dies == 0 ? policy.streams() : policy.write_streams() + 1);
}

bool spreads_fullpages(const ControllerParameters& p) {
  return p.mapping.fullpage_allocation == FullpageAllocation::fpa;
}

}  // namespace

std::uint64_t collectable_units(const FlashLayout& layout, std::uint64_t blocks) {
  return blocks * (layout.mapping().pages_per_block - (layout.units_per_page() - 1));
}

std::uint64_t exported_pages(const ControllerParameters& p, const Geometry& flash) {
  if (p.garbage_collection.reserved_blocks >= p.garbage_collection.start_free_blocks) {
    throw ConfigError({}, "controller.garbage_collection.reserved_blocks",
                      "must be less than start_free_blocks (" + std::to_string(p.garbage_collection.start_free_blocks) +
                          "): else the host stalls before collection starts");
  }
  const FlashLayout layout = flash_layout(p, flash);
  const Geometry& g = layout.mapping();
  const auto pages =
      static_cast<std::uint64_t>(std::floor(static_cast<double>(g.pages()) / (1 + p.mapping.over_provisioning)));
  check(p.mapping.cache, g.page_bytes);
  const std::uint64_t translation = translation_pages(p.mapping.cache, g.page_bytes, pages);
  const std::uint64_t streams = open_streams(p, *stream_registry().make(p.streams.policy)) +
                                std::uint64_t{p.mapping.cache.cache_bytes != 0} + std::uint64_t{spreads_fullpages(p)};
  // Besides, a block of data that are there to stay is open.
  const std::uint64_t keeps = p.refresh.policy.name != "none" || p.read_disturb.limit_reads != 0 ||
                              p.wear_levelling.static_threshold != 0 || p.scrub.period_hours != 0;
  // Where those of the journal are, collection must still find one that it gains from.
  const std::uint64_t journal = p.power_loss.protection == PowerLossProtection::none ? journal_blocks + 1 : 0;
  const std::uint64_t kept_back = std::max(p.garbage_collection.start_free_blocks + streams,
                                           p.garbage_collection.reserved_blocks + streams + keeps + journal);
  const std::uint64_t usable =
      g.blocks_per_plane > kept_back ? collectable_units(layout, g.blocks_per_plane - kept_back) * g.planes() : 0;
  if (pages == 0 || pages + translation > usable) {
    std::string advice = "give the planes more blocks";
    const std::uint32_t entries = entries_per_translation_page(p.mapping.cache, g.page_bytes);
    const double share = entries == 0 ? 1 : 1 + 1.0 / entries;
    if (usable > 0) {
      constexpr double last_digit = 1e-6;  // that std::to_string() writes
      const double least = static_cast<double>(g.pages()) / static_cast<double>(usable) * share - 1;
      advice = "it must be at least " + std::to_string(std::ceil(least / last_digit) * last_digit) +
               ", or give the planes more blocks";
    }
    throw ConfigError(
        {}, "controller.mapping.over_provisioning",
        "leaves too few spare blocks (at 0 the exported would be the raw capacity): of a plane's " +
            std::to_string(g.blocks_per_plane) + " blocks, " + std::to_string(kept_back) +
            " are kept back (to be free, for refresh and the journal of trims, and one being written for each of " +
            std::to_string(streams) + " streams" +
            (translation == 0 ? ""
                              : ", that of translation pages included, which take " + std::to_string(translation) +
                                    " pages besides") +
            "); " + advice);
  }
  return pages;
}

double ControllerCounters::write_amplification() const {
  const double host_bytes = static_cast<double>(host_sectors_written) * sector_bytes;
  return host_bytes == 0 ? 0 : static_cast<double>(programmed_pages) * page_bytes / host_bytes;
}

void describe(const ControllerCounters& c, StatisticsVisitor& v) {
  v.real("write_amplification", c.write_amplification(), "",
         "bytes programmed over bytes the host wrote; 0 without writes");
  v.count("unmapped_reads", c.unmapped_reads, "pages read that held no data");
  v.count("merge_reads", c.merge_reads, "pages read to be merged with a write of a part of them");
  v.count("programmed_pages", c.programmed_pages, "pages programmed, for whatever reason");
  v.count("host_pages", c.host_pages, "of these, pages with what the host wrote");
  v.count("padding_pages", c.padding_pages, "of these, pages with no data at all that only complete a wordline");
  v.count("unfilled_units", c.unfilled_units,
          "mapping units for which there was room in the other pages, and that were left empty");
  v.count("failed_programs", c.failed_programs, "programs that failed; the pages were written elsewhere");
  v.count("failed_erases", c.failed_erases, "erases that failed");
  v.count("scrubbed_pages", c.scrubbed_pages, "pages read only to look for errors");
  v.count("stalls", c.stalls, "times that the drive had to end commands, or to stop, since it could not go on");
  v.count("read_only", c.read_only, "1 once so many blocks have failed that nothing can be written any more");
  v.group("recovery", c.recovery, "the mapping after a loss of power");
  v.group("read_retry", c.read_retry, "pages that had to be read more than once");
  v.group("parity", c.parity, "pages of parity, and what is made from them");
  v.group("gc", c.collection, "garbage collection");
  v.group("scheduler", c.scheduler, "flash commands of the dies");
  v.group("mapping_cache", c.mapping_cache, "the part of the mapping that is in memory");
  v.group("fullpages", c.fullpages, "fullpages that are spread over layers");
  v.group("power_loss", c.power_loss, "when the power went");
}

Controller::Controller(const ControllerParameters& parameters, const Geometry& geometry, const DataPath& path,
                       std::uint64_t seed, Calendar& calendar, FlashScheduler::Port& flash, EccPort& ecc,
                       StartUp start_up)
    : parameters_(parameters),
      layout_(flash_layout(parameters, geometry)),
      logical_pages_(exported_pages(parameters, geometry)),
      path_(path),
      order_(parameters.mapping.allocation, layout_.mapping(), layout_.units_per_page()),
      streams_(stream_registry().make(parameters.streams.policy)),
      lasting_stream_(open_streams(parameters, *streams_)),
      map_stream_(static_cast<std::uint8_t>(lasting_stream_ + 1)),
      fullpage_stream_(static_cast<std::uint8_t>(map_stream_ + 1)),
      pattern_(fullpage_pattern(parameters, geometry)),
      mapping_cache_(parameters.mapping.cache, layout_.unit_bytes(), logical_pages_, *this),
      initial_(parameters.precondition, layout_.mapping(), order_, logical_pages_, seed,
               parameters.garbage_collection.start_free_blocks,
               entries_per_translation_page(parameters.mapping.cache, layout_.unit_bytes()),
               pattern_ ? &*pattern_ : nullptr),
      nothing_({.occupancy = 0}, layout_.mapping(), order_, logical_pages_, seed,
               parameters.garbage_collection.start_free_blocks),
      mapping_(logical_pages_ + mapping_cache_.translation_pages(), layout_.mapping().pages(),
               start_up == StartUp::as_preconditioned || keeps_checkpoints(parameters) ? initial_ : nothing_),
      blocks_(layout_.mapping(), initial_, layout_.units_per_page(),
              keeps_checkpoints(parameters) ? StartUp::as_preconditioned : start_up),
      collector_(parameters.garbage_collection, blocks_, *this, seed, layout_.units_per_page(),
                 survives_power_cut() && !parameters.garbage_collection.copyback),
      calendar_(calendar),
      scheduler_(parameters.scheduler, geometry, calendar, flash, *this),
      io_(layout_, path, scheduler_, ecc),
      reader_(parameters.read_retry, parameters.scheduler.subpage_reads, pattern_ ? &*pattern_ : nullptr, io_,
              scheduler_, blocks_, *this),
      writer_(io_, blocks_, collector_, calendar, *this,
              {.streams = static_cast<std::uint8_t>(fullpage_stream_ + (pattern_ ? 1 : 0)),
               .reserve_stream = layout_.has_parity() ? collection_stream() : streams_->stream_of_move(Lpn(0), 0),
               .lasting_stream = lasting_stream_,
               .free_block = parameters.wear_levelling.free_block,
               .coalescing_time = ticks_from_us(parameters.mapping.write_coalescing_us),
               .fullpage_stream = fullpage_stream_,
               .fullpages = pattern_ ? &*pattern_ : nullptr,
               .holds_back = !survives_power_cut() || parameters.garbage_collection.copyback}),
      levelling_(parameters.wear_levelling, layout_.mapping()),
      read_disturb_(parameters.read_disturb, layout_.mapping().blocks()),
      refresh_(refresh_registry().make(parameters.refresh.policy, path.refresh)),
      scrub_(parameters.scrub, layout_.mapping(), path.correctable_bits),
      journal_(io_, blocks_, calendar, *this),
      last_plane_(fullpage_stream_ + std::size_t{1}, PlaneId(layout_.mapping().planes() - 1)),
      in_order_(parameters.mapping.plane == PlaneChoice::by_address && start_up == StartUp::as_preconditioned) {
  if (parameters.refresh.policy.name != "none") {
    refresh_due_ = ticks_from_s(parameters.refresh.check_hours * 3600);
  }
  if (ages_matter()) written_hours_.resize(layout_.mapping().blocks());
  if (layout_.has_parity()) {
    failures_in_a_row_.resize(geometry.dies());
    closed_.resize(layout_.mapping().planes());
  }
  if (pattern_) {
    Fullpages::Client& client = *this;
    fullpages_.emplace(writer_.pages_of_fullpages(), layout_.mapping().planes(),
                       ticks_from_us(parameters.mapping.write_coalescing_us),
                       ticks_from_us(1000 * parameters.mapping.fullpage_wait_ms), calendar, client);
  }
  upkeep_due_ = std::min(refresh_due_, scrub_.due());
  counters_.page_bytes = geometry.page_bytes;
  if (!survives_power_cut() && start_up == StartUp::as_preconditioned) journal_.keep_ready();
}

ControllerCounters Controller::counters() const {
  ControllerCounters counters = counters_;
  counters.programmed_pages = writer_.programmed_pages();
  counters.padding_pages = writer_.padding_pages();
  counters.host_pages = writer_.host_pages();
  counters.unfilled_units = writer_.unfilled_units();
  counters.failed_programs = writer_.failed_programs();
  counters.recovery.journal_pages = journal_.pages();
  counters.read_only = read_only_;
  counters.read_retry = reader_.counters();
  counters.parity = reader_.parity_counters();
  counters.parity.parity_pages = writer_.parity_pages();
  counters.collection = collector_.counters();
  counters.scheduler = scheduler_.counters();
  counters.mapping_cache = mapping_cache_.counters();
  if (fullpages_) counters.fullpages = fullpages_->counters();
  counters.fullpages.lone_reads = reader_.lone_reads();
  return counters;
}

DeviceHealth Controller::health() const {
  DeviceHealth health;
  health.media_errors = reader_.counters().failed_reads;
  health.host_sectors_written = counters_.host_sectors_written;
  health.media_sectors_written = writer_.programmed_pages() * (counters_.page_bytes / sector_bytes);
  health.read_only = read_only_;
  health.volatile_write_cache = !survives_power_cut();
  health.available_spare_percent = available_spare_percent();
  health.percentage_used = percentage_used();
  health.power_cycles = counters_.power_loss.power_cycles;
  health.unsafe_shutdowns = counters_.power_loss.unsafe_shutdowns;
  return health;
}

bool Controller::idle() const {
  bool pinned = false;
  for (std::uint32_t block = 0; block < layout_.mapping().blocks(); ++block) pinned |= blocks_.pinned(BlockId(block));
  const std::size_t waiting = writer_.undurable_pages() + writer_.open_rows();
  return gathered_ == nullptr && writes_.empty() && trims_.empty() && held_changes_.empty() && flushes_.empty() &&
         !recovering() && mapping_cache_.idle() && io_.in_use() == waiting && (!pinned || waiting != 0);
}

// --- accesses of the front end
// -----------------------------------------------------------------------------------------

void Controller::submit(PageAccess& access, Tick now) {
  if (recovering()) {
    wait_for_recovery(access);
    return;
  }
  if (mapping_lost_ && access.kind == AccessKind::read) {
    fail_read(access);
    complete(access, now);
    return;
  }
  if (now >= upkeep_due_) upkeep(now);
  switch (access.kind) {
    case AccessKind::read:
      if (entry_at_hand(access, now)) read(access, now);
      break;
    case AccessKind::write:
    case AccessKind::trim:
      if ((is_trim(access) || !held_changes_.empty() || !trims_.empty()) &&
          waits_for_earlier(access, held_changes_.size())) {
        held_changes_.push_back(&access);
      } else {
        change(access, now);
      }
      break;
    case AccessKind::flush: flush(access, now); break;
  }
}

void Controller::change(PageAccess& access, Tick now) {
  if (read_only_) {
    access.status = AccessStatus::write_protected;
    complete(access, now);
  } else if (is_trim(access)) {
    trim(access, now);
  } else if (entry_at_hand(access, now)) {
    write(access, now);
  } else {
    untranslated_writes_.push_back(&access);
  }
}

bool Controller::waits_for_earlier(const PageAccess& change, std::size_t held_before) const {
  const auto overlaps = [&](const PageAccess* earlier) { return overlap(*earlier, change); };
  if (std::any_of(held_changes_.begin(), held_changes_.begin() + static_cast<std::ptrdiff_t>(held_before), overlaps)) {
    return true;
  }
  const auto is_ahead = [&](const Trim& trim) {
    const std::uint64_t left = trim.access->lpn.value + trim.done;
    const std::uint64_t end = trim.access->lpn.value + trim.access->page_count;
    return change.lpn.value < end && left < change.lpn.value + pages_of(change);
  };
  if (std::ranges::any_of(trims_, is_ahead)) return true;
  return is_trim(change) && (writes_.find(change.lpn, change.page_count) != nullptr ||
                             std::ranges::any_of(untranslated_writes_, overlaps));
}

// What one of them does may let others go and bring new ones: each time they are looked at from the first on.
void Controller::retry_held_changes(Lpn first, std::uint64_t count, Tick now) {
  const auto changes = [&](const PageAccess* held) {
    return held->lpn.value < first.value + count && first.value < held->lpn.value + pages_of(*held);
  };
  if (!std::ranges::any_of(held_changes_, changes)) return;
  for (std::size_t k = 0; k < held_changes_.size();) {
    PageAccess& held = *held_changes_[k];
    if (waits_for_earlier(held, k)) {
      ++k;
      continue;
    }
    held_changes_.erase(held_changes_.begin() + static_cast<std::ptrdiff_t>(k));
    change(held, now);
    k = 0;
  }
}

// Where the units of a page lie together, the key of its scrambler is not known until its tag is.
void Controller::ask_for_tag(FlashTransaction& read) const {
  if (layout_.units_per_page() > 1 && path_.scramble) {
    read.command.tag = std::span(read.tag).first(2 * layout_.units_per_page());
  }
}

void Controller::read(PageAccess& access, Tick now) {
  if (layout_.units_per_page() == 1) {
    look_up(access, now);
    return;
  }
  access.next = nullptr;
  if (gathered_ == nullptr) {
    gathered_ = &access;
    calendar_.schedule<&Controller::start_gathered_reads>(now, *this);
  } else {
    gathered_last_->next = &access;
  }
  gathered_last_ = &access;
}

void Controller::start_gathered_reads(std::uint64_t) {
  const Tick now = calendar_.now();
  for (PageAccess* next = std::exchange(gathered_, nullptr); next != nullptr;) {
    PageAccess& access = *std::exchange(next, next->next);
    access.next = nullptr;
    look_up(access, now);
  }
  const bool go_together = parameters_.scheduler.subpage_reads != SubpageReads::none;
  if (go_together) scheduler_.hold();
  for (const GatheredRead& page : joined_) {
    page.read->lent_at_once = lender_joined(page);
    reader_.start(*page.read, page.read->ppn, page.first, page.end, now);
  }
  joined_.clear();
  if (go_together) scheduler_.send_held(now);
}

// Of a page that is being written once more, what is in flash cannot be read: not even while a later write is on its
// way, behind which a read finds the new data.
UnitWrite* Controller::rewrite_of(Lpn lpn, Ppn place) const {
  if (rewritten_units_ == 0) return nullptr;
  UnitWrite* const write = writes_.find(lpn);
  if (write == nullptr) return nullptr;
  const bool torn = write->rewritten || (place.valid() && blocks_.failing(layout_.block_of(place)));
  return torn ? write : nullptr;
}

void Controller::look_up(PageAccess& access, Tick now) {
  const Ppn source = mapping_.find(access.lpn);
  if (UnitWrite* const write = rewrite_of(access.lpn, source)) {
    write->wait_behind(access);
    return;
  }
  if (!source.valid()) {
    ++counters_.unmapped_reads;
    if (access.data != nullptr) std::memset(access.data, 0, std::size_t{access.sector_count} * sector_bytes);
    complete(access, now);
    return;
  }
  start_host_read(access, source, now);
}

void Controller::start_host_read(PageAccess& access, Ppn source, Tick now) {
  const std::uint32_t position = layout_.unit_in_page(source);
  const std::uint32_t first = position * layout_.unit_bytes() + access.first_sector * sector_bytes;
  const std::uint32_t end = first + access.sector_count * sector_bytes;
  // As of now: by the time it is decoded, the page may have moved or been written over.
  const bool lost = !lost_.empty() && lost_.contains(access.lpn.value);
  const Ppn first_unit(source.value - position);
  // Units of one command come one after the other, and few pages further on nothing is left of it.
  for (std::size_t k = joined_.size(); !lost && k-- > 0 && joined_.size() - k <= most_units_per_page;) {
    GatheredRead& page = joined_[k];
    if (page.first_unit != first_unit || page.read->lost || page.read->access_count == most_units_per_page) continue;
    PageAccess* last = page.read->access;
    while (last->next != nullptr) last = last->next;
    last->next = &access;
    page.read->access_units[page.read->access_count++] = static_cast<std::uint8_t>(position);
    page.first = std::min(page.first, first);
    page.end = std::max(page.end, end);
    return;
  }
  FlashTransaction& read = io_.acquire(Purpose::host_read);
  access.next = nullptr;
  read.serve(access);
  read.lpn = access.lpn;
  read.lost = lost;
  read.access_units[0] = static_cast<std::uint8_t>(position);
  read.access_count = 1;
  ask_for_tag(read);
  if (layout_.units_per_page() == 1) {
    reader_.start(read, source, first, end, now);
  } else {
    read.ppn = source;
    joined_.push_back({&read, first_unit, first, end});
  }
}

void Controller::write(PageAccess& access, Tick now) {
  if (UnitWrite* earlier = writes_.find(access.lpn)) {
    earlier->wait_behind(access);
    return;
  }
  // Nobody waits for it to become durable, and the unit reads as zeroes already.
  if (access.deallocates && !access.force_unit_access && !mapping_.find(access.lpn).valid()) {
    complete(access, now);
    return;
  }
  mapping_.prefetch(access.lpn);
  UnitWrite& unit = units_.acquire();
  unit.lpn = access.lpn;
  unit.version = ++version_;
  unit.access = &access;
  writes_.insert(unit);

  if (std::uint32_t{access.sector_count} * sector_bytes == layout_.unit_bytes()) {
    put(unit, nullptr, now);
  } else {
    read_old_unit(unit, now);
  }
}

// Of which the host writes a part.
void Controller::read_old_unit(UnitWrite& unit, Tick now) {
  const Ppn old = mapping_.find(unit.lpn);
  if (!old.valid()) {
    put(unit, nullptr, now);
    return;
  }
  ++counters_.merge_reads;
  FlashTransaction& read = io_.acquire(Purpose::merge_read);
  read.serve(*unit.access);
  read.lpn = unit.lpn;
  read.merge_into = &unit;
  read.lost = !lost_.empty() && lost_.contains(unit.lpn.value);
  ask_for_tag(read);
  const std::uint32_t first = layout_.unit_in_page(old) * layout_.unit_bytes();
  reader_.start(read, old, first, first + layout_.unit_bytes(), now);
}

// Whether the codewords that lend parity to those of the page are read at the same time, for reads of their own.
bool Controller::lender_joined(const GatheredRead& page) const {
  const std::optional<PageReader::Lender> lender = reader_.lender_of(page.read->ppn, page.first, page.end);
  return lender && std::ranges::any_of(joined_, [&](const GatheredRead& other) {
           return other.first_unit == lender->first_unit && other.first <= lender->first && other.end >= lender->end;
         });
}

// Puts what the host wrote, over what the unit held before, into a page of the flash.
void Controller::put(UnitWrite& unit, const std::byte* old_unit, Tick now) {
  if (fullpages_ && old_unit == nullptr && !unit.access->force_unit_access && !saving_) {
    fullpages_->take(unit, now);
  } else {
    put_in_page(unit, old_unit, now);
  }
}

void Controller::put_in_page(UnitWrite& unit, const std::byte* old_unit, Tick now) {
  const std::uint8_t stream = streams_->stream_of_write(unit.lpn, now);
  const PlaneId plane = plane_for(stream, unit.lpn, unit.access->gathered);
  if (!plane.valid()) {
    unit_refused(unit, now);
    return;
  }
  FlashTransaction& page = writer_.page_for(Purpose::host_write, stream, plane);
  page.serve(*unit.access);
  if (std::byte* const bytes = writer_.add(page, unit)) copy_data(unit, old_unit, bytes);
  writer_.filled(page);
}

void Controller::copy_data(const UnitWrite& unit, const std::byte* old_unit, std::byte* bytes) const {
  const PageAccess& access = *unit.access;
  const std::size_t written = std::size_t{access.sector_count} * sector_bytes;
  if (old_unit != nullptr) {
    std::memcpy(bytes, old_unit, layout_.unit_bytes());
  } else if (written != layout_.unit_bytes()) {
    std::memset(bytes, 0, layout_.unit_bytes());
  }
  if (access.data != nullptr)
    std::memcpy(bytes + std::size_t{access.first_sector} * sector_bytes, access.data, written);
}

PlaneId Controller::plane_of_fullpage(Lpn first) {
  const bool least_busy = parameters_.mapping.plane == PlaneChoice::least_busy;
  const PlaneId last = last_plane_[fullpage_stream_];
  return least_busy && fullpages_->waiting(last) ? last : plane_for(fullpage_stream_, first);
}

// Across: each page takes a unit of four fullpages.
void Controller::write_fullpages(std::span<const Fullpage> fullpages, PlaneId plane, Tick) {
  const std::uint32_t rows = path_.pages_per_wordline;
  for (std::uint32_t place = 0; place < fullpages.size(); ++place) {
    const std::uint32_t of_fullpage = place / rows;
    const std::uint32_t row = place % rows;
    FlashTransaction& page = writer_.page_of_fullpages(place + 1, plane);
    for (std::uint32_t quarter = 0; quarter < layer_quarters; ++quarter) {
      const std::uint32_t fullpage = row * layer_quarters + FullpagePattern::fullpage(quarter, of_fullpage);
      UnitWrite& unit = *fullpages[fullpage][of_fullpage];
      if (quarter == 0) page.serve(*unit.access);
      if (std::byte* const bytes = writer_.add(page, unit)) copy_data(unit, nullptr, bytes);
    }
    writer_.filled(page);
  }
}

PlaneId Controller::plane_for(std::uint8_t stream, Lpn lpn, bool gathered) {
  const bool by_address = parameters_.mapping.plane == PlaneChoice::by_address;
  if (by_address && !gathered) return with_room(order_.plane_of(lpn), false);
  PlaneId& last = last_plane_[stream];
  // Units that come together share a page.
  if (writer_.filling(stream, last)) return last;
  if (by_address) {
    const PlaneId plane = with_room(order_.plane_of(lpn), false);
    if (plane.valid()) last = plane;
    return plane;
  }
  PlaneId best;
  PlaneId plane = order_.next(last);
  for (std::uint32_t k = 0; k < layout_.mapping().planes(); ++k, plane = order_.next(plane)) {
    if (with_room(plane, false) != plane) continue;
    if (!best.valid() || writer_.backlog(plane) < writer_.backlog(best)) best = plane;
  }
  if (best.valid()) last = best;
  return best;
}

// With a capacitor, what is in the dies' latches and in buffers is durable.
void Controller::flush(PageAccess& access, Tick now) {
  if (survives_power_cut() || (writer_.oldest_undurable() == 0 && !journal_.pending())) {
    if (!survives_power_cut()) writer_.complete_wordlines();  // with parity, rows may be left
    end_flush(access, now);
    return;
  }
  flushes_.push_back({&access, writer_.latest_programmed(), journal_.pending()});
  writer_.complete_wordlines();
  journal_.write(now);
}

Placement Controller::place(FlashTransaction& write, Tick now) {
  return write.purpose == Purpose::journal_write ? Placement::placed : writer_.place(write, now);
}

std::uint32_t Controller::next_page(const FlashTransaction& write) const {
  return write.purpose == Purpose::journal_write ? write.command.page : writer_.next_page(write);
}

// --- answers from flash and the ECC engines
// ------------------------------------------------------------------------------------------------

void Controller::ecc_done(EccJob& job, Tick now) {
  FlashTransaction& transaction = *static_cast<FlashTransaction*>(job.owner);
  switch (transaction.purpose) {
    case Purpose::host_read:
    case Purpose::merge_read:
    case Purpose::map_read:
    case Purpose::map_fetch:
    case Purpose::scrub_read:
    case Purpose::copy_read:
    case Purpose::gc_read: reader_.decoded(transaction, now); break;
    default: writer_.encoded(transaction, now);
  }
}

void Controller::done(FlashTransaction& transaction, Tick now) {
  switch (transaction.purpose) {
    case Purpose::host_read:
    case Purpose::merge_read:
    case Purpose::map_read:
    case Purpose::map_fetch:
    case Purpose::scrub_read:
    case Purpose::copy_read:
    case Purpose::gc_read: reader_.done(transaction, now); break;
    case Purpose::host_write:
    case Purpose::map_write:
    case Purpose::gc_write:
    case Purpose::copyback: page_written(transaction, now); break;
    case Purpose::journal_write: journal_.programmed(transaction, now); break;
    case Purpose::recovery_read: tag_read(transaction, now); break;
    case Purpose::gc_erase: block_erased(transaction, now); break;
  }
}

void Controller::page_written(FlashTransaction& page, Tick now) {
  const std::uint8_t stream = page.write_stream;
  const PlaneId plane = page.plane;
  if (layout_.has_parity()) watch_die(page, now);
  writer_.programmed(page, now);
  if (std::exchange(forced_write_, false)) writer_.complete_wordline(stream, plane);
  // What collection waits for may have been programmed only now.
  if (!collector_.waits_for_durable_moves()) return;
  for (std::uint32_t k = 0; k < layout_.mapping().planes(); ++k) {
    if (collector_.waits_for_durable_moves(PlaneId(k))) writer_.complete_wordlines_for(PlaneId(k));
  }
}

// Other pages of the block may be as bad.
void Controller::page_rebuilt(BlockId block, Tick now) { collector_.empty(block, Reason::errors, now); }

void Controller::unpin(BlockId block, Tick now) {
  blocks_.unpin(block);
  if (!blocks_.pinned(block)) collector_.unpinned(block, now);
}

void Controller::page_read(FlashTransaction& read, Tick now) {
  if (read_disturb_.enabled()) count_read(read.block, read.retries + 1u, now);
  switch (read.purpose) {
    case Purpose::host_read: host_read_done(read, now); break;
    case Purpose::merge_read: old_unit_read(read, now); break;
    case Purpose::scrub_read: scrub_page_read(read, now); break;
    case Purpose::map_read:
    case Purpose::map_fetch: translation_page_read(read, now); break;
    case Purpose::copy_read:
      writer_.read_back(*read.reads_back, read);
      io_.release(read);
      break;
    default: units_to_move_read(read, now);
  }
}

void Controller::host_read_done(FlashTransaction& read, Tick now) {
  PageAccess* first = nullptr;
  PageAccess** last = &first;
  PageAccess* again = nullptr;  // a program of the wordline has failed while it was being read
  const Ppn first_unit(read.ppn.value - layout_.unit_in_page(read.ppn));
  const std::uint8_t* position = read.access_units.data();
  for (PageAccess* next = read.access; next != nullptr; ++position) {
    PageAccess* const access = std::exchange(next, next->next);
    const std::size_t bytes = std::size_t{access->sector_count} * sector_bytes;
    if (read.ecc.uncorrectable && !read.lost) {
      const Ppn place(first_unit.value + *position);
      if (mapping_.find(access->lpn) != place || rewrite_of(access->lpn, place) != nullptr) {
        access->next = std::exchange(again, access);
        continue;
      }
    }
    *last = access;
    last = &access->next;
    if (read.ecc.uncorrectable) {
      fail_read(*access);
    } else if (path_.keeps_data() && access->data != nullptr) {
      const std::size_t unit = std::size_t{*position} * layout_.unit_bytes();
      std::memcpy(access->data, read.command.data + unit + std::size_t{access->first_sector} * sector_bytes, bytes);
    }
  }
  *last = nullptr;
  io_.release(read);
  while (again != nullptr) submit(*std::exchange(again, again->next), now);
  for (PageAccess* access = first; access != nullptr;) complete(*std::exchange(access, access->next), now);
}

void Controller::old_unit_read(FlashTransaction& read, Tick now) {
  UnitWrite& unit = *read.merge_into;
  const bool torn = read.ecc.uncorrectable && !read.lost;
  if (torn && mapping_.find(unit.lpn) != read.ppn) {
    read_old_unit(unit, now);  // it has been moved from where a program has failed
  } else if (torn && being_rewritten(unit.lpn, read.ppn)) {
    waiting_merges_.push_back(&unit);
  } else if (read.ecc.uncorrectable) {
    // The rest of the page would be made up.
    unit.access->status = AccessStatus::unrecovered_read_error;
    end_write(unit, true, now);
    units_.release(unit);
  } else {
    const std::size_t first = std::size_t{layout_.unit_in_page(read.ppn)} * layout_.unit_bytes();
    put(unit, path_.keeps_data() ? read.command.data + first : nullptr, now);
  }
  io_.release(read);
}

// Of which the program has failed after it was mapped there.
bool Controller::being_rewritten(Lpn lpn, Ppn place) const {
  bool found = false;
  writer_.for_each_undurable(
      [&](const UnitWrite& unit) { found |= unit.rewritten && unit.lpn == lpn && unit.source == place; });
  return found;
}

void Controller::go_on_merging(Lpn rewritten, Tick now) {
  const auto first = std::stable_partition(waiting_merges_.begin(), waiting_merges_.end(),
                                           [&](const UnitWrite* unit) { return unit->lpn != rewritten; });
  const std::vector<UnitWrite*> merges(first, waiting_merges_.end());
  waiting_merges_.erase(first, waiting_merges_.end());
  for (UnitWrite* unit : merges) read_old_unit(*unit, now);
}

// --- what is written
// -----------------------------------------------------------------------------------------------------------

void Controller::map(UnitWrite& unit, Ppn old) {
  if (old.valid()) {
    blocks_.invalidate(old);
    // A copy that is lost with its wordline has to be made once more.
    if (!survives_power_cut() || unit.copied) {
      unit.held_back = layout_.block_of(old);
      blocks_.pin(unit.held_back);
    }
  }
  blocks_.hold(unit.place, unit.lpn);
  mapping_.map(unit.lpn, unit.place);
  if (written_hours_.empty()) return;
  if (const BlockId block = layout_.block_of(unit.place); blocks_.valid_pages(block) == 1) {
    written_hours_[block.value] = static_cast<float>(hours(calendar_.now()));
  }
}

void Controller::unit_programmed(UnitWrite& unit, Tick now) {
  if (unit.abandoned) return;
  if (unit.rewritten) {
    unit.rewritten = false;
    --rewritten_units_;
    forced_write_ |= unit.access != nullptr;  // it has waited for that before
    if (mapping_.find(unit.lpn) == unit.source) {
      blocks_.invalidate(unit.source);
      blocks_.hold(unit.place, unit.lpn);
      mapping_.map(unit.lpn, unit.place);
      if (unit.lost) lost_.insert(unit.lpn.value);
      mapping_changed(unit.lpn, now);
    }
    if (!waiting_merges_.empty()) go_on_merging(unit.lpn, now);
    if (writes_.erase(unit)) resume(unit, nullptr, now);
    return;
  }
  if (unit.access == nullptr && !unit.source.valid()) {
    translation_page_programmed(unit, now);
    return;
  }
  if (unit.access == nullptr) {
    const bool overtaken = mapping_.find(unit.lpn) != unit.source;
    if (!overtaken) {
      map(unit, unit.source);
      unit.moved_from = unit.source;
      if (unit.copied) blocks_.copied(layout_.block_of(unit.source), layout_.block_of(unit.place));
      mapping_changed(unit.lpn, now);
      if (unit.lost) lost_.insert(unit.lpn.value);
    } else if (unit.copied) {
      unit.held_back = layout_.block_of(unit.source);
      blocks_.pin(unit.held_back);
    }
    move_ended(unit.source, overtaken ? MoveEnd::overtaken : MoveEnd::moved, now);
    return;
  }
  map(unit, mapping_.find(unit.lpn));
  mapping_changed(unit.lpn, now);
  lost_.erase(unit.lpn.value);
  counters_.host_sectors_written += unit.access->sector_count;
  const bool forced = unit.access->force_unit_access && !survives_power_cut();
  forced_write_ |= forced;
  end_write(unit, !forced, now);
}

void Controller::end_write(UnitWrite& unit, bool completes, Tick now) {
  writes_.erase(unit);
  PageAccess* const access = completes ? std::exchange(unit.access, nullptr) : nullptr;
  resume(unit, access, now);
}

// Whoever hears of a completion may send the next access to the page. What has waited goes before it: the first write
// is now the one in flight, and the others line up behind it.
void Controller::resume(UnitWrite& ended, PageAccess* completed, Tick now) {
  const Lpn lpn = ended.lpn;
  for (PageAccess* waiting = std::exchange(ended.waiting, nullptr); waiting != nullptr;) {
    PageAccess& next = *std::exchange(waiting, waiting->next);
    next.next = nullptr;
    if (is_write(next)) {
      write(next, now);
    } else if (is_trim(next)) {
      go_on_trimming(next, now);
    } else {
      read(next, now);
    }
  }
  if (completed != nullptr) complete(*completed, now);
  if (!held_changes_.empty()) retry_held_changes(lpn, 1, now);
}

void Controller::unit_refused(UnitWrite& unit, Tick now) {
  if (unit.abandoned) {
    // nobody waits for it
  } else if (unit.access != nullptr) {
    unit.access->status = AccessStatus::write_protected;
    if (!read_only_) take_no_more("no plane has room for what the host writes", now);
    end_write(unit, true, now);
  } else if (unit.rewritten) {
    unit.rewritten = false;
    --rewritten_units_;
    if (mapping_.find(unit.lpn) == unit.source) {
      if (unit.held_back.valid() && unit.moved_from.valid()) {
        map_back(unit, now);
      } else if (!layout_.has_parity()) {
        lost_.insert(unit.lpn.value);  // its only place on flash is one that failed; parity may have it all the same
      }
    }
    if (!waiting_merges_.empty()) go_on_merging(unit.lpn, now);
    if (writes_.erase(unit)) resume(unit, nullptr, now);
  } else if (unit.source.valid()) {
    move_ended(unit.source, MoveEnd::not_written, now);
  } else {
    mapping_cache_.stored(unit.lpn.value - logical_pages_, now);
  }
  if (unit.held_back.valid()) unpin(unit.held_back, now);
  units_.release(unit);
}

// What was moved is still where it was.
void Controller::map_back(UnitWrite& unit, Tick now) {
  blocks_.invalidate(unit.source);
  blocks_.hold_again(unit.moved_from, unit.lpn);
  mapping_.map(unit.lpn, unit.moved_from);
  mapping_changed(unit.lpn, now);
}

void Controller::unit_durable(UnitWrite& unit, Tick now) {
  // A trim before this write is of no account any more, whatever is lost from now on.
  if (!trimmed_.empty() && mapping_.find(unit.lpn) == unit.place) trimmed_.remove(unit.lpn);
  if (unit.access != nullptr) complete(*std::exchange(unit.access, nullptr), now);
  if (unit.held_back.valid()) unpin(unit.held_back, now);
  units_.release(unit);
}

// The host has had its answer. Reads of the unit wait until it is in flash again, and so do writes.
void Controller::unit_rewritten(UnitWrite& unit) {
  unit.rewritten = true;
  unit.source = unit.place;
  ++rewritten_units_;
  if (mapping_.find(unit.lpn) == unit.place && writes_.find(unit.lpn) == nullptr) writes_.insert(unit);
}

void Controller::page_durable(Tick now) {
  while (!flushes_.empty()) {
    const std::uint64_t oldest = writer_.oldest_undurable();
    if (flushes_.front().trims || (oldest != 0 && oldest <= flushes_.front().programmed)) return;
    PageAccess& access = *flushes_.front().access;
    flushes_.pop_front();
    end_flush(access, now);
  }
}

void Controller::end_flush(PageAccess& access, Tick now) {
  if (access.status == AccessStatus::ok && writer_.lost_new_data()) access.status = AccessStatus::write_fault;
  complete(access, now);
}

void Controller::block_failed(BlockId block, Tick now) {
  if (blocks_.failing(block)) return;
  blocks_.set_failing(block);
  collector_.empty(block, Reason::failure, now);
}

}  // namespace nandscape
