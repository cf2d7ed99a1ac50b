// SPDX-License-Identifier: Apache-2.0
// The built-in drive, configured under `controller`, `ecc`, `channel` and `nand`: It consists of firmware and cache,
// the controller, and the back end.
#pragma once

#include <optional>
#include <string>

#include "controller/controller_module.h"
#include "platform/blocks/drive.h"
#include "platform/config/parameters.h"
#include "platform/wiring/device_facts.h"
#include "platform/wiring/filled_dies.h"
#include "platform/wiring/flash_back_end.h"
#include "platform/wiring/host_stages.h"

namespace nandscape {

class Ssd final : public Drive, private PowerLimit {
 public:
  using Parameters = NoParameters;
  Ssd(const Parameters&, const DriveContext& context);
  // Not inline, because the destruction of a drive generates much code.
  ~Ssd() override;

  StorageDevice& storage() override { return stages_.storage(); }
  std::uint64_t capacity_bytes() const override { return ftl().logical_pages() * ftl().page_bytes(); }

  HostBufferUser* host_buffer_user() override { return controller_.ftl().host_buffer_user(); }

  Tick lookahead() const override { return back_end_.lookahead(); }
  bool at_work() const override { return back_end_.at_work(); }
  std::string under_way() const override { return back_end_.outstanding(); }
  void check_lasting() const override { back_end_.check_lasting(); }
  void check_persistent() const override { back_end_.check_persistent(); }

  void power_cut(SimulatedTime& time) override;
  bool shut_down(SimulatedTime& time) override;
  void recover(SimulatedTime& time) override;

  void age(double hours, double temperature_c) override;
  void age_in_use(double hours, double temperature_c, SimulatedTime& time) override;

  bool settle(SimulatedTime& time) override { return settle(time, controller::TrimRecords::checkpoint); }
  bool end_stall(Tick now) override { return ftl().end_stall(now); }
  std::string stall_report() const override { return ftl().stall_report(); }
  std::string waiting() const override { return ftl().waiting(); }

  void persist_lasting(Archive& archive, Tick now) override;
  void persist_settled(Archive& archive) override;

  void describe(StatisticsVisitor& visitor, Tick now) const override;
  void add_busy_times(BusyTimes& times) const override;
  void add_energy(EnergyAccount& account) const override;
  double array_joules_ahead() const override;
  const TemperatureSource* temperature() const override { return &ftl().temperature(); }
  void take_heat(const TemperatureSource::Heat& heat, Tick now) override { ftl().take_heat(heat, now); }
  PowerLimit* power_limit() override { return this; }
  void add_stocks(Stocks& stocks) const override;
  std::optional<controller::BlockView> blocks() const override { return ftl().block_view(); }

  MediaProbe& media() override { return back_end_; }

  // Access to the parts of the drive.
  controller::Ftl& ftl() { return controller_.ftl(); }
  const controller::Ftl& ftl() const { return controller_.ftl(); }
  const HostStages& stages() const { return stages_; }
  FlashBackEnd& back_end() { return back_end_; }
  const FlashBackEnd& back_end() const { return back_end_; }

 private:
  void set_limit(double milliwatts, Tick) override { ftl().limit_power(milliwatts); }
  void connect();
  // Counts the lost writes, and the hold-up time and the energy that would have saved them. These are the time `held`
  // and the energy `joules` that have been used, plus an estimate for the remaining data.
  void count_loss(Tick held, double joules);
  double joules_taken() const;
  void hold_up(Tick longest, SimulatedTime& time);
  bool settle(SimulatedTime& time, controller::TrimRecords trims);
  void switch_off(Tick now);
  void check_dies(Archive& archive) const;

  const PlatformParameters& parameters_;
  const DeviceFacts facts_;
  controller::ControllerModule controller_;
  HostStages stages_;
  const FilledDies filled_;
  FlashBackEnd back_end_;
};

}  // namespace nandscape
