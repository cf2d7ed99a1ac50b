// SPDX-License-Identifier: Apache-2.0
// The features of a die: registers of four bytes P1 to P4, written by SET FEATURE and read by GET FEATURE. All
// addresses are in the range that ONFI leaves to vendors, and all features are 0 after power-on. As ONFI has it, they
// keep their values until they are set again: a reset does not clear them.
//
//   C0h         by how much the phases of each sense are shortened, in 255ths of what they last by default:
//               P1 tPRE, P2 tEVAL, P3 tDISCH; 0 is the default, 255 leaves the phase out. tR of later reads shrinks as
//               the sum of the phases does, also when the configuration gives it by page type.
//   D0h .. DEh  offset of read level 1 .. 15, as many as the cells have: P1 (low byte) and P2 a signed number of mV
//   DFh         likewise, of the one read level of blocks in SLC mode
//
// The controller sets C0h; the offsets are for foreign initiators.
#pragma once

#include <cstdint>

namespace nandscape {

namespace feature {
inline constexpr std::uint8_t sense_timing = 0xc0;
constexpr std::uint8_t vref_offset(std::uint32_t level) { return static_cast<std::uint8_t>(0xcf + level); }
inline constexpr std::uint8_t vref_offset_slc = 0xdf;
}  // namespace feature

}  // namespace nandscape
