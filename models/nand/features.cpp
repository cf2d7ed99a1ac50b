// SPDX-License-Identifier: Apache-2.0
#include "nand/features.h"

#include <algorithm>

namespace nandscape::nand {

namespace {

std::size_t offset_index(std::uint8_t address) { return address - feature::vref_offset(1); }

}  // namespace

DieFeatures::DieFeatures(const NandTiming& timing) : timing_(timing), phases_(timing.phases) {}

bool DieFeatures::exists(std::uint8_t address) const {
  return address == feature::sense_timing || address == feature::vref_offset_slc ||
         (address >= feature::vref_offset(1) && address < feature::vref_offset(timing_.codings.native().states()));
}

void DieFeatures::set(std::uint8_t address, const Value& value) {
  if (address == feature::sense_timing) {
    shorten_senses(value);
    return;
  }
  offset_values_[offset_index(address)] = value;
  take_offsets();
}

void DieFeatures::take_offsets() {
  for (std::size_t k = 0; k < offset_values_.size(); ++k) {
    vref_offsets_mv_[k] = static_cast<std::int16_t>(offset_values_[k][0] | offset_values_[k][1] << 8);
  }
  offset_native_ =
      std::any_of(vref_offsets_mv_.begin(), vref_offsets_mv_.end() - 1, [](std::int16_t mv) { return mv != 0; });
  offset_slc_ = vref_offsets_mv_.back() != 0;
}

void DieFeatures::power_on() {
  shortened_ = false;
  sense_reductions_ = {};
  phases_ = timing_.phases;
  sense_scale_ = 1;
  offset_values_ = {};
  vref_offsets_mv_ = {};
  offset_native_ = offset_slc_ = false;
}

void DieFeatures::persist(Archive& archive) {
  archive.section("die features");
  bool shortened = shortened_;
  Value reductions = sense_reductions_;
  std::array<Value, most_levels + 1> offsets = offset_values_;
  archive(shortened, reductions, offsets);
  if (!archive.loading()) return;
  power_on();
  if (shortened) shorten_senses(reductions);
  offset_values_ = offsets;
  take_offsets();
}

DieFeatures::Value DieFeatures::get(std::uint8_t address) const {
  return address == feature::sense_timing ? sense_reductions_ : offset_values_[offset_index(address)];
}

void DieFeatures::shorten_senses(const Value& reductions) {
  const auto shortened = [](double phase_us, std::uint8_t reduction) { return phase_us * (255 - reduction) / 255; };
  const SenseTiming& full = timing_.phases;
  shortened_ = true;
  sense_reductions_ = reductions;
  phases_ = {shortened(full.t_pre_us, reductions[0]), shortened(full.t_eval_us, reductions[1]),
             shortened(full.t_disch_us, reductions[2])};
  const double sum = full.t_pre_us + full.t_eval_us + full.t_disch_us;
  sense_scale_ = sum == 0 ? 1 : (phases_.t_pre_us + phases_.t_eval_us + phases_.t_disch_us) / sum;
  shortened_t_read_.clear();
  for (std::uint32_t type = 0; type < timing_.bits_per_cell(); ++type) {
    shortened_t_read_.push_back(read_time(type, timing_.senses[type], 1));
  }
}

Tick DieFeatures::read_time(std::uint32_t page_type, std::uint32_t senses, std::uint32_t levels) const {
  return ticks_from_us(levels * timing_.read_us(page_type, senses) * sense_scale_);
}

}  // namespace nandscape::nand
