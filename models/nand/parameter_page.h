// SPDX-License-Identifier: Apache-2.0
// The parameter page of ONFI, which has 256 bytes and in which a die reports its properties. READ PARAMETER PAGE
// returns three copies of it. Fields are little-endian. A field is 0 if the simulated die does not have the property.
// The fields that describe the interface are also 0 here; the model of the die's pins fills them in (rtl/onfi). A value
// that is too large for its field is replaced by the largest value of the field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nand/timing.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

#pragma pack(push, 1)
struct ParameterPage {
  char signature[4];                //   0  "ONFI"
  std::uint16_t revision;           //   4  bit 8: ONFI 4.0
  std::uint16_t features;           //   6  bit 3: multi-plane program and erase, bit 5: NV-DDR, bit 6: multi-plane read
  std::uint16_t optional_commands;  //   8  bit 0: cache program, bit 1: cache read, bit 2: get and set features,
                                    //      bit 3: status of a plane, bit 4: copyback
  std::uint8_t reserved_10[4];      //  10
  std::uint8_t copies;              //  14  of the parameter page
  std::uint8_t reserved_15[17];     //  15
  char manufacturer[12];            //  32  blank-padded
  char model[20];                   //  44  blank-padded
  std::uint8_t reserved_64[16];     //  64
  std::uint32_t page_bytes;         //  80  without the spare bytes
  std::uint16_t spare_bytes;        //  84
  std::uint8_t reserved_86[6];      //  86
  std::uint32_t pages_per_block;    //  92
  std::uint32_t blocks_per_die;     //  96
  std::uint8_t dies;                // 100  number of dies in the chip
  std::uint8_t address_cycles;      // 101  bits 0-3: row, bits 4-7: column
  std::uint8_t bits_per_cell;       // 102
  std::uint8_t reserved_103[7];     // 103
  std::uint8_t programs_per_page;   // 110  how often a page may be programmed between two erases
  std::uint8_t reserved_111[2];     // 111
  std::uint8_t plane_address_bits;  // 113
  std::uint8_t reserved_114[15];    // 114
  std::uint16_t sdr_modes;          // 129  bit k: timing mode k is supported
  std::uint8_t reserved_131[2];     // 131
  std::uint16_t t_prog_us;          // 133
  std::uint16_t t_bers_us;          // 135
  std::uint16_t t_read_us;          // 137  tR of the slowest page
  std::uint16_t t_ccs_ns;           // 139
  std::uint8_t nv_ddr_modes;        // 141  bit k: timing mode k is supported
  std::uint8_t reserved_142[22];    // 142
  std::uint16_t vendor_revision;    // 164  1: the vendor-specific bytes from here to the CRC are as declared here
  std::uint16_t t_prog_slc_us;      // 166
  std::uint16_t t_adjust_us;        // 168
  std::uint8_t senses[4];           // 170  senses of each page of a wordline, lowest bit first
  std::uint8_t subpages;            // 174  number of subpages of a page, for single-operation multiple-location reads
  std::uint8_t reserved_175[79];    // 175
  std::uint16_t crc;                // 254  CRC of the bytes before this field
};
#pragma pack(pop)
static_assert(sizeof(ParameterPage) == 256);
static_assert(offsetof(ParameterPage, page_bytes) == 80 && offsetof(ParameterPage, bits_per_cell) == 102 &&
              offsetof(ParameterPage, sdr_modes) == 129 && offsetof(ParameterPage, t_prog_us) == 133 &&
              offsetof(ParameterPage, nv_ddr_modes) == 141 && offsetof(ParameterPage, vendor_revision) == 164 &&
              offsetof(ParameterPage, crc) == 254);

inline constexpr std::uint32_t parameter_page_copies = 3;

// Computes the CRC-16 of ONFI: polynomial 8005h, initial value 4F4Eh, without reflection or inversion.
std::uint16_t onfi_crc(std::span<const std::byte> bytes);

// Computes the CRC of a parameter page, over all bytes before its CRC field.
std::uint16_t parameter_page_crc(const ParameterPage& page);

ParameterPage make_parameter_page(const Geometry& geometry, const NandTiming& timing);

}  // namespace nandscape::nand
