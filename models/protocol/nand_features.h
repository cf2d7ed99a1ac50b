// SPDX-License-Identifier: Apache-2.0
// The features of a die: registers of four bytes P1 to P4, written by SET FEATURE and read by GET FEATURE. All
// addresses are in the range that ONFI reserves for vendors, and all features are 0 after power-on. As specified by
// ONFI, a reset does not change the values.
//
//   C0h         shortens the phases of each sense, in units of 1/255 of their default duration: P1 tPRE, P2 tEVAL,
//               P3 tDISCH. 0 is the default, 255 omits the phase. tR of later reads shrinks like the sum of the phases,
//               even if the configuration gives tR by page type.
//   D0h .. DEh  offset of read level 1 .. 15 in mV,
//               one for each level of the cells:
//               P1 (low byte) and P2 form a signed number
//   DFh         the same for the single read level of blocks in SLC mode
//
// The controller sets C0h. The offsets are for external initiators.
#pragma once

#include <cstdint>

namespace nandscape {

namespace feature {
inline constexpr std::uint8_t sense_timing = 0xc0;
constexpr std::uint8_t vref_offset(std::uint32_t level) { return static_cast<std::uint8_t>(0xcf + level); }
inline constexpr std::uint8_t vref_offset_slc = 0xdf;
}  // namespace feature

}  // namespace nandscape
