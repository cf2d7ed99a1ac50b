// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/controller_drive.h"

#include <algorithm>

#include "core/error.h"
#include "platform/wiring/back_end_statistics.h"

namespace nandscape {

namespace {

FlashBackEnd::Choices back_end_choices(const DriveContext& context, std::uint32_t tag_words, bool foreign) {
  const SimulationParameters& simulation = context.parameters.simulation;
  FlashBackEnd::Choices choices;
  choices.blocks = simulation.blocks;
  choices.seed = simulation.seed;
  choices.check_protocol = simulation.check_protocol;
  choices.tag_words = tag_words;
  choices.controller_is_foreign = foreign;
  choices.timeline = context.timeline;
  return choices;
}

}  // namespace

ControllerDrive::ControllerDrive(const DriveContext& context, const Controller& controller)
    : name_(context.parameters.simulation.blocks.drive.kind.name),
      parameters_(context.parameters),
      controller_(controller),
      facts_(parameters_, context.parameters.simulation.data == DataFidelity::stored,
             context.parameters.simulation.cells),
      back_end_(parameters_, facts_, back_end_choices(context, controller.tag_words, controller.lookahead != never),
                context.calendar) {}

Tick ControllerDrive::lookahead() const { return std::min(controller_.lookahead, back_end_.lookahead()); }

void ControllerDrive::check_lasting() const {
  throw RequestError("the drive is of kind " + name_ +
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

void ControllerDrive::fail_next(DieId die, NandOperation operation, std::uint32_t count) {
  back_end_.fail_next(die, operation, count);
}

void ControllerDrive::fail_block(BlockId block) { back_end_.fail_block(block); }

std::uint32_t ControllerDrive::programmed_wordlines(BlockId block) { return back_end_.programmed_wordlines(block); }

std::vector<float> ControllerDrive::threshold_voltages(BlockId block, std::uint32_t wordline, Tick now) {
  return back_end_.threshold_voltages(block, wordline, now);
}

void ControllerDrive::kill_die(DieId die) { back_end_.kill(die); }

}  // namespace nandscape
