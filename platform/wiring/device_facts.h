// SPDX-License-Identifier: Apache-2.0
// What the parameters of a flash device come to, before any of its blocks is made: all that who builds one has to know.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "channel/bus_timing.h"
#include "controller/flash_ops/data_path.h"
#include "ecc/page_coders/decoder_model.h"
#include "ecc/page_coders/page_coder.h"
#include "nand/cell_models/cell_model.h"
#include "nand/timing.h"
#include "platform/config/flash_device_parameters.h"

namespace nandscape {

struct DeviceFacts {
  // Throws ConfigError where parameters contradict each other.
  DeviceFacts(const FlashDeviceParameters& parameters, bool keep_data, const VariantChoice& cells);

  // Of an engine of that name.
  std::unique_ptr<ecc::PageCoder> make_coder(std::uint64_t seed, const std::string& engine) const;

  const Geometry geometry;
  const nand::NandTiming nand_timing;
  const channel::BusTiming bus_timing;
  const std::string decoder_name;
  const std::unique_ptr<ecc::DecoderModel> decoder;
  const std::unique_ptr<nand::CellModel> cell_model;
  const std::uint32_t crc_bits;  // of the CRC beside each codeword; 0: none
  const DriveCodes codes;
  const controller::DataPath path;
  const std::unique_ptr<nand::CellDevice> cell_device;  // null when cells have no errors
};

}  // namespace nandscape
