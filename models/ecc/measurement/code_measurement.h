// SPDX-License-Identifier: Apache-2.0
// The measurements of one code. They are the results of its real decoder, by number of sensing levels and by number of
// raw errors in a codeword.
#pragma once

#include <cstdint>
#include <map>

#include "ecc/codes/code_family.h"
#include "ecc/codes/sensing_channel.h"
#include "ecc/measurement/measured_frames.h"

namespace nandscape::ecc {

using FramesByErrors = std::map<std::uint32_t, MeasuredFrames>;

// Frames whose codewords have more errors than is usual for the channel of their soft reads.
struct OffChannelFrames {
  std::uint32_t errors = 0;
  std::uint32_t channel_errors = 0;  // expected number of errors: the channel's RBER times the bits of a codeword
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
  std::uint32_t guaranteed_by_plugin = 0;                 // guaranteed errors as reported by the plug-in

  // Returns the number of errors that the code always corrects, whatever their positions. This is t for a BCH code, and
  // 0 for an LDPC code, for which no such number is known. For plug-ins the number is stored, so that a measurement can
  // be read without the plug-in.
  std::uint32_t guaranteed_errors() const {
    return code.plugin.empty() ? code_family(code.family).guaranteed_errors(code) : guaranteed_by_plugin;
  }

  bool operator==(const CodeMeasurement&) const = default;
};

}  // namespace nandscape::ecc
