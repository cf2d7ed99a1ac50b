// SPDX-License-Identifier: Apache-2.0
// What was measured of one code: how its real decoder did, by sensing levels and by raw errors of a codeword.
#pragma once

#include <cstdint>
#include <map>

#include "ecc/codes/code_family.h"
#include "ecc/codes/sensing_channel.h"
#include "ecc/measurement/measured_frames.h"

namespace nandscape::ecc {

using FramesByErrors = std::map<std::uint32_t, MeasuredFrames>;

// Frames with more errors than are usual for the channel of their soft reads.
struct OffChannelFrames {
  std::uint32_t errors = 0;
  std::uint32_t channel_errors = 0;  // the channel's RBER times the bits of a codeword
  MeasuredFrames frames;

  bool operator==(const OffChannelFrames&) const = default;
};

struct CodeMeasurement {
  Code code;
  std::uint64_t seed = 1;
  std::uint32_t payload_bytes = 0;
  std::uint32_t codeword_bits = 0;
  std::map<std::uint32_t, FramesByErrors> by_levels;
  std::map<std::uint32_t, OffChannelFrames> off_channel;  // by levels, of soft reads
  std::uint32_t guaranteed_by_plugin = 0;                 // what the codec of a plug-in said when it was measured

  // Errors that the code corrects wherever they lie: t of a BCH code, none that is known of LDPC. A measurement is read
  // without the plug-in whose code was measured.
  std::uint32_t guaranteed_errors() const {
    return code.plugin.empty() ? code_family(code.family).guaranteed_errors(code) : guaranteed_by_plugin;
  }

  bool operator==(const CodeMeasurement&) const = default;
};

}  // namespace nandscape::ecc
