// SPDX-License-Identifier: Apache-2.0
// Measurements of one code: the results of its real decoder, by sensing levels and by raw errors of a codeword.
#pragma once

#include <cstdint>
#include <map>

#include "ecc/codes/code_family.h"
#include "ecc/codes/sensing_channel.h"
#include "ecc/measurement/measured_frames.h"

namespace nandscape::ecc {

using FramesByErrors = std::map<std::uint32_t, MeasuredFrames>;

// Frames with more errors than usual for the channel of their soft reads.
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
  std::map<std::uint32_t, OffChannelFrames> off_channel;  // by levels; soft reads only
  std::uint32_t guaranteed_by_plugin = 0;                 // value that the codec of a plug-in gave when it was measured

  // Errors that the code corrects wherever they lie: t for a BCH code, 0 for LDPC, for which no such number is known. A
  // measurement can be read without the plug-in of its code.
  std::uint32_t guaranteed_errors() const {
    return code.plugin.empty() ? code_family(code.family).guaranteed_errors(code) : guaranteed_by_plugin;
  }

  bool operator==(const CodeMeasurement&) const = default;
};

}  // namespace nandscape::ecc
