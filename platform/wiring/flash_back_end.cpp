// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/flash_back_end.h"

#include <algorithm>

#include "core/error.h"
#include "platform/config/compatibility.h"
#include "rtl/onfi/onfi_player_module.h"

namespace nandscape {

FlashBackEnd::FlashBackEnd(const DriveContext& context, const DeviceFacts& facts, const Controller& controller)
    : facts_(facts),
      blocks_(context.parameters.simulation.blocks),
      waves_(blocks_.waves, context.calendar.now()),
      controller_is_foreign_(controller.is_foreign),
      calendar_(context.calendar),
      no_bus_time_(rtl::onfi::channel_without_bus_time(context.parameters.channel), facts.geometry),
      links_(context.parameters.simulation.check_protocol),
      timeline_(context.timeline) {
  check_blocks(context.parameters);
  make_engines(context.parameters.simulation.seed);
  for (std::uint32_t c = 0; c < facts_.geometry.channels; ++c) make_channel(context.parameters, controller, c);
  waves_.check_taken();
}

FlashBackEnd::~FlashBackEnd() = default;

void FlashBackEnd::check_pool(const EccEngineBlock& engine, std::uint32_t units) const {
  if (units == 1 || engine.pools()) return;
  throw ConfigError({}, "simulation.blocks.ecc_engine.kind",
                    "is " + blocks_.ecc_engine.kind.name +
                        ", an engine with one encoder and one decoder, but a pool has several (ecc.engines, "
                        "ecc.soft_engines); take the kind built_in, or an engine whose pools() is true");
}

void FlashBackEnd::make_engines(std::uint64_t seed) {
  for (std::size_t group = 0; group < facts_.codes.engines.size(); ++group) {
    const std::string name = group == 0 ? "ecc_" : "ecc_" + std::to_string(group) + "_";
    for (std::uint32_t k = 0; k < facts_.codes.engines[group].engines(); ++k) {
      const std::string engine = name + std::to_string(k);
      EccEngineContext context{engine,
                               calendar_,
                               facts_.codes.codes,
                               facts_.codes.hardware[group],
                               facts_.codes.engines[group].units,
                               facts_.flash.path.layout,
                               facts_.make_coder(seed, engine),
                               facts_.decoder_name,
                               facts_.flash.path.keeps_data(),
                               facts_.crc_bits,
                               waves_};
      engines_.push_back(ecc_engine_blocks().make(blocks_.ecc_engine.kind, context));
      check_pool(*engines_.back(), context.units);
      engine_names_.push_back(engine);
    }
  }
}

void FlashBackEnd::make_channel(const PlatformParameters& p, const Controller& controller, std::uint32_t number) {
  const std::uint32_t dies = facts_.geometry.dies_per_channel();
  const std::size_t first = dies_.size();
  bus_turns_.emplace_back();
  for (std::uint32_t d = 0; d < dies; ++d) make_die(p, controller, number, d);
  const bool of_dies = dies_[first]->carries_bus_time();
  channels_.push_back(channel_blocks().make(
      blocks_.channel.kind, {"channel_" + std::to_string(number), calendar_, of_dies ? no_bus_time_ : facts_.bus_timing,
                             p.channel.arbitration, dies}));
  for (std::uint32_t d = 0; d < dies; ++d) {
    DieBlock& die = *dies_[first + d];
    const std::string& name = die_names_[first + d];
    links_.connect(channels_.back()->die_socket(DieInChannel(d)), timeline_.die(die.socket(), name), "checker_" + name,
                   is_foreign(*channels_.back()) || is_foreign(die));
  }
}

void FlashBackEnd::make_die(const PlatformParameters& p, const Controller& controller, std::uint32_t channel,
                            std::uint32_t number) {
  const Geometry& geometry = facts_.geometry;
  const std::string name = "nand_" + std::to_string(channel) + "_" + std::to_string(number);
  const DieId id(static_cast<std::uint32_t>(dies_.size()));
  const InitialContents* const initial = controller.initial;
  cells_.push_back(facts_.cell_device == nullptr
                       ? nullptr
                       : facts_.cell_model->make_cells(*facts_.cell_device, p.simulation.seed, name,
                                                       initial == nullptr ? nullptr : initial->ages(id)));
  DieContext context{name,
                     calendar_,
                     geometry,
                     facts_.flash.path.layout,
                     facts_.nand_timing,
                     p,
                     controller.tag_words,
                     bus_turns_.back(),
                     waves_,
                     nullptr,
                     cells_.back().get(),
                     nullptr};
  if (facts_.flash.path.keeps_data()) {
    const bool spare = facts_.flash.path.content == controller::PageContent::data_and_spare;
    context.store = std::make_unique<nand::PageStore>(
        facts_.flash.path.layout, spare ? nand::PageStore::Spare::kept : nand::PageStore::Spare::left_out,
        initial == nullptr ? nullptr : initial->pages(id));
  }
  if (controller.tag_words != 0) {
    context.tags =
        std::make_unique<nand::PageTags>(geometry.blocks_per_die(), geometry.pages_per_block, controller.tag_words,
                                         initial == nullptr ? nullptr : initial->tags(id));
  }
  dies_.push_back(die_blocks().make(blocks_.die.kind, context));
  die_names_.push_back(name);
}

void FlashBackEnd::connect_channel(std::uint32_t channel, JobInitiatorSocket<NandCommand>& socket) {
  ChannelBlock& block = *channels_[channel];
  const std::string name = "channel_" + std::to_string(channel);
  links_.connect(socket, timeline_.channel(block.socket(), name), "checker_" + name,
                 controller_is_foreign_ || is_foreign(block));
}

void FlashBackEnd::connect_engine(std::uint32_t engine, JobInitiatorSocket<EccJob>& decode,
                                  JobInitiatorSocket<EccJob>& encode) {
  EccEngineBlock& block = *engines_[engine];
  const bool foreign = controller_is_foreign_ || is_foreign(block);
  const std::string& name = engine_names_[engine];
  links_.connect(decode, timeline_.engine(block.decode_socket(), name, "decode"), "checker_decode_" + name, foreign);
  links_.connect(encode, timeline_.engine(block.encode_socket(), name, "encode"), "checker_encode_" + name, foreign);
}

// --- blocks with SystemC processes

template <class Visit>
void FlashBackEnd::for_each_block(Visit visit) const {
  for (const auto& engine : engines_) visit(*engine, "simulation.blocks.ecc_engine", blocks_.ecc_engine);
  for (const auto& channel : channels_) visit(*channel, "simulation.blocks.channel", blocks_.channel);
  for (const auto& die : dies_) visit(*die, "simulation.blocks.die", blocks_.die);
}

Tick FlashBackEnd::lookahead() const {
  Tick least = never;
  for_each_block(
      [&](const Block& block, const char*, const BlockChoice&) { least = std::min(least, block.lookahead()); });
  return least;
}

bool FlashBackEnd::at_work() const {
  if (lookahead() == never) return false;
  bool found = links_.busy();
  for_each_block([&](const Block& block, const char*, const BlockChoice&) { found = found || block.at_work(); });
  return found;
}

std::string FlashBackEnd::outstanding() const {
  std::string text;
  for_each_block([&](const Block& block, const char* key, const BlockChoice& choice) {
    if (block.at_work()) text += std::string("\n  ") + key + " " + choice.kind.name + ": at work";
  });
  return text + links_.outstanding();
}

void FlashBackEnd::check_lasting() const {
  for (std::uint32_t k = 0; k < dies_.size(); ++k) die(DieId(k), "what it holds without power");
}

void FlashBackEnd::check_persistent() const {
  check_lasting();
  for_each_block([](const Block& block, const char* key, const BlockChoice& choice) {
    require_persistent(block, key, choice.kind.name);
  });
}

// --- dies

nand::Die& FlashBackEnd::die(DieId id, const char* what) const {
  if (id.value >= dies_.size()) {
    throw RequestError("there is no die " + std::to_string(id.value) + ": the device has " +
                       std::to_string(dies_.size()) + ", numbered from 0");
  }
  if (nand::DieModule* const inner = dies_[id.value]->inner()) return inner->die();
  throw RequestError(die_names_[id.value] + " is a die of kind " + blocks_.die.kind.name +
                     " (simulation.blocks.die), which does not tell " + what +
                     ": see DieBlock::inner() in platform/blocks/die_block.h");
}

void FlashBackEnd::fail_next(DieId id, NandOperation operation, std::uint32_t count) {
  die(id, "how it fails").faults().fail_next(operation, count);
}

FlashBackEnd::BlockOfDie FlashBackEnd::block_of_die(BlockId block, const char* what) const {
  const Geometry& geometry = facts_.geometry;
  if (block.value >= geometry.blocks()) {
    throw RequestError("there is no block " + std::to_string(block.value) + ": the device has " +
                       std::to_string(geometry.blocks()) + ", numbered from 0");
  }
  const DieId id = geometry.die_of(geometry.plane_of(block));
  return {die(id, what), geometry.block_in_die(block)};
}

void FlashBackEnd::fail_block(BlockId block) {
  const BlockOfDie place = block_of_die(block, "how it fails");
  place.die.faults().fail_block(place.block);
}

std::uint32_t FlashBackEnd::programmed_wordlines(BlockId block) const {
  const BlockOfDie place = block_of_die(block, "what it holds");
  return place.die.array().programmed_wordlines(place.block);
}

std::vector<float> FlashBackEnd::threshold_voltages(BlockId block, std::uint32_t wordline) const {
  const BlockOfDie place = block_of_die(block, "what it holds");
  const std::uint32_t programmed = place.die.array().programmed_wordlines(place.block);
  if (wordline >= programmed) {
    throw RequestError("wordline " + std::to_string(wordline) + " of block " + std::to_string(block.value) +
                       " is not programmed: of that block the first " + std::to_string(programmed) + " wordlines are");
  }
  if (!place.die.idle()) {
    throw RequestError("the die of block " + std::to_string(block.value) +
                       " is busy; its cells can be read when it is idle, for example after a flush");
  }
  return place.die.array().threshold_voltages({place.block, wordline}, calendar_.now());
}

void FlashBackEnd::kill_die(DieId id) { die(id, "how it fails").faults().kill(); }

bool FlashBackEnd::idle() const {
  return !at_work() && std::all_of(dies_.begin(), dies_.end(), [](const auto& die) { return die->idle(); });
}

void FlashBackEnd::power_cut(Tick now) {
  for (const auto& die : dies_) {
    if (die->inner() != nullptr) die->inner()->power_cut(now);
  }
}

void FlashBackEnd::advance(double hours, double temperature_c) {
  for (std::uint32_t k = 0; k < dies_.size(); ++k) die(DieId(k), "how its data age").advance(hours, temperature_c);
}

void FlashBackEnd::persist_dies(Archive& archive, Tick now) {
  archive.expect("dies", dies_.size());
  for (std::uint32_t k = 0; k < dies_.size(); ++k) die(DieId(k), "what it holds").persist(archive, now);
}

void FlashBackEnd::persist_counters(Archive& archive) {
  for (const auto& engine : engines_) engine->persist(archive);
  for (const auto& channel : channels_) channel->persist(archive);
}

// --- statistics

nand::DieCounters FlashBackEnd::nand_counters() const {
  nand::DieCounters sum;
  for (const auto& die : dies_) {
    if (die->inner() != nullptr) sum += die->inner()->die().counters();
  }
  return sum;
}

nand::ArrayTimes FlashBackEnd::array_times_ahead() const {
  nand::ArrayTimes sum;
  for (const auto& die : dies_) {
    if (die->inner() != nullptr) sum += die->inner()->die().array_times_ahead(calendar_.now());
  }
  return sum;
}

ecc::EccCounters FlashBackEnd::ecc_counters() const {
  ecc::EccCounters sum;
  for (std::size_t code = 0; code < facts_.codes.codes.size(); ++code) {
    sum += ecc_counters(static_cast<CodeNumber>(code));
  }
  return sum;
}

ecc::EccCounters FlashBackEnd::ecc_counters(CodeNumber code) const {
  ecc::EccCounters sum;
  for (const auto& engine : engines_) sum += engine->counters(code);
  return sum;
}

ecc::EccCounters FlashBackEnd::ecc_counters(std::size_t engine, CodeNumber code) const {
  return engines_[engine]->counters(code);
}

Tick FlashBackEnd::channel_busy() const {
  Tick busy = 0;
  for (const auto& channel : channels_) busy += channel->counters().busy;
  return busy;
}

std::uint64_t FlashBackEnd::channel_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& channel : channels_) bytes += channel->counters().bytes_in + channel->counters().bytes_out;
  return bytes;
}

std::vector<BusyTimes::Unit> FlashBackEnd::busy_channels() const {
  std::vector<BusyTimes::Unit> units;
  for (const auto& channel : channels_) units.push_back({std::to_string(units.size()), channel->counters().busy});
  return units;
}

std::vector<BusyTimes::Unit> FlashBackEnd::busy_dies() const {
  std::vector<BusyTimes::Unit> units;
  for (const auto& die : dies_) {
    const bool known = die->inner() != nullptr;
    units.push_back({std::to_string(units.size()), known ? die->inner()->die().counters().array.busy : 0});
  }
  return units;
}

double FlashBackEnd::channel_busy_fraction(Tick now) const {
  if (now == 0) return 0;
  return static_cast<double>(channel_busy()) / (static_cast<double>(now) * facts_.geometry.channels);
}

}  // namespace nandscape
