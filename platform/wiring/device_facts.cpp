// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/device_facts.h"

#include "ecc/page_coders/scrambler.h"
#include "nand/temperature_sources.h"
#include "platform/config/configuration_checks.h"
#include "platform/config/power_plan.h"
#include "platform/wiring/predicted_rber.h"
#include "platform/wiring/readable_steps.h"

namespace nandscape {

namespace {

// Returns the facts about the path of data between bytes and flash pages. They depend on the codes and the decoder.
controller::DataPath data_path(const PlatformParameters& p, const DriveCodes& codes, const ecc::DecoderModel& decoder,
                               const nand::CellModel& cells) {
  const bool keep_data = p.simulation.data == DataFidelity::stored;
  controller::DataPath path;
  path.layout = codes.layout;
  path.longest_codeword_bytes = longest_codeword_bytes(p.ecc);
  if (keep_data)
    path.content = decoder.has_bytes() ? controller::PageContent::data_and_spare : controller::PageContent::data;
  path.count_codeword_errors =
      decoder.has_code() || p.ecc.stop_at_failure || path.read_bytes() != path.layout.codeword_bytes;
  // Data are scrambled only if the decoder or the cells read the bytes, since scrambling would otherwise have no
  // effect.
  path.scramble = p.ecc.scrambler && (decoder.has_bytes() || cells.reads_content());
  path.engines = codes.engines;
  path.codes.clear();
  for (const ecc::PageCode& code : codes.codes) {
    path.codes.push_back({code.engines, code.soft_engines, correctable_bits(code.parameters)});
  }
  return path;
}

controller::RetryFacts retry_facts(const PlatformParameters& p, const nand::CellModel& cells) {
  controller::RetryFacts retries;
  retries.steps = !cells.has_errors() ? 0 : p.nand.cells.read_levels.retry_steps;
  retries.layers = p.nand.cells.variation.layers;
  retries.first_layer_by_block = p.nand.geometry.first_layer == nand::FirstLayer::by_block;
  if (cells.has_errors() && p.controller.remembers_reads()) retries.step_of_layers = readable_steps(p);
  retries.timing = read_timing_of(p);
  return retries;
}

controller::AgeFacts age_facts(const PlatformParameters& p) {
  const nand::ConditionParameters& condition = p.nand.condition;
  const nand::RetentionParameters& retention = p.nand.cells.retention;
  controller::AgeFacts ages;
  ages.first.age_hours = 24 * condition.retention_days * arrhenius_factor(retention, condition.storage_temperature_c);
  ages.first.pe_cycles = condition.pe_cycles;
  ages.running_hours = arrhenius_factor(retention, condition.temperature_c);
  ages.temperature = nand::temperature_registry().make(condition.temperature, p.nand);
  ages.rated_cycles = p.nand.cells.failures.rated_cycles;
  return ages;
}

controller::FlashFacts flash_facts(const PlatformParameters& p, const DriveCodes& codes,
                                   const ecc::DecoderModel& decoder, const nand::CellModel& cells,
                                   const nand::NandTiming& timing) {
  controller::FlashFacts facts;
  facts.pages_per_wordline = nand::coding_named(p.nand.coding).pages();
  facts.path = data_path(p, codes, decoder, cells);
  facts.page_times = page_times_of(p);
  facts.retries = retry_facts(p, cells);
  facts.codes = {p.ecc.selection, segment_limits(p, codes), {}};
  if (facts.path.scramble) {
    facts.codes.scrambler = [](std::uint64_t seed, std::span<std::byte> bytes) { ecc::scramble(seed, 0, bytes); };
  }
  facts.ages = age_facts(p);
  facts.power = power_plan_of(p).flash;
  facts.write = write_facts(p, cells.has_errors(), facts.path.keeps_data());
  if (cells.has_errors()) {
    facts.write.young_errors = [p](double step_mv) { return young_rber(p.nand, step_mv) / correctable_rber(p); };
  }
  facts.refresh = refresh_facts(p, timing);
  // The predictor is expensive to create, and only this policy uses it.
  if (p.controller.refresh.policy.name == "predicted_rber") {
    facts.refresh.predicted_rber = rber_predictor(p.nand, cells);
    facts.refresh.correctable_rber = correctable_rber(p);
  }
  return facts;
}

DriveCodes codes_with_tables(const FlashDeviceParameters& p) {
  DriveCodes codes = drive_codes(p);
  load_tables(codes, p);
  return codes;
}

}  // namespace

DeviceFacts::DeviceFacts(const PlatformParameters& p)
    : team(std::make_shared<WorkTeam>(p.simulation.threads)),
      geometry(geometry_of(p)),
      nand_timing(p.nand),
      bus_timing(p.channel, geometry),
      decoder_name(p.ecc.decoder.name),
      decoder(decoder_of(p.ecc)),
      cell_model(nand::cell_model_registry().make(p.simulation.cells)),
      crc_bits(crc_bits_of(p.ecc)),
      stop_at_failure(p.ecc.stop_at_failure),
      codes(codes_with_tables(checked(p))),
      flash(flash_facts(p, codes, *decoder, *cell_model, nand_timing)),
      cell_device(cell_model->has_errors()
                      ? std::make_unique<nand::CellDevice>(p.nand, flash.path.layout, flash.ages.temperature, team)
                      : nullptr) {}

std::unique_ptr<ecc::PageCoder> DeviceFacts::make_coder(std::uint64_t seed, const std::string& engine) const {
  std::unique_ptr<ecc::PageCoder> coder =
      decoder->make_coder({ecc::coder_codes(codes.codes), seed, engine, crc_bits, team});
  if (stop_at_failure) coder->stop_at_failure();
  return coder;
}

}  // namespace nandscape
