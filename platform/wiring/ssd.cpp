// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/ssd.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/interruption.h"
#include "platform/wiring/back_end_statistics.h"

namespace nandscape {

namespace {

struct ControllerGroup {
  const controller::Ftl& ftl;
  const HostStages& stages;
};

void describe(const ControllerGroup& g, StatisticsVisitor& v) {
  describe(g.ftl.counters(), v);
  v.group("wear", g.ftl.wear(),
          "cycles of the superblocks that are not retired, those of nand.condition.pe_cycles included");
  v.group("power", g.ftl.power_counters(), "waits for power, and throttling");
  g.stages.describe(v);
}

}  // namespace

Ssd::Ssd(const Parameters&, const DriveContext& context)
    : parameters_(context.parameters),
      facts_(parameters_),
      controller_("controller", parameters_.controller, facts_.geometry, facts_.flash, parameters_.simulation.seed,
                  context.calendar, context.start_up, parameters_.simulation.breakdown),
      stages_(parameters_.controller, facts_.flash.path.keeps_data(), ftl(), context.calendar),
      filled_(ftl(), facts_, parameters_.controller.precondition),
      back_end_(context, facts_, {.tag_words = 2 * ftl().layout().units_per_page(), .initial = &filled_}) {
  connect();
  filled_.program(back_end_);
}

Ssd::~Ssd() = default;

void Ssd::connect() {
  for (std::uint32_t c = 0; c < facts_.geometry.channels; ++c) {
    back_end_.connect_channel(c, controller_.channel_socket(c));
  }
  for (std::uint32_t e = 0; e < facts_.flash.path.engine_count(); ++e) {
    back_end_.connect_engine(e, controller_.decode_socket(e), controller_.encode_socket(e));
  }
}

// --- power

void Ssd::power_cut(SimulatedTime& time) {
  controller::PowerLossCounters& counters = ftl().power_cycle().counters();
  ++counters.cuts;
  ++counters.unsafe_shutdowns;
  const Tick begin = time.now();
  const double joules = joules_taken();
  std::exception_ptr interrupted;
  try {
    if (const Tick capacitor = ftl().hold_up().capacitor(); capacitor != 0) hold_up(capacitor, time);
  } catch (const Interrupted&) {
    interrupted = std::current_exception();
  }
  const Tick held = time.now() - begin;
  counters.hold_up += held;
  count_loss(held, joules_taken() - joules);
  switch_off(time.now());
  if (interrupted) std::rethrow_exception(interrupted);
}

double Ssd::joules_taken() const {
  EnergyAccount account;
  add_energy(account);
  return account.total();
}

// Counts the data that are lost with the supply, and the energy that would have saved them. This energy is estimated
// from the page programs that remain and the hold-up power.
void Ssd::count_loss(Tick held, double joules) {
  controller::PowerLossCounters& counters = ftl().power_cycle().counters();
  const controller::LostWrites lost = stages_.lost_writes();
  counters.lost_writes += lost.units();
  counters.lost_sectors += lost.sectors();
  if (!stages_.storage().health().volatile_write_cache) counters.lost_promised_sectors += lost.sectors();

  const HostStages::LeftToSave left = stages_.left_to_save();
  const Tick needed = held + left.time;
  nand::ArrayTimes programs;
  programs.programming = left.pages * facts_.nand_timing.mean_page_program();
  const double needed_joules = joules + nand::array_joules(parameters_.nand.energy, programs) +
                               parameters_.controller.power_loss.hold_up_w * s_from_ticks(needed);
  counters.hold_up_needed = std::max(counters.hold_up_needed, needed);
  counters.needed_nj = std::max(counters.needed_nj, static_cast<std::uint64_t>(std::llround(1e9 * needed_joules)));
}

// Runs the drive on its capacitor until all acknowledged data have been programmed, but for no longer than `longest`.
void Ssd::hold_up(Tick longest, SimulatedTime& time) {
  const Tick begin = time.now();
  for (;;) {
    bool saved = false;
    stages_.save(time.now(), controller::Unanswered::given_up, controller::TrimRecords::journal, [&] {
      saved = true;
      time.stop();
    });
    // save() calls back at once if it needs no simulated time.
    if (!saved) time.run(begin + longest);
    if (!saved || ftl().all_durable()) return;
    // There is now room for the remaining data. If garbage collection moved more pages, it would only fill latches
    // again.
    ftl().halt_collection();
  }
}

bool Ssd::shut_down(SimulatedTime& time) {
  const bool by_checkpoint = ftl().writes_checkpoints();
  if (!settle(time, by_checkpoint ? controller::TrimRecords::checkpoint : controller::TrimRecords::journal)) {
    return false;
  }
  ftl().write_checkpoint(time.now());
  time.run(never);
  ++ftl().power_cycle().counters().cuts;
  switch_off(time.now());
  return true;
}

void Ssd::switch_off(Tick now) {
  back_end_.power_cut(now);
  ++ftl().power_cycle().counters().power_cycles;
}

void Ssd::recover(SimulatedTime& time) {
  const Tick begin = time.now();
  ftl().power_cycle().recover(begin, [&time] { time.stop(); });
  time.run(never);
  if (ftl().recovering()) throw std::logic_error("the recovery of the drive was never completed");
  ftl().power_cycle().counters().recovery += time.now() - begin;
}

// --- age and work

void Ssd::age(double hours, double temperature_c) {
  back_end_.advance(hours, temperature_c);
  facts_.flash.ages.temperature->cool(hours);
  ftl().pass_without_power(hours * arrhenius_factor(parameters_.nand.cells.retention, temperature_c));
}

void Ssd::age_in_use(double hours, double temperature_c, SimulatedTime& time) {
  const controller::RefreshParameters& refresh = parameters_.controller.refresh;
  // Limits the number of checks if the check interval is very short. More checks would not find anything new.
  constexpr double most_looks = 1000;
  const double interval = refresh.refreshes() ? std::max(refresh.check_hours, hours / most_looks) : hours;
  const double factor = arrhenius_factor(parameters_.nand.cells.retention, temperature_c);
  facts_.flash.ages.temperature->cool(hours);
  double step = 0;
  for (double left = hours; left > 0; left -= step) {
    step = std::min({left, interval, ftl().hours_left(time.now()) / factor});
    back_end_.advance(step, temperature_c);
    ftl().advance(step * factor, time.now());
    time.run(never);
  }
}

// Completes all work of the drive. Once the drive begins to save data, it does nothing else and is not interrupted. If
// trims belong in the journal, it saves data even if it is already at rest.
bool Ssd::settle(SimulatedTime& time, controller::TrimRecords trims) {
  // Several rounds may be needed, since pages that are moved may again leave wordlines incomplete.
  constexpr int most_rounds = 1000;
  const auto at_rest = [this] { return stages_.settled() && back_end_.idle(); };
  bool saves = trims == controller::TrimRecords::journal;
  time.run(never);
  if (at_rest() && !saves) return true;
  stages_.write_back(time.now());
  time.run(never);
  const Interruptible to_the_end([] { return true; });
  for (int round = 0; round < most_rounds; ++round) {
    if (at_rest() && !saves) return true;
    saves = false;
    stages_.save(time.now(), controller::Unanswered::written, trims, [] {});
    time.run(never);
    if (at_rest()) continue;
    // A save halts collection, and resumes it only until a block has been erased. It may then be emptying another one.
    ftl().finish_victims(time.now());
    time.run(never);
  }
  return false;
}

// --- state and figures

void Ssd::persist_lasting(Archive& archive, Tick now) {
  archive.section("media");
  ftl().persist_lasting(archive);
  back_end_.persist_dies(archive, now);
  ftl().persist_counters(archive);
  stages_.persist_counters(archive);
  back_end_.persist_counters(archive);
}

void Ssd::persist_settled(Archive& archive) {
  ftl().persist(archive);
  stages_.persist(archive);
  archive.section("dies and controller");
  if (archive.loading()) check_dies(archive);
}

// Checks a restored state. The archive contains the contents of the dies and the controller's view of them separately,
// and the two must agree.
void Ssd::check_dies(Archive& archive) const {
  const Geometry& geometry = facts_.geometry;
  for (const PlaneId plane : Places<PlaneId>(geometry.planes())) {
    const nand::Die& die = back_end_.die(geometry.die_of(plane), "what it holds");
    for (const BlockInPlane k : Places<BlockInPlane>(geometry.blocks_per_plane)) {
      const std::optional<std::uint32_t> pages = ftl().programmed_pages(plane, k);
      const BlockInDie block = geometry.block_in_die(geometry.plane_in_die(plane), k);
      const std::optional<ProgramMode> cells = ftl().cells_of(plane, k);
      archive.require(!cells || die.programmed_pages(block) == 0 || die.mode(block) == *cells,
                      "a block is in a mode that the controller does not use");
      if (!pages || (die.programmed_pages(block) == *pages && !die.spoiled(block))) continue;
      archive.refuse(
          "the controller expects " + std::to_string(*pages) + " pages of block " +
          std::to_string(geometry.block(plane, k).value) + " to be programmed, but its die has " +
          (die.spoiled(block) ? "none, since an erase has failed" : std::to_string(die.programmed_pages(block))));
    }
  }
}

void Ssd::describe(StatisticsVisitor& v, Tick now) const {
  v.group("controller", ControllerGroup{ftl(), stages_}, "flash translation, and the stages before it");
  describe_back_end(back_end_, facts_, ftl().counters().writer.changed_codes, v, now);
}

void Ssd::add_busy_times(BusyTimes& times) const {
  stages_.add_busy_times(times);
  add_back_end_busy_times(back_end_, facts_, times);
  std::vector<BusyTimes::Unit> dies;
  for (const Tick occupied : ftl().occupied_dies()) dies.push_back({std::to_string(dies.size()), occupied});
  times.add("page_buffers",
            "the page buffers of the busiest die, from the first cycle of a command until its data or status have "
            "moved out",
            std::move(dies));
}

void Ssd::add_energy(EnergyAccount& account) const {
  add_back_end_energy(back_end_, facts_, parameters_, account);
  stages_.add_energy(account);
}

double Ssd::array_joules_ahead() const { return array_joules(parameters_.nand.energy, back_end_.array_times_ahead()); }

// In a steady state, each plane fills its blocks page by page and frees one block at a time, independently of the other
// planes. The sum over P planes therefore changes between two moments with a standard deviation of 0.41 sqrt(P) blocks.
// The fluctuation of the stock is set to sqrt(P) blocks.
void Ssd::add_stocks(Stocks& stocks) const {
  stages_.add_stocks(stocks);
  const controller::BlockUse use = ftl().block_use();
  stocks.push_back({"flash", use.programmed_bytes, use.bytes, use.block_bytes * std::sqrt(use.planes)});
}

}  // namespace nandscape
