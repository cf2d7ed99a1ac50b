// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/flash_drive.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/interruption.h"
#include "platform/wiring/media_statistics.h"

namespace nandscape {

namespace {

struct ControllerGroup {
  const FlashDevice& flash;
};

void describe(const ControllerGroup& g, StatisticsVisitor& v) {
  describe(g.flash.ftl().counters(), v);
  if (const controller::FirmwareStage* firmware = g.flash.firmware())
    v.group("firmware", firmware->counters(), "processor cores");
  if (const controller::DataCache* cache = g.flash.cache())
    v.group("cache", cache->counters(), "data of the host in DRAM");
  if (const controller::Dram* dram = g.flash.dram()) v.group("dram", dram->counters(), "the controller's DRAM");
}

}  // namespace

FlashDrive::FlashDrive(const Parameters&, const DriveContext& context)
    : parameters_(context.parameters),
      calendar_(context.calendar),
      flash_(parameters_, context.parameters.simulation.data == DataFidelity::stored,
             context.parameters.simulation.cells, context.parameters.simulation.seed, context.calendar,
             context.parameters.simulation.check_protocol, context.start_up, context.parameters.simulation.blocks,
             context.timeline, context.parameters.simulation.breakdown) {}

std::uint64_t FlashDrive::capacity_bytes() const { return flash_.ftl().logical_pages() * flash_.ftl().page_bytes(); }

// --- power

void FlashDrive::power_cut(SimulatedTime& time) {
  controller::PowerLossCounters& counters = flash_.ftl().power_cycle().counters();
  ++counters.cuts;
  ++counters.unsafe_shutdowns;
  const Tick begin = time.now();
  const double joules = joules_taken();
  std::exception_ptr interrupted;
  try {
    if (const Tick capacitor = flash_.ftl().hold_up().capacitor(); capacitor != 0) hold_up(capacitor, time);
  } catch (const Interrupted&) {
    interrupted = std::current_exception();
  }
  const Tick held = time.now() - begin;
  counters.hold_up += held;
  count_loss(held, joules_taken() - joules);
  switch_off(time.now());
  if (interrupted) std::rethrow_exception(interrupted);
}

double FlashDrive::joules_taken() const {
  EnergyAccount account;
  add_energy(account);
  return account.total();
}

// The energy for the remaining data is estimated as that of the page programs and of the hold-up power.
void FlashDrive::count_loss(Tick held, double joules) {
  controller::PowerLossCounters& counters = flash_.ftl().power_cycle().counters();
  const controller::LostWrites lost = flash_.lost_writes();
  counters.lost_writes += lost.units();
  counters.lost_sectors += lost.sectors();
  if (!flash_.storage().health().volatile_write_cache) counters.lost_promised_sectors += lost.sectors();

  const FlashDevice::LeftToSave left = flash_.left_to_save();
  const Tick needed = held + left.time;
  nand::ArrayTimes programs;
  programs.programming = left.pages * flash_.facts().nand_timing.t_prog;
  const double needed_joules = joules + nand::array_joules(parameters_.nand.energy, programs) +
                               parameters_.controller.power_loss.hold_up_w * s_from_ticks(needed);
  counters.hold_up_needed = std::max(counters.hold_up_needed, needed);
  counters.needed_nj = std::max(counters.needed_nj, static_cast<std::uint64_t>(std::llround(1e9 * needed_joules)));
}

// Runs the drive on its capacitor until all acknowledged data are programmed, at most for `longest`.
void FlashDrive::hold_up(Tick longest, SimulatedTime& time) {
  const Tick begin = time.now();
  for (;;) {
    bool saved = false;
    flash_.save(time.now(), controller::Unanswered::given_up, [&] {
      saved = true;
      time.stop();
    });
    // save() may complete at once, if nothing needs time.
    if (!saved) time.run(begin + longest);
    if (!saved || flash_.ftl().all_durable()) return;
    // There is now room for the data to be written. Further moves of garbage collection would only fill latches again.
    flash_.ftl().halt_collection();
  }
}

bool FlashDrive::shut_down(SimulatedTime& time) {
  if (!settle(time, !flash_.ftl().writes_checkpoints())) return false;
  flash_.ftl().write_checkpoint(time.now());
  time.run(never);
  ++flash_.ftl().power_cycle().counters().cuts;
  switch_off(time.now());
  return true;
}

void FlashDrive::switch_off(Tick now) {
  flash_.power_cut(now);
  ++flash_.ftl().power_cycle().counters().power_cycles;
}

void FlashDrive::recover(SimulatedTime& time) {
  controller::Ftl& ftl = flash_.ftl();
  const Tick begin = time.now();
  ftl.power_cycle().recover(begin, [&time] { time.stop(); });
  time.run(never);
  if (ftl.recovering()) throw std::logic_error("the recovery of the drive was never completed");
  ftl.power_cycle().counters().recovery += time.now() - begin;
}

// --- age and work

void FlashDrive::age(double hours, double temperature_c) {
  flash_.advance(hours, temperature_c);
  flash_.ftl().pass_without_power(hours * arrhenius_factor(parameters_.nand.cells.retention, temperature_c));
}

void FlashDrive::age_in_use(double hours, double temperature_c, SimulatedTime& time) {
  const controller::RefreshParameters& refresh = parameters_.controller.refresh;
  // Limits the number of checks for very short check intervals: more checks would find nothing new.
  constexpr double most_looks = 1000;
  const double interval = refresh.policy.name == "none" ? hours : std::max(refresh.check_hours, hours / most_looks);
  const double factor = arrhenius_factor(parameters_.nand.cells.retention, temperature_c);
  double step = 0;
  for (double left = hours; left > 0; left -= step) {
    step = std::min({left, interval, flash_.ftl().hours_left(time.now()) / factor});
    flash_.advance(step, temperature_c);
    flash_.ftl().advance(step * factor, time.now());
    time.run(never);
  }
}

// Once saving begins, the drive does nothing else and is not interrupted. With `saves`, it saves even if already at
// rest.
bool FlashDrive::settle(SimulatedTime& time, bool saves) {
  constexpr int most_rounds = 1000;  // moved pages may again leave wordlines incomplete
  const auto at_rest = [this] { return flash_.settled() && flash_.media_idle(); };
  time.run(never);
  if (at_rest() && !saves) return true;
  flash_.write_back(time.now());
  time.run(never);
  const Interruptible to_the_end([] { return true; });
  for (int round = 0; round < most_rounds; ++round) {
    if (at_rest() && !saves) return true;
    saves = false;
    flash_.save(time.now(), controller::Unanswered::written, [] {});
    time.run(never);
  }
  return false;
}

// --- state and figures

void FlashDrive::persist_lasting(Archive& archive, Tick now) {
  flash_.persist_media(archive, now);
  flash_.persist_counters(archive);
}

void FlashDrive::describe(StatisticsVisitor& v, Tick now) const {
  v.group("controller", ControllerGroup{flash_}, "flash translation, and the stages before it");
  describe_media(flash_.media(), flash_.facts(), flash_.ftl().counters().writer.changed_codes, v, now);
}

void FlashDrive::add_busy_times(BusyTimes& times) const {
  const controller::FirmwareStage* const firmware = flash_.firmware();
  const controller::Dram* const dram = flash_.dram();
  times.add("firmware", "processor cores, mean over all",
            firmware == nullptr ? 0 : firmware->counters().busy / parameters_.controller.firmware.cores);
  times.add("dram", "the data bus of the DRAM", dram == nullptr ? 0 : dram->counters().busy);
  add_cache_limits(times);
  add_media_busy_times(flash_.media(), flash_.facts(), times);
  std::vector<BusyTimes::Unit> dies;
  for (const Tick occupied : flash_.ftl().occupied_dies()) dies.push_back({std::to_string(dies.size()), occupied});
  times.add("page_buffers",
            "the page buffers of the busiest die, from the first cycle of a command until its data or status have "
            "moved out",
            std::move(dies));
}

void FlashDrive::add_cache_limits(BusyTimes& times) const {
  const controller::DataCache* const cache = flash_.cache();
  const Tick now = calendar_.now();
  times.add("cache_room", "writes waited for room in the cache", cache == nullptr ? 0 : cache->room_limit().total(now));
  times.add("save_room", "writes waited until the capacitor could save more",
            cache == nullptr ? 0 : cache->save_room_limit().total(now));
  times.add("write_back_window", "the host waited for units that waited for one of controller.cache.writes_in_flight",
            cache == nullptr ? 0 : cache->write_back_window().total(now));
}

void FlashDrive::add_energy(EnergyAccount& account) const {
  add_media_energy(flash_.media(), flash_.facts(), parameters_, account);
  if (const controller::Dram* dram = flash_.dram()) {
    const controller::DramParameters& d = parameters_.controller.dram;
    const controller::DramCounters& c = dram->counters();
    const double bits = 8 * (static_cast<double>(c.bytes_read) + static_cast<double>(c.bytes_written));
    account.add("dram_j", 1e-12 * d.energy_pj_per_bit * bits + 1e-9 * d.activate_nj * static_cast<double>(c.row_misses),
                "the data cache");
  }
}

// In a steady state each plane fills page by page and frees one block at a time, independently of the others. The sum
// over P planes changes between two instants with a standard deviation of 0.41 sqrt(P) blocks. The stock's fluctuation
// is set to sqrt(P) blocks.
void FlashDrive::add_stocks(Stocks& stocks) const {
  if (const controller::DataCache* cache = flash_.cache();
      cache != nullptr && parameters_.controller.cache.keeps_writes()) {
    const double unit = cache->page_bytes();
    const double dirty = static_cast<double>(cache->counters().dirty_units) * unit;
    stocks.push_back({"write cache", dirty, static_cast<double>(parameters_.controller.cache.capacity_bytes), 0});
  }
  const controller::BlockUse use = flash_.ftl().block_use();
  stocks.push_back({"flash", use.programmed_bytes, use.bytes, use.block_bytes * std::sqrt(use.planes)});
}

}  // namespace nandscape
