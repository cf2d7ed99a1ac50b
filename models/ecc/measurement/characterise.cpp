// SPDX-License-Identifier: Apache-2.0
#include "ecc/measurement/characterise.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/interruption.h"
#include "core/random.h"
#include "ecc/codes/sensing_channel.h"

namespace nandscape::ecc {

namespace {

// Generates random codewords with a fixed number of errors, decodes them, and counts the results.
class Frames {
 public:
  Frames(Codec& codec, const CharacterisationStep& step, RandomStream random)
      : codec_(codec),
        errors_(step.errors),
        random_(random),
        payload_(codec.payload_bytes()),
        parity_(codec.parity_bytes()),
        wrong_(codec.codeword_bits()) {
    if (step.levels > 1) {
      channel_.emplace(std::max(step.channel_errors, 1u) / static_cast<double>(codec.codeword_bits()), step.levels);
      llr_.resize(codec.codeword_bits());
    }
  }

  // Generates, encodes and decodes one random frame, and adds the result to `sum`.
  void measure(MeasuredFrames& sum) {
    for (std::byte& byte : payload_) byte = static_cast<std::byte>(random_() >> 56);
    codec_.encode(payload_.data(), parity_.data());
    written_ = payload_;
    draw_errors();
    const DecodeOutcome outcome = channel_ ? decode_soft() : decode();
    const bool right = payload_ == written_;
    ++sum.frames;
    sum.failures += !outcome.corrected || !right;
    sum.miscorrections += outcome.corrected && !right;
    sum.iterations += outcome.iterations;
    sum.squared_iterations += std::uint64_t{outcome.iterations} * outcome.iterations;
  }

 private:
  void draw_errors() {
    wrong_.assign(wrong_.size(), false);
    for (std::uint32_t drawn = 0; drawn < errors_;) {
      const std::uint64_t bit = random_.below(wrong_.size());
      if (wrong_[bit]) continue;
      wrong_[bit] = true;
      ++drawn;
    }
  }

  DecodeOutcome decode() {
    for (std::size_t bit = 0; bit < wrong_.size(); ++bit) {
      if (wrong_[bit]) byte_of(bit) ^= mask_of(bit);
    }
    return codec_.decode(payload_.data(), parity_.data());
  }

  DecodeOutcome decode_soft() {
    for (std::size_t bit = 0; bit < wrong_.size(); ++bit) {
      const bool one = (byte_of(bit) & mask_of(bit)) != std::byte{0};
      llr_[bit] = channel_->regions()[channel_->sample(one, wrong_[bit], random_.uniform())].llr;
    }
    return codec_.decode_soft(llr_, payload_.data(), parity_.data());
  }

  std::byte& byte_of(std::size_t bit) {
    const std::size_t byte = bit / 8;
    return byte < payload_.size() ? payload_[byte] : parity_[byte - payload_.size()];
  }
  static std::byte mask_of(std::size_t bit) { return std::byte{1} << (bit % 8); }

  Codec& codec_;
  std::uint32_t errors_;
  RandomStream random_;
  std::optional<SensingChannel> channel_;  // the channel of the soft reads; empty for hard reads
  std::vector<std::int8_t> llr_;
  std::vector<std::byte> payload_, parity_, written_;
  std::vector<bool> wrong_;
};

}  // namespace

MeasuredFrames measure_chunk(Codec& codec, const CodeMeasurement& of, const CharacterisationStep& step,
                             std::uint64_t chunk) {
  std::string path = to_string(of.code);
  const auto append = [&](std::uint64_t number) { path.append("/").append(std::to_string(number)); };
  append(step.levels);
  append(step.errors);
  if (step.channel_errors != step.errors) append(step.channel_errors);
  append(chunk);
  Frames frames(codec, step, RandomStream(of.seed, path));
  MeasuredFrames sum;
  for (std::uint32_t k = 0; k < frames_per_chunk; ++k) frames.measure(sum);
  return sum;
}

Characterisation::Characterisation(CodeMeasurement measurement, std::vector<std::unique_ptr<Codec>> codecs)
    : measurement_(std::move(measurement)),
      codecs_(std::move(codecs)),
      team_(std::max<std::size_t>(codecs_.size(), 1)) {
  if (codecs_.empty()) throw std::invalid_argument("a characterisation needs at least one codec");
}

bool Characterisation::advance(std::uint32_t levels, const CharacterisationGoal& goal) {
  const std::optional<CharacterisationStep> step = next_step(measurement_, levels, goal);
  if (!step) return false;
  const MeasuredFrames measured = measure(*step);
  if (step->channel_errors == step->errors) {
    measurement_.by_levels[levels][step->errors] += measured;
  } else {
    OffChannelFrames& off = measurement_.off_channel[levels];
    off.errors = step->errors;
    off.channel_errors = step->channel_errors;
    off.frames += measured;
  }
  return true;
}

MeasuredFrames Characterisation::measure(const CharacterisationStep& step) {
  std::vector<MeasuredFrames> sums(codecs_.size());
  team_.for_each(step.chunks, [&](std::size_t chunk, std::size_t worker) {
    interruption_point();  // only the calling thread can be cancelled
    sums[worker] += measure_chunk(*codecs_[worker], measurement_, step, step.first_chunk + chunk);
  });
  MeasuredFrames sum;
  for (const MeasuredFrames& measured : sums) sum += measured;
  return sum;
}

}  // namespace nandscape::ecc
