// SPDX-License-Identifier: Apache-2.0
// The properties of a flash device that follow from its parameters. They are computed before the blocks of the device
// are made, and are all that its builder needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "channel/bus_timing.h"
#include "controller/flash_facts.h"
#include "core/work_team.h"
#include "ecc/page_coders/decoder_model.h"
#include "ecc/page_coders/page_coder.h"
#include "nand/cell_models/cell_model.h"
#include "nand/timing.h"
#include "platform/config/parameters.h"

namespace nandscape {

struct DeviceFacts {
  // Computes the facts. Throws ConfigError if the parameters contradict each other.
  explicit DeviceFacts(const PlatformParameters& parameters);

  // Creates the coder for the engine with that name.
  std::unique_ptr<ecc::PageCoder> make_coder(std::uint64_t seed, const std::string& engine) const;

  // The threads of `simulation.threads`. The coders and the cells of the device share them.
  const std::shared_ptr<WorkTeam> team;
  const Geometry geometry;
  const nand::NandTiming nand_timing;
  const channel::BusTiming bus_timing;
  const std::string decoder_name;
  const std::unique_ptr<ecc::DecoderModel> decoder;
  const std::unique_ptr<nand::CellModel> cell_model;
  const std::uint32_t crc_bits;  // bits of the CRC of each codeword; 0 if there is no CRC
  const bool stop_at_failure;    // decoding of a page stops at its first codeword that fails
  const DriveCodes codes;
  const controller::FlashFacts flash;                   // what the controller knows
  const std::unique_ptr<nand::CellDevice> cell_device;  // null if cells have no errors
};

}  // namespace nandscape
