// SPDX-License-Identifier: Apache-2.0
// The pins of an ONFI target. Both host and target can drive DQ and DQS, so each has separate values for these pins. In
// NV-DDR, we_n is CLK and re_n is W/R_n.
#pragma once

#include <cstdint>

namespace nandscape::rtl::onfi {

// The pins that the host drives.
struct HostPins {
  bool ce_n = true;
  bool cle = false;
  bool ale = false;
  bool we_n = true;
  bool re_n = true;
  bool wp_n = true;
  bool dqs = false;
  std::uint8_t dq = 0xff;

  bool operator==(const HostPins&) const = default;
};

// The pins that the target drives, except R/B_n.
struct TargetPins {
  bool dq_enable = false;
  bool dqs_enable = false;
  bool dqs = false;
  std::uint8_t dq = 0xff;
};

// packed() packs the pins into an integer, which is passed as the argument of a calendar event. unpacked() does the
// reverse.
constexpr std::uint64_t packed(const TargetPins& pins) {
  return std::uint64_t{pins.dq} | std::uint64_t{pins.dqs} << 8 | std::uint64_t{pins.dqs_enable} << 9 |
         std::uint64_t{pins.dq_enable} << 10;
}
constexpr TargetPins unpacked(std::uint64_t bits) {
  return {.dq_enable = (bits >> 10 & 1) != 0,
          .dqs_enable = (bits >> 9 & 1) != 0,
          .dqs = (bits >> 8 & 1) != 0,
          .dq = static_cast<std::uint8_t>(bits & 0xff)};
}

}  // namespace nandscape::rtl::onfi
