// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/flash_device.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/error.h"
#include "ecc/page_coders/scrambler.h"
#include "platform/wiring/initial_pages.h"
#include "platform/wiring/predicted_rber.h"

namespace nandscape {

namespace {

controller::DataPath data_path(const FlashDeviceParameters& p, bool keep_data, const DriveCodes& codes,
                               const ecc::DecoderModel& decoder, const nand::CellModel& cells,
                               const nand::NandTiming& timing, const channel::BusTiming& bus) {
  if (decoder.has_bytes() && !keep_data) {
    throw std::invalid_argument("a device that keeps no data has no bytes for the decoder " + p.ecc.decoder.name);
  }
  controller::DataPath path;
  path.layout = codes.layout;
  path.longest_codeword_bytes = longest_codeword_bytes(p.ecc);
  if (keep_data)
    path.content = decoder.has_bytes() ? controller::PageContent::data_and_spare : controller::PageContent::data;
  path.count_codeword_errors = decoder.has_code() || path.read_bytes() != path.layout.codeword_bytes;
  // Scrambling and undoing it is work that nobody sees unless something looks at the bytes in between.
  path.scramble = p.ecc.scrambler && (decoder.has_bytes() || cells.reads_content());
  if (path.scramble) {
    path.scrambler = [](std::uint64_t seed, std::span<std::byte> bytes) { ecc::scramble(seed, 0, bytes); };
  }
  path.pages_per_wordline = nand::coding_named(p.nand.coding).pages();
  path.retry_steps = !cells.has_errors() ? 0 : p.nand.cells.read_levels.retry_steps;
  path.layers = p.nand.cells.variation.layers;
  path.first_layer_by_block = p.nand.geometry.first_layer == nand::FirstLayer::by_block;
  path.read_timing = read_timing_of(p);
  path.engines = codes.engines;
  path.codes.clear();
  for (const ecc::PageCode& code : codes.codes) path.codes.push_back({code.engines, correctable_bits(code.parameters)});
  path.selection = p.ecc.selection;
  path.segment_limits = segment_limits(p, codes);
  const nand::ConditionParameters& condition = p.nand.condition;
  const nand::RetentionParameters& retention = p.nand.cells.retention;
  path.first_age.age_hours =
      24 * condition.retention_days * arrhenius_factor(retention, condition.storage_temperature_c);
  path.first_age.pe_cycles = condition.pe_cycles;
  path.running_hours = arrhenius_factor(retention, condition.temperature_c);
  const Tick reads = std::accumulate(timing.t_read.begin(), timing.t_read.end(), Tick{0});
  path.page_times = {reads / timing.bits_per_cell(), timing.t_prog, bus.data(p.nand.geometry.page_bytes)};
  path.rated_cycles = p.nand.cells.failures.rated_cycles;
  path.write = write_facts(p, cells.has_errors(), keep_data);
  if (cells.has_errors()) {
    path.write.young_errors = [p](double step_mv) { return young_rber(p.nand, step_mv) / correctable_rber(p); };
  }
  path.refresh = refresh_facts(p, timing);
  // What the cells will do is asked for at some cost, and by one policy only.
  if (p.controller.refresh.policy.name == "predicted_rber") {
    path.refresh.predicted_rber = rber_predictor(p.nand, cells);
    path.refresh.correctable_rber = correctable_rber(p);
  }
  return path;
}

DriveCodes codes_with_tables(const FlashDeviceParameters& p) {
  DriveCodes codes = drive_codes(p);
  load_tables(codes, p);
  return codes;
}

}  // namespace

FlashDevice::FlashDevice(const FlashDeviceParameters& p, bool keep_data, const VariantChoice& cells, std::uint64_t seed,
                         Calendar& calendar, bool check_protocol, controller::StartUp start_up)
    : geometry_(geometry_of(p)),
      nand_timing_(p.nand),
      bus_timing_(p.channel, geometry_),
      decoder_(decoder_of(p.ecc)),
      cell_model_(nand::cell_model_registry().make(cells)),
      codes_(codes_with_tables(checked(p))),
      path_(data_path(p, keep_data, codes_, *decoder_, *cell_model_, nand_timing_, bus_timing_)),
      cell_device_(cell_model_->has_errors() ? std::make_unique<nand::CellDevice>(p.nand, path_.layout) : nullptr),
      check_protocol_(check_protocol) {
  controller_ = std::make_unique<controller::ControllerModule>("controller", p.controller, geometry_, path_, seed,
                                                               calendar, start_up);
  add_stages(p.controller, keep_data, calendar);
  make_engines(seed, calendar);
  const std::uint64_t pages_per_die = geometry_.pages_per_plane() * geometry_.planes_per_die;
  for (std::uint32_t c = 0; c < geometry_.channels; ++c) {
    const std::string channel = std::to_string(c);
    channels_.push_back(std::make_unique<channel::ChannelModule>(("channel_" + channel).c_str(), calendar, bus_timing_,
                                                                 p.channel.arbitration, geometry_.dies_per_channel()));
    connect(controller_->channel_socket(c), channels_[c]->socket(), "checker_channel_" + channel, command_checkers_);
    for (std::uint32_t d = 0; d < geometry_.dies_per_channel(); ++d) {
      const std::string die = "nand_" + channel + "_" + std::to_string(d);
      const Ppn first(dies_.size() * pages_per_die);
      cells_.push_back(cell_device_ == nullptr
                           ? nullptr
                           : cell_model_->make_cells(*cell_device_, seed, die, make_ages(p.controller.precondition)));
      dies_.push_back(std::make_unique<nand::DieModule>(die.c_str(), calendar, geometry_, nand_timing_,
                                                        make_store(first), cells_.back().get(), make_tags(first)));
      connect(channels_[c]->die_socket(d), dies_.back()->socket(), "checker_" + die, command_checkers_);
    }
  }
  const controller::InitialFill& fill = ftl().initial_fill();
  for (std::uint32_t plane = 0; plane < geometry_.planes(); ++plane) {
    nand::Die& die = dies_[plane / geometry_.planes_per_die]->die();
    const controller::FlashLayout& layout = ftl().layout();
    const std::uint32_t used =
        fill.used_blocks(layout.mapping_plane(PlaneId(plane))) * (layout.members() / layout.member_planes());
    for (std::uint32_t block = 0; block < used; ++block) {
      die.precondition(plane % geometry_.planes_per_die, block, geometry_.pages_per_block);
    }
  }
}

FlashDevice::~FlashDevice() = default;

void FlashDevice::add_stages(const controller::ControllerParameters& p, bool keep_data, Calendar& calendar) {
  storage_ = &ftl();
  if (p.cache.policy != controller::CachePolicy::none) {
    dram_ = std::make_unique<controller::Dram>(p.dram);
    cache_ = std::make_unique<controller::DataCache>(p.cache, keep_data, *storage_, *dram_, calendar);
    storage_ = cache_.get();
  }
  if (p.firmware.used()) {
    firmware_ = std::make_unique<controller::FirmwareStage>(p.firmware, *storage_, calendar);
    storage_ = firmware_.get();
    ftl().set_firmware(*firmware_);
  }
}

std::unique_ptr<ecc::PageCoder> FlashDevice::make_coder(std::uint64_t seed, const std::string& engine) const {
  return decoder_->make_coder({ecc::coder_codes(codes_.codes), seed, engine});
}

void FlashDevice::make_engines(std::uint64_t seed, Calendar& calendar) {
  for (std::size_t group = 0; group < codes_.engines.size(); ++group) {
    const std::string name = group == 0 ? "ecc_" : "ecc_" + std::to_string(group) + "_";
    for (std::uint32_t k = 0; k < codes_.engines[group].engines(); ++k) {
      const std::string engine = name + std::to_string(k);
      const auto e = static_cast<std::uint32_t>(engines_.size());
      engines_.push_back(std::make_unique<ecc::EccEngineModule>(engine.c_str(), calendar, codes_.codes,
                                                                codes_.hardware[group], make_coder(seed, engine)));
      connect(controller_->decode_socket(e), engines_[e]->decode_socket(), "checker_decode_" + engine, job_checkers_);
      connect(controller_->encode_socket(e), engines_[e]->encode_socket(), "checker_encode_" + engine, job_checkers_);
    }
  }
}

std::unique_ptr<nand::PageStore> FlashDevice::make_store(Ppn first) const {
  if (!path_.keeps_data()) return nullptr;
  const bool spare = path_.content == controller::PageContent::data_and_spare;
  auto initial = std::make_unique<FilledPages>(ftl().initial_fill(), ftl().layout(), first, path_, make_coder(0, ""),
                                               FilledCodes(ftl().layout(), path_, controller_->ftl().codes()));
  return std::make_unique<nand::PageStore>(
      path_.layout, spare ? nand::PageStore::Spare::kept : nand::PageStore::Spare::left_out, std::move(initial));
}

std::unique_ptr<nand::PageTags> FlashDevice::make_tags(Ppn first) const {
  return std::make_unique<nand::PageTags>(
      geometry_.planes_per_die * geometry_.blocks_per_plane, geometry_.pages_per_block,
      2 * ftl().layout().units_per_page(),
      std::make_unique<FilledTags>(ftl().initial_fill(), ftl().layout(), first,
                                   FilledCodes(ftl().layout(), path_, controller_->ftl().codes())));
}

std::unique_ptr<nand::InitialAges> FlashDevice::make_ages(
    const controller::PreconditionParameters& precondition) const {
  if (precondition.ages == controller::FillAges::uniform && precondition.updated_bytes == 0) return nullptr;
  const auto first = static_cast<std::uint32_t>(dies_.size()) * geometry_.planes_per_die;
  return std::make_unique<FilledAges>(ftl().initial_fill(), ftl().layout(), PlaneId(first));
}

nand::Die& FlashDevice::die(DieId id) {
  if (id.value >= dies_.size()) {
    throw RequestError("there is no die " + std::to_string(id.value) + ": the device has " +
                       std::to_string(dies_.size()) + ", numbered from 0");
  }
  return dies_[id.value]->die();
}

void FlashDevice::fail_next(DieId id, NandOperation operation, std::uint32_t count) {
  die(id).faults().fail_next(operation, count);
}

void FlashDevice::fail_block(BlockId block) {
  if (block.value >= geometry_.blocks()) {
    throw RequestError("there is no block " + std::to_string(block.value) + ": the device has " +
                       std::to_string(geometry_.blocks()) + ", numbered from 0");
  }
  const DieId id = geometry_.die_of(geometry_.plane_of(block));
  const std::uint32_t blocks_per_die = geometry_.planes_per_die * geometry_.blocks_per_plane;
  die(id).faults().fail_block(block.value % blocks_per_die);
}

void FlashDevice::kill(DieId id) { die(id).faults().kill(); }

void FlashDevice::power_cut(Tick now) {
  for (const auto& die : dies_) die->power_cut(now);
}

void FlashDevice::advance(double hours, double temperature_c) {
  for (const auto& die : dies_) die->die().advance(hours, temperature_c);
}

void FlashDevice::persist_media(Archive& archive, Tick now) {
  archive.section("media");
  ftl().persist_lasting(archive);
  archive.expect("dies", dies_.size());
  for (const auto& die : dies_) die->die().persist(archive, now);
}

void FlashDevice::write_back(Tick now) {
  if (cache_ == nullptr || cache_->clean()) return;
  cache_->save();
  flush(*storage_, now, {});
}

// What comes from a cache that lasts has been answered for.
void FlashDevice::save(Tick now, controller::Unanswered unanswered, std::function<void()> saved) {
  const bool lasts = cache_ != nullptr && cache_->backed_up();
  if (lasts) cache_->save();
  ftl().save(now, lasts ? controller::Unanswered::written : unanswered);
  flush(cache_ == nullptr || lasts ? *storage_ : ftl(), now, std::move(saved));
}

void FlashDevice::flush(StorageDevice& storage, Tick now, std::function<void()> flushed) {
  storage.set_client(saver_);
  saver_.saved = std::move(flushed);
  saver_.flush = {};
  saver_.flush.kind = AccessKind::flush;
  storage.submit(saver_.flush, now);
}

void FlashDevice::Saver::completed(PageAccess& access, Tick) {
  if (&access == &flush && saved) saved();
}

bool FlashDevice::settled() const {
  return ftl().settled() && (cache_ == nullptr || (cache_->idle() && cache_->clean()));
}

void FlashDevice::persist_controller(Archive& archive) {
  ftl().persist(archive);
  archive.variant(cache_ == nullptr ? "" : "cache", [this](Archive& state) { cache_->persist(state); });
  archive.section("dies and controller");
  if (archive.loading()) check_media(archive);
}

// What the dies hold comes from one part of the state, what the controller takes them to hold from another.
void FlashDevice::check_media(Archive& archive) const {
  for (std::uint32_t p = 0; p < geometry_.planes(); ++p) {
    const nand::Die& die = dies_[p / geometry_.planes_per_die]->die();
    archive.require(die.in_native_mode(), "a block is in a mode that the controller does not use");
    for (std::uint32_t k = 0; k < geometry_.blocks_per_plane; ++k) {
      const std::optional<std::uint32_t> pages = ftl().programmed_pages(PlaneId(p), k);
      const std::uint32_t block = p % geometry_.planes_per_die * geometry_.blocks_per_plane + k;
      if (!pages || (die.programmed_pages(block) == *pages && !die.spoiled(block))) continue;
      archive.refuse(
          "the controller takes " + std::to_string(*pages) + " pages of block " +
          std::to_string(geometry_.block(PlaneId(p), k).value) + " to be programmed, and its die " +
          (die.spoiled(block) ? "none, since an erase has failed" : std::to_string(die.programmed_pages(block))));
    }
  }
}

void FlashDevice::persist_counters(Archive& archive) {
  ftl().persist_counters(archive);
  archive.variant(firmware_ == nullptr ? "" : "firmware", [this](Archive& a) { firmware_->persist_counters(a); });
  archive.variant(cache_ == nullptr ? "" : "cache", [this](Archive& a) { cache_->persist_counters(a); });
  archive.variant(dram_ == nullptr ? "" : "dram", [this](Archive& a) { dram_->persist_counters(a); });
  for (const auto& engine : engines_) engine->persist(archive);
  for (const auto& channel : channels_) channel->persist_counters(archive);
}

bool FlashDevice::media_idle() const {
  return std::all_of(dies_.begin(), dies_.end(), [](const auto& die) { return die->die().idle(); });
}

template <class Job>
void FlashDevice::connect(JobInitiatorSocket<Job>& initiator, JobTargetSocket<Job>& target, const std::string& name,
                          Checkers<Job>& checkers) {
  if (!check_protocol_) {
    initiator.bind(target);
    return;
  }
  checkers.push_back(std::make_unique<ProtocolChecker<JobProtocol<Job>>>(name.c_str()));
  initiator.bind(checkers.back()->target);
  checkers.back()->initiator.bind(target);
}

std::string FlashDevice::outstanding_transactions() const {
  std::string histories;
  for (const auto& checker : command_checkers_) histories += checker->outstanding_histories();
  for (const auto& checker : job_checkers_) histories += checker->outstanding_histories();
  return histories;
}

nand::DieCounters FlashDevice::nand_counters() const {
  nand::DieCounters sum;
  for (const auto& die : dies_) sum += die->die().counters();
  return sum;
}

ecc::EccCounters FlashDevice::ecc_counters() const {
  ecc::EccCounters sum;
  for (std::size_t code = 0; code < codes_.codes.size(); ++code) sum += ecc_counters(static_cast<CodeNumber>(code));
  return sum;
}

ecc::EccCounters FlashDevice::ecc_counters(CodeNumber code) const {
  ecc::EccCounters sum;
  for (const auto& engine : engines_) sum += engine->counters(code);
  return sum;
}

double FlashDevice::channel_busy_fraction(Tick now) const {
  if (now == 0) return 0;
  return static_cast<double>(channel_busy()) / (static_cast<double>(now) * geometry_.channels);
}

Tick FlashDevice::busiest_channel() const {
  Tick busiest = 0;
  for (const auto& channel : channels_) busiest = std::max(busiest, channel->counters().busy);
  return busiest;
}

Tick FlashDevice::busiest_die() const {
  Tick busiest = 0;
  for (const auto& die : dies_) busiest = std::max(busiest, die->die().counters().array.busy);
  return busiest;
}

Tick FlashDevice::channel_busy() const {
  Tick busy = 0;
  for (const auto& channel : channels_) busy += channel->counters().busy;
  return busy;
}

}  // namespace nandscape
