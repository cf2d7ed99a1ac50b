// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/flash_device.h"

#include <optional>
#include <utility>

#include "core/error.h"

namespace nandscape {

FlashDevice::FlashDevice(const FlashDeviceParameters& p, bool keep_data, const VariantChoice& cells, std::uint64_t seed,
                         Calendar& calendar, bool check_protocol, controller::StartUp start_up,
                         const BlockChoices& blocks, Timeline* timeline, bool keeps_times)
    : facts_(p, keep_data, cells) {
  controller_ = std::make_unique<controller::ControllerModule>("controller", p.controller, facts_.geometry, facts_.path,
                                                               seed, calendar, start_up, keeps_times);
  add_stages(p.controller, keep_data, calendar);
  const controller::PreconditionParameters& filled = p.controller.precondition;
  const Fill fill(*this, filled.ages == controller::FillAges::uniform && filled.updated_bytes == 0);
  FlashMedia::Choices choices;
  choices.blocks = blocks;
  choices.seed = seed;
  choices.check_protocol = check_protocol;
  choices.tag_words = 2 * ftl().layout().units_per_page();
  choices.initial = &fill;
  choices.timeline = timeline;
  media_ = std::make_unique<FlashMedia>(p, facts_, choices, calendar);
  connect();
  precondition();
}

FlashDevice::~FlashDevice() = default;

void FlashDevice::add_stages(const controller::ControllerParameters& p, bool keep_data, Calendar& calendar) {
  storage_ = &ftl();
  if (p.cache.policy != controller::CachePolicy::none) {
    dram_ = std::make_unique<controller::Dram>(p.dram);
    cache_ = std::make_unique<controller::DataCache>(p.cache, keep_data, *storage_, *dram_, calendar,
                                                     ftl().hold_up().cache_lasts());
    storage_ = cache_.get();
  }
  if (p.firmware.used()) {
    firmware_ = std::make_unique<controller::FirmwareStage>(p.firmware, *storage_, calendar);
    storage_ = firmware_.get();
    ftl().set_firmware(*firmware_);
  }
}

void FlashDevice::connect() {
  for (std::uint32_t c = 0; c < facts_.geometry.channels; ++c) {
    media_->connect_channel(c, controller_->channel_socket(c));
  }
  for (std::uint32_t e = 0; e < facts_.path.engine_count(); ++e) {
    media_->connect_engine(e, controller_->decode_socket(e), controller_->encode_socket(e));
  }
}

void FlashDevice::precondition() {
  const Geometry& geometry = facts_.geometry;
  const controller::InitialFill& fill = ftl().initial_fill();
  const controller::FlashLayout& layout = ftl().layout();
  for (std::uint32_t plane = 0; plane < geometry.planes(); ++plane) {
    const std::uint32_t used =
        fill.used_blocks(layout.mapping_plane(PlaneId(plane))) * (layout.members() / layout.member_planes());
    if (used == 0) continue;
    nand::Die& die = media_->die(geometry.die_of(PlaneId(plane)), "how it is filled (controller.precondition)");
    for (std::uint32_t block = 0; block < used; ++block) {
      const std::uint32_t units = fill.programmed_pages(layout.holding(PlaneId(plane), block));
      die.precondition(plane % geometry.planes_per_die, block, units / layout.units_per_row());
    }
  }
}

// --- initial contents of the dies

Ppn FlashDevice::Fill::first_page(DieId die) const {
  const Geometry& geometry = device_.facts_.geometry;
  return Ppn(die.value * geometry.pages_per_plane() * geometry.planes_per_die);
}

FilledCodes FlashDevice::Fill::codes() const {
  return FilledCodes(device_.ftl().layout(), device_.facts_.path, device_.controller_->ftl().codes());
}

std::unique_ptr<nand::InitialPages> FlashDevice::Fill::pages(DieId die) const {
  return std::make_unique<FilledPages>(device_.ftl().initial_fill(), device_.ftl().layout(), first_page(die),
                                       device_.facts_.path, device_.facts_.make_coder(0, ""), codes());
}

std::unique_ptr<nand::InitialTags> FlashDevice::Fill::tags(DieId die) const {
  return std::make_unique<FilledTags>(device_.ftl().initial_fill(), device_.ftl().layout(), first_page(die), codes());
}

std::unique_ptr<nand::InitialAges> FlashDevice::Fill::ages(DieId die) const {
  if (of_one_age_) return nullptr;
  return std::make_unique<FilledAges>(device_.ftl().initial_fill(), device_.ftl().layout(),
                                      PlaneId(die.value * device_.facts_.geometry.planes_per_die));
}

// --- power, age and state

void FlashDevice::power_cut(Tick now) { media_->power_cut(now); }

void FlashDevice::advance(double hours, double temperature_c) { media_->advance(hours, temperature_c); }

void FlashDevice::persist_media(Archive& archive, Tick now) {
  archive.section("media");
  ftl().persist_lasting(archive);
  media_->persist_dies(archive, now);
}

void FlashDevice::write_back(Tick now) {
  if (cache_ == nullptr || cache_->clean()) return;
  cache_->save();
  flush(*storage_, now, {});
}

// Data from a cache with a capacitor were acknowledged, so they must be written.
void FlashDevice::save(Tick now, controller::Unanswered unanswered, std::function<void()> saved) {
  const bool lasts = cache_ != nullptr && cache_->backed_up();
  if (lasts) cache_->save();
  ftl().power_cycle().save(now, lasts ? controller::Unanswered::written : unanswered);
  flush(cache_ == nullptr || lasts ? *storage_ : ftl(), now, std::move(saved));
}

controller::LostWrites FlashDevice::lost_writes() const {
  controller::LostWrites lost = ftl().ledger().lost_without_power();
  if (cache_ == nullptr) return lost;
  cache_->for_each_answered([&](Lpn unit, controller::SectorSet sectors) {
    sectors.for_each_run([&](std::uint32_t first, std::uint32_t count) { lost.add(unit, first, count); });
  });
  return lost;
}

FlashDevice::LeftToSave FlashDevice::left_to_save() const {
  const controller::PagesToSave latched = ftl().ledger().pages_to_save();
  const std::uint64_t cached = cache_ == nullptr ? 0 : cache_->unsaved();
  const std::uint64_t units_per_page = ftl().layout().units_per_page();
  return {ftl().hold_up().estimate(latched.of_busiest_plane, cached),
          latched.of_all + (cached + units_per_page - 1) / units_per_page};
}

void FlashDevice::flush(StorageDevice& storage, Tick now, std::function<void()> flushed) {
  storage.set_client(saver_);
  saver_.saved = std::move(flushed);
  saver_.flush = {};
  saver_.flush.kind = AccessKind::flush;
  storage.submit(saver_.flush, now);
}

void FlashDevice::Saver::completed(PageAccess& access, Tick) {
  if (&access == &flush && saved) saved();
}

bool FlashDevice::settled() const {
  return ftl().settled() && (cache_ == nullptr || (cache_->idle() && cache_->clean()));
}

void FlashDevice::persist_controller(Archive& archive) {
  ftl().persist(archive);
  archive.variant(cache_ == nullptr ? "" : "cache", [this](Archive& state) { cache_->persist(state); });
  archive.section("dies and controller");
  if (archive.loading()) check_media(archive);
}

// The archive holds the contents of the dies and the controller's view of them separately; checks that they agree.
void FlashDevice::check_media(Archive& archive) const {
  const Geometry& geometry = facts_.geometry;
  for (std::uint32_t p = 0; p < geometry.planes(); ++p) {
    const nand::Die& die = std::as_const(*media_).die(geometry.die_of(PlaneId(p)), "what it holds");
    archive.require(die.in_native_mode(), "a block is in a mode that the controller does not use");
    for (std::uint32_t k = 0; k < geometry.blocks_per_plane; ++k) {
      const std::optional<std::uint32_t> pages = ftl().programmed_pages(PlaneId(p), k);
      const std::uint32_t block = p % geometry.planes_per_die * geometry.blocks_per_plane + k;
      if (!pages || (die.programmed_pages(block) == *pages && !die.spoiled(block))) continue;
      archive.refuse(
          "the controller expects " + std::to_string(*pages) + " pages of block " +
          std::to_string(geometry.block(PlaneId(p), k).value) + " to be programmed, but its die has " +
          (die.spoiled(block) ? "none, since an erase has failed" : std::to_string(die.programmed_pages(block))));
    }
  }
}

void FlashDevice::persist_counters(Archive& archive) {
  ftl().persist_counters(archive);
  archive.variant(firmware_ == nullptr ? "" : "firmware", [this](Archive& a) { firmware_->persist_counters(a); });
  archive.variant(cache_ == nullptr ? "" : "cache", [this](Archive& a) { cache_->persist_counters(a); });
  archive.variant(dram_ == nullptr ? "" : "dram", [this](Archive& a) { dram_->persist_counters(a); });
  media_->persist_counters(archive);
}

}  // namespace nandscape
