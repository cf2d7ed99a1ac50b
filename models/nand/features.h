// SPDX-License-Identifier: Apache-2.0
// The features of a die, which SET FEATURE writes. Their addresses are defined in protocol/nand_features.h.
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
  // Write or read the feature at `address`, which must exist.
  void set(std::uint8_t address, const Value& value);
  Value get(std::uint8_t address) const;

  // Returns tR of a page in the native coding. `page_type` is the type of the page.
  Tick read_time(std::uint32_t page_type) const {
    return shortened_ ? shortened_t_read_[page_type] : timing_.t_read[page_type];
  }
  // Returns tR of a page whose coding needs `senses` senses, when each of them is made at `levels` levels.
  Tick read_time(std::uint32_t page_type, std::uint32_t senses, std::uint32_t levels) const;

  // Sets all features to their values after power-on.
  void power_on();

  // Returns null if the sense-timing feature has not been set since power-on, so the default times hold.
  const SenseTiming* sense_timing() const { return shortened_ ? &phases_ : nullptr; }
  // Returns the offset of each read level in mV, lowest level first. Returns an empty span if all offsets are 0.
  std::span<const std::int16_t> vref_offsets(ProgramMode mode) const {
    const bool slc = mode == ProgramMode::slc;
    if (!(slc ? offset_slc_ : offset_native_)) return {};
    const std::span<const std::int16_t> all = vref_offsets_mv_;
    return slc ? all.last(1) : all.first(timing_.codings.native().states() - 1);
  }

  void persist(Archive& archive);

 private:
  static constexpr std::size_t most_levels = 15;

  void shorten_senses(const Value& reductions);
  void take_offsets();

  const NandTiming& timing_;
  bool shortened_ = false;  // true if the sense timing has been set since power-on, even if the reductions are 0
  Value sense_reductions_{};
  SenseTiming phases_;
  double sense_scale_ = 1;              // factor by which the sense-timing feature changes the duration of a sense
  std::vector<Tick> shortened_t_read_;  // tR of each page type, if the sense timing has been set
  std::array<Value, most_levels + 1> offset_values_{};  // the last entry is for SLC mode
  std::array<std::int16_t, most_levels + 1> vref_offsets_mv_{};
  bool offset_native_ = false;  // true if any level of the native mode has an offset other than 0
  bool offset_slc_ = false;
};

}  // namespace nandscape::nand
