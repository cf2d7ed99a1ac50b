// SPDX-License-Identifier: Apache-2.0
// The features of a die: the values that SET FEATURE has written to the addresses of protocol/nand_features.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/archive.h"
#include "nand/timing.h"
#include "protocol/nand_command.h"
#include "protocol/nand_features.h"

namespace nandscape::nand {

class DieFeatures {
 public:
  using Value = std::array<std::uint8_t, 4>;

  // `timing` must outlive the features.
  explicit DieFeatures(const NandTiming& timing);

  bool exists(std::uint8_t address) const;
  // `address` must exist.
  void set(std::uint8_t address, const Value& value);
  Value get(std::uint8_t address) const;

  // tR of a page of the native coding, by its type.
  Tick read_time(std::uint32_t page_type) const { return t_read_[page_type]; }
  // tR of a page that takes `senses` senses in its coding, each made at `levels` levels.
  Tick read_time(std::uint32_t page_type, std::uint32_t senses, std::uint32_t levels) const;

  // Sets all features to their values after power-on.
  void power_on();

  const SenseTiming& sense_timing() const { return phases_; }
  // Offsets in mV by read level; empty if all are 0.
  std::span<const std::int16_t> vref_offsets(ProgramMode mode) const;

  void persist(Archive& archive);

 private:
  static constexpr std::size_t most_levels = 15;

  void shorten_senses(const Value& reductions);
  void take_offsets();

  const NandTiming& timing_;
  bool shortened_ = false;  // the sense-timing feature was set since power-on, even to 0
  Value sense_reductions_{};
  SenseTiming phases_;
  double sense_scale_ = 1;                              // factor on the time of a sense
  std::vector<Tick> t_read_;                            // by page type
  std::array<Value, most_levels + 1> offset_values_{};  // the last entry is for SLC mode
  std::array<std::int16_t, most_levels + 1> vref_offsets_mv_{};
  bool offset_native_ = false;  // some level has an offset that is not 0
  bool offset_slc_ = false;
};

}  // namespace nandscape::nand
