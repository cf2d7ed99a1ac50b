// SPDX-License-Identifier: Apache-2.0
// The built-in drive, configured under `controller`, `ecc`, `channel` and `nand`: a FlashDevice with its behaviour at
// power loss, shutdown, and settling.
#pragma once

#include "platform/blocks/drive.h"
#include "platform/config/parameters.h"
#include "platform/wiring/flash_device.h"

namespace nandscape {

class FlashDrive final : public Drive {
 public:
  using Parameters = NoParameters;
  FlashDrive(const Parameters&, const DriveContext& context);

  StorageDevice& storage() override { return flash_.storage(); }
  std::uint64_t capacity_bytes() const override;

  Tick lookahead() const override { return flash_.back_end().lookahead(); }
  bool at_work() const override { return flash_.back_end().at_work(); }
  std::string under_way() const override { return flash_.back_end().outstanding(); }
  void check_lasting() const override { flash_.back_end().check_lasting(); }
  void check_persistent() const override { flash_.back_end().check_persistent(); }

  void power_cut(SimulatedTime& time) override;
  bool shut_down(SimulatedTime& time) override;
  void recover(SimulatedTime& time) override;

  void age(double hours, double temperature_c) override;
  void age_in_use(double hours, double temperature_c, SimulatedTime& time) override;

  bool settle(SimulatedTime& time) override { return settle(time, false); }
  bool end_stall(Tick now) override { return flash_.end_stall(now); }
  std::string stall_report() const override { return flash_.ftl().stall_report(); }
  std::string waiting() const override { return flash_.ftl().waiting(); }

  void persist_lasting(Archive& archive, Tick now) override;
  void persist_settled(Archive& archive) override { flash_.persist_controller(archive); }

  void describe(StatisticsVisitor& visitor, Tick now) const override;
  void add_busy_times(BusyTimes& times) const override;
  void add_energy(EnergyAccount& account) const override;
  void add_stocks(Stocks& stocks) const override;

  void fail_next(DieId die, NandOperation operation, std::uint32_t count) override {
    flash_.back_end().fail_next(die, operation, count);
  }
  void fail_block(BlockId block) override { flash_.back_end().fail_block(block); }
  void kill_die(DieId die) override { flash_.back_end().kill(die); }

  std::uint32_t programmed_wordlines(BlockId block) override { return flash_.back_end().programmed_wordlines(block); }
  std::vector<float> threshold_voltages(BlockId block, std::uint32_t wordline, Tick now) override {
    return flash_.back_end().threshold_voltages(block, wordline, now);
  }

 private:
  // Counts the lost writes, and the hold-up time and energy that would have saved them: `held` and `joules` plus the
  // estimate for the rest.
  void count_loss(Tick held, double joules);
  double joules_taken() const;
  void hold_up(Tick longest, SimulatedTime& time);
  bool settle(SimulatedTime& time, bool saves);
  void switch_off(Tick now);
  void add_cache_limits(BusyTimes& times) const;

  const FlashDeviceParameters parameters_;
  const Calendar& calendar_;
  FlashDevice flash_;
};

}  // namespace nandscape
