// SPDX-License-Identifier: Apache-2.0
// A drive with an external controller and the platform's back end. Derive from it, build the controller from facts(),
// bind its sockets to the back end, and pass the storage for the front end to serve():
//
//   class MyDrive final : public ControllerDrive {
//    public:
//     using Parameters = NoParameters;
//     MyDrive(const Parameters&, const DriveContext& context)
//         : ControllerDrive(context, {.lookahead = never}), controller_("controller", context.calendar, facts()) {
//       for (std::uint32_t c = 0; c < facts().geometry.channels; ++c) {
//         back_end().connect_channel(c, controller_.channel_socket(c));
//       }
//       ...
//       serve(controller_);
//     }
//   };
//   drives().add<MyDrive>("mine", "a controller of my own");
//
// All engines must be connected, too. BackEndQueues (back_end_queues.h) connects all channels and engines for a
// controller without its own scheduling. The platform does not know the state of the controller, so such a drive
// supports neither power cycles nor checkpoints.
#pragma once

#include <memory>
#include <string>

#include "platform/blocks/drive.h"
#include "platform/config/parameters.h"
#include "platform/wiring/flash_back_end.h"

namespace nandscape {

class ControllerDrive : public Drive {
 public:
  StorageDevice& storage() final { return *storage_; }
  std::uint64_t capacity_bytes() const final { return storage_->logical_pages() * storage_->page_bytes(); }

  Tick lookahead() const final;
  bool at_work() const final { return back_end_.at_work(); }
  std::string under_way() const final { return back_end_.outstanding(); }
  void check_lasting() const final;
  void check_persistent() const final { check_lasting(); }

  // The following functions are never reached, because their callers must first pass check_lasting(), which always
  // throws for this drive.
  void power_cut(SimulatedTime&) final { check_lasting(); }
  bool shut_down(SimulatedTime&) final;
  void recover(SimulatedTime&) final { check_lasting(); }
  void persist_lasting(Archive&, Tick) final { check_lasting(); }
  void persist_settled(Archive&) final { check_lasting(); }

  // Ages the dies. The controller is not notified.
  void age(double hours, double temperature_c) final { back_end_.advance(hours, temperature_c); }
  void age_in_use(double hours, double temperature_c, SimulatedTime&) final { back_end_.advance(hours, temperature_c); }

  bool settle(SimulatedTime& time) final;
  bool end_stall(Tick) final { return false; }
  std::string stall_report() const final { return {}; }
  std::string waiting() const final { return "the controller does not report its queues"; }

  void describe(StatisticsVisitor& visitor, Tick now) const override;
  void add_busy_times(BusyTimes& times) const final;
  void add_energy(EnergyAccount& account) const final;
  double array_joules_ahead() const final;
  const TemperatureSource* temperature() const final { return facts_.flash.ages.temperature.get(); }
  void take_heat(const TemperatureSource::Heat& heat, Tick now) final {
    facts_.flash.ages.temperature->take_heat(heat, now);
  }

  MediaProbe& media() final { return back_end_; }

 protected:
  struct Controller {
    Tick lookahead = 0;           // Block::lookahead() of the controller
    std::uint32_t tag_words = 0;  // words of the controller's tag in the spare area of a page
  };
  ControllerDrive(const DriveContext& context, const Controller& controller);

  const DeviceFacts& facts() const { return facts_; }
  FlashBackEnd& back_end() { return back_end_; }
  void serve(StorageDevice& storage) { storage_ = &storage; }

 private:
  const PlatformParameters& parameters_;
  const Controller controller_;
  const DeviceFacts facts_;
  FlashBackEnd back_end_;
  StorageDevice* storage_ = nullptr;
};

}  // namespace nandscape
