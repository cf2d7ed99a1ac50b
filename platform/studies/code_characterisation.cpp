// SPDX-License-Identifier: Apache-2.0
#include "platform/studies/code_characterisation.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.h"
#include "platform/config/code_tables.h"
#include "platform/studies/ecc_study.h"

namespace nandscape {

namespace {

ecc::Characterisation opened(const ecc::Code& code, const std::filesystem::path& file, std::uint64_t seed,
                             std::uint32_t threads) {
  std::vector<std::unique_ptr<ecc::Codec>> codecs;
  for (std::uint32_t k = 0; k < std::max(threads, 1u); ++k) codecs.push_back(open_codec(code));
  ecc::CodeMeasurement measurement = {code, seed, codecs[0]->payload_bytes(), codecs[0]->codeword_bits(), {}, {}};
  if (!code.plugin.empty()) {
    measurement.guaranteed_by_plugin = ecc::code_family(code.family).guaranteed_errors(code);
  }
  if (std::filesystem::exists(file)) {
    ecc::CodeMeasurement found = read_code_measurement(file);
    const auto refuse = [&](const std::string& what) { throw ConfigError({file.string(), 0}, "", what); };
    if (!(found.code == code))
      refuse("holds a measurement of " + to_string(found.code) + ", not of " + to_string(code));
    if (found.codeword_bits != measurement.codeword_bits) refuse("was measured with codewords of another length");
    if (found.seed != seed) refuse("was measured with the seed " + std::to_string(found.seed));
    measurement = std::move(found);
  }
  return {std::move(measurement), std::move(codecs)};
}

}  // namespace

CodeCharacterisation::CodeCharacterisation(const std::string& code, std::filesystem::path file, std::uint64_t seed,
                                           std::uint32_t threads)
    : file_(std::move(file)), run_(opened(find_code(code), file_, seed, threads)) {}

bool CodeCharacterisation::finished(std::uint32_t levels, const ecc::CharacterisationGoal& goal) const {
  return !next_step(run_.measurement(), levels, goal);
}

double CodeCharacterisation::relative_error(std::uint32_t levels, double frame_error_rate) const {
  return ecc::relative_error(run_.measurement(), levels, frame_error_rate);
}

std::uint64_t CodeCharacterisation::frames(std::uint32_t levels) const {
  std::uint64_t sum = 0;
  const auto rows = run_.measurement().by_levels.find(levels);
  if (rows == run_.measurement().by_levels.end()) return 0;
  for (const auto& [errors, measured] : rows->second) sum += measured.frames;
  return sum;
}

void CodeCharacterisation::save() const { save_code_measurement(run_.measurement(), file_); }

}  // namespace nandscape
