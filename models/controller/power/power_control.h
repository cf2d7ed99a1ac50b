// SPDX-License-Identifier: Apache-2.0
// How much power the operations of the flash may draw together. Three things limit it: the cap of the drive, the power
// state that the host has chosen, and the temperature of the flash. The scheduler asks for the limit and for the draw
// of operations (PowerGate); it does not know the reasons.
//
//   cap       what the cap leaves after all other parts of the drive
//   state     the same for the maximum power of the state
//   throttle  a share of the power of all dies at work, by the level that the temperature has reached. A level ends
//             when the temperature is lower than its threshold by the hysteresis.
//
// Powers are integers in microwatts, so that sums of draws return to exactly zero.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "controller/power/power.h"
#include "core/archive.h"
#include "core/component.h"
#include "core/statistics.h"
#include "core/ticks.h"
#include "protocol/device_health.h"
#include "protocol/nand_command.h"

namespace nandscape::controller {

// The draw of an operation on one plane is its energy over its array time. Its energy includes the bytes that it moves
// over the bus and through the ECC engine.
struct FlashPower {
  double read_mw = 0;
  double program_mw = 0;
  double erase_mw = 0;
  double read_nj_per_byte = 0;
  double write_nj_per_page = 0;
  std::vector<Tick> t_read{1};  // tR of each page of a wordline
  Tick t_prog = 1;              // mean time to program a page
  double all_dies_mw = 0;       // the power of the flash if all planes of all dies work
  // What remains of the supply's power after the losses of the regulators, and what all other parts of the drive draw.
  double efficiency = 1;
  double others_mw = 0;
  bool host_limits = false;  // the host can choose power states that limit the power
};

using Microwatts = std::int64_t;

enum class ThrottleLevel : std::uint8_t { none, light, heavy };

struct PowerCounters {
  std::uint64_t waits = 0;  // dies that began to wait for power
  Tick waited = 0;          // time for which dies have waited, summed over the dies
  ThrottlingRecord light;
  ThrottlingRecord heavy;
};
void describe(const PowerCounters& counters, StatisticsVisitor& visitor);

class PowerControl final : public Component {
 public:
  static constexpr Microwatts unlimited = std::numeric_limits<Microwatts>::max() / 4;

  PowerControl(const PowerParameters& parameters, const FlashPower& flash);

  // Returns whether operations may ever have to wait for power.
  bool may_limit() const { return parameters_.limits() || flash_.host_limits; }
  // Returns whether there is a limit now.
  bool limits() const { return limit_ != unlimited; }
  // Returns what all operations may draw together.
  Microwatts limit() const { return limit_; }
  // Returns what the operation of one plane draws.
  Microwatts draw(const NandCommand& command) const;
  // Returns the highest draw of a write, which may be a copyback or a voltage adjustment.
  Microwatts most_of_write() const { return most_of_write_; }
  Microwatts of_erase() const { return erase_; }

  // Limits the power from the supply, in addition to the cap. Returns whether the limit has changed.
  bool set_supply_limit(double milliwatts);
  // Sets the temperature of the flash. Returns whether the limit has changed.
  bool set_temperature(double celsius, Tick now);
  ThrottleLevel level() const { return level_; }

  // Counts a die that has waited for power.
  void count_wait() { ++counters_.waits; }
  void count_waited(Tick time) { counters_.waited += time; }
  PowerCounters counters(Tick now) const;

  void persist_counters(Archive& archive) override;

 private:
  ThrottleLevel level_at(double celsius) const;
  void set_level(ThrottleLevel level);
  void update_limit();
  ThrottlingRecord& record_of_level(PowerCounters& counters) const;

  const PowerParameters parameters_;
  const FlashPower flash_;
  const Microwatts program_;
  const Microwatts erase_;
  const Microwatts most_of_write_;
  Microwatts limit_ = unlimited;
  double supply_mw_;  // most power from the supply; infinite if nothing limits it
  ThrottleLevel level_ = ThrottleLevel::none;
  Tick level_since_ = 0;  // time up to which the levels are counted
  PowerCounters counters_;
};

}  // namespace nandscape::controller
