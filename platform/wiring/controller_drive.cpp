// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/controller_drive.h"

#include <algorithm>

#include "core/error.h"
#include "platform/wiring/back_end_statistics.h"

namespace nandscape {

ControllerDrive::ControllerDrive(const DriveContext& context, const Controller& controller)
    : parameters_(context.parameters),
      controller_(controller),
      facts_(parameters_),
      back_end_(context, facts_, {.tag_words = controller.tag_words, .is_foreign = controller.lookahead != never}) {}

Tick ControllerDrive::lookahead() const { return std::min(controller_.lookahead, back_end_.lookahead()); }

void ControllerDrive::check_lasting() const {
  throw RequestError("the drive is of kind " + parameters_.simulation.blocks.drive.kind.name +
                     " (simulation.blocks.drive), which cannot save the state of its controller: it supports neither "
                     "power cycles nor checkpoints");
}

bool ControllerDrive::shut_down(SimulatedTime&) {
  check_lasting();
  return false;
}

bool ControllerDrive::settle(SimulatedTime& time) {
  time.run(never);
  return true;
}

void ControllerDrive::describe(StatisticsVisitor& v, Tick now) const {
  describe_back_end(back_end_, facts_, 0, v, now);
}

void ControllerDrive::add_busy_times(BusyTimes& times) const { add_back_end_busy_times(back_end_, facts_, times); }

void ControllerDrive::add_energy(EnergyAccount& account) const {
  add_back_end_energy(back_end_, facts_, parameters_, account);
}

double ControllerDrive::array_joules_ahead() const {
  return array_joules(parameters_.nand.energy, back_end_.array_times_ahead());
}

}  // namespace nandscape
