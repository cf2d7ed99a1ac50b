// SPDX-License-Identifier: Apache-2.0
// The codes of the ONFI bus: commands, status bits, and the features of the interface itself [ONFI 4.0, chapter 5].
#pragma once

#include <cstdint>

namespace nandscape::rtl::onfi {

// The command codes. A comment lists the address cycles that follow the command.
namespace opcode {
inline constexpr std::uint8_t read = 0x00;  // column, row; without an address: continues data-out after a status
inline constexpr std::uint8_t read_confirm = 0x30;
inline constexpr std::uint8_t read_cache = 0x31;  // after 00h and an address; without an address: reads the next page
inline constexpr std::uint8_t read_cache_end = 0x3f;
inline constexpr std::uint8_t read_queue_plane = 0x32;
inline constexpr std::uint8_t copyback_read = 0x35;
inline constexpr std::uint8_t change_read_column = 0x05;           // column
inline constexpr std::uint8_t change_read_column_enhanced = 0x06;  // column, row: also selects the plane
inline constexpr std::uint8_t change_read_column_confirm = 0xe0;
inline constexpr std::uint8_t program = 0x80;              // column, row
inline constexpr std::uint8_t change_write_column = 0x85;  // column
inline constexpr std::uint8_t copyback_program = 0x85;     // column, row
inline constexpr std::uint8_t program_confirm = 0x10;
inline constexpr std::uint8_t program_cache = 0x15;
inline constexpr std::uint8_t program_queue_plane = 0x11;
inline constexpr std::uint8_t erase = 0x60;  // row
inline constexpr std::uint8_t erase_confirm = 0xd0;
inline constexpr std::uint8_t erase_queue_plane = 0xd1;
inline constexpr std::uint8_t read_status = 0x70;
inline constexpr std::uint8_t read_status_enhanced = 0x78;  // row
inline constexpr std::uint8_t read_id = 0x90;               // address 00h or 20h
inline constexpr std::uint8_t read_parameter_page = 0xec;   // address 00h
inline constexpr std::uint8_t get_features = 0xee;          // address of a feature
inline constexpr std::uint8_t set_features = 0xef;          // address of a feature
inline constexpr std::uint8_t reset = 0xff;
inline constexpr std::uint8_t synchronous_reset = 0xfc;
inline constexpr std::uint8_t reset_lun = 0xfa;  // row
}  // namespace opcode

namespace status {
inline constexpr std::uint8_t fail = 1u << 0;           // the last program or erase failed; valid if array_ready is set
inline constexpr std::uint8_t fail_previous = 1u << 1;  // the previous cache program has failed; valid if ready is set
inline constexpr std::uint8_t array_ready = 1u << 5;
inline constexpr std::uint8_t ready = 1u << 6;          // accepts another command; as R/B_n
inline constexpr std::uint8_t not_protected = 1u << 7;  // WP_n is high
}  // namespace status

// The addresses for the command READ ID.
inline constexpr std::uint8_t id_of_manufacturer = 0x00;
inline constexpr std::uint8_t id_of_onfi = 0x20;

// The feature that selects the interface and the timing mode. Bits 0 to 3 of its byte P1 are the timing mode, and bits
// 4 and 5 are the interface.
inline constexpr std::uint8_t timing_mode_feature = 0x01;
inline constexpr std::uint8_t feature_bytes = 4;

enum class Interface : std::uint8_t { sdr = 0, nv_ddr = 1 };

struct TimingMode {
  Interface interface = Interface::sdr;
  std::uint8_t mode = 0;  // 0 to 5

  bool operator==(const TimingMode&) const = default;
};

inline constexpr std::uint8_t timing_modes = 6;

constexpr std::uint8_t feature_value(TimingMode mode) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(mode.interface) << 4 | mode.mode);
}

}  // namespace nandscape::rtl::onfi
