// SPDX-License-Identifier: Apache-2.0
#include "platform/flash_device.h"

#include <stdexcept>
#include <utility>

#include "ecc/codes/codec.h"
#include "ecc/page_coders/bit_true_coder.h"
#include "ecc/page_coders/table_coder.h"
#include "ecc/page_coders/threshold_coder.h"
#include "platform/initial_pages.h"

namespace nandscape {

namespace {

DataPath data_path(const FlashDeviceParameters& p, bool keep_data, CellFidelity cells) {
  if (p.ecc.decoder == Decoder::bit_true && !keep_data) {
    throw std::invalid_argument("a device that keeps no data has no bytes for the decoder bit_true");
  }
  DataPath path;
  path.layout = page_layout(p.ecc, p.nand.geometry.page_bytes, p.nand.geometry.spare_bytes);
  if (keep_data) path.content = p.ecc.decoder == Decoder::bit_true ? PageContent::data_and_spare : PageContent::data;
  path.count_codeword_errors = p.ecc.decoder != Decoder::threshold;
  // Scrambling and undoing it is work that nobody sees unless something looks at the bytes in between.
  path.scramble = p.ecc.scrambler && (p.ecc.decoder == Decoder::bit_true || cells == CellFidelity::per_cell);
  path.retry_steps = cells == CellFidelity::ideal ? 0 : p.nand.cells.read_levels.retry_steps;
  path.ecc_engines = p.ecc.engines == EngineSharing::shared ? 1 : p.channel.count;
  return path;
}

}  // namespace

FlashDevice::FlashDevice(const FlashDeviceParameters& p, bool keep_data, CellFidelity cells, std::uint64_t seed,
                         Calendar& calendar, bool check_protocol)
    : geometry_(geometry_of(p)),
      nand_timing_(p.nand),
      bus_timing_(p.channel, geometry_),
      path_(data_path(checked(p), keep_data, cells)),
      code_table_(p.ecc.decoder == Decoder::table ? std::make_shared<CodeTable>(code_table_of(p.ecc)) : nullptr),
      cell_device_(cells == CellFidelity::ideal ? nullptr : std::make_unique<CellDevice>(p.nand, path_.layout)),
      check_protocol_(check_protocol) {
  controller_ = std::make_unique<ControllerModule>("controller", p.controller, geometry_, path_, seed, calendar);
  for (std::uint32_t e = 0; e < path_.ecc_engines; ++e) {
    const std::string engine = "ecc_" + std::to_string(e);
    engines_.push_back(
        std::make_unique<EccEngineModule>(engine.c_str(), calendar, p.ecc, make_coder(p.ecc, seed, engine)));
    connect(controller_->decode_socket(e), engines_[e]->decode_socket(), "checker_decode_" + engine, job_checkers_);
    connect(controller_->encode_socket(e), engines_[e]->encode_socket(), "checker_encode_" + engine, job_checkers_);
  }
  const std::uint64_t pages_per_die = geometry_.pages_per_plane() * geometry_.planes_per_die;
  for (std::uint32_t c = 0; c < geometry_.channels; ++c) {
    const std::string channel = std::to_string(c);
    channels_.push_back(std::make_unique<ChannelModule>(("channel_" + channel).c_str(), calendar, bus_timing_,
                                                        p.channel.arbitration, geometry_.dies_per_channel()));
    connect(controller_->channel_socket(c), channels_[c]->socket, "checker_channel_" + channel, command_checkers_);
    for (std::uint32_t d = 0; d < geometry_.dies_per_channel(); ++d) {
      const std::string die = "nand_" + channel + "_" + std::to_string(d);
      cells_.push_back(cell_device_ == nullptr ? nullptr : make_cells(cells, *cell_device_, seed, die));
      const Ppn first(dies_.size() * pages_per_die);
      dies_.push_back(std::make_unique<DieModule>(die.c_str(), calendar, geometry_, nand_timing_,
                                                  make_store(p.ecc, first), cells_.back().get()));
      connect(channels_[c]->die_socket(d), dies_.back()->socket, "checker_" + die, command_checkers_);
    }
  }
  const InitialFill& fill = controller().initial_fill();
  for (std::uint32_t plane = 0; plane < geometry_.planes(); ++plane) {
    Die& die = dies_[plane / geometry_.planes_per_die]->die();
    for (std::uint32_t block = 0; block < fill.used_blocks(PlaneId(plane)); ++block) {
      die.precondition(plane % geometry_.planes_per_die, block, geometry_.pages_per_block);
    }
  }
}

std::unique_ptr<PageCoder> FlashDevice::make_coder(const EccParameters& ecc, std::uint64_t seed,
                                                   const std::string& engine) const {
  switch (ecc.decoder) {
    case Decoder::threshold: break;
    case Decoder::table: return std::make_unique<TableCoder>(code_table_, path_.layout.codewords(), seed, engine);
    case Decoder::bit_true: return std::make_unique<BitTrueCoder>(make_codec(code_of(ecc)), path_.layout);
  }
  return std::make_unique<ThresholdCoder>(ecc.correctable_bits);
}

std::unique_ptr<PageStore> FlashDevice::make_store(const EccParameters& ecc, Ppn first) const {
  if (!path_.keeps_data()) return nullptr;
  const bool spare = path_.content == PageContent::data_and_spare;
  auto initial = std::make_unique<FilledPages>(controller().initial_fill(), first, path_, make_coder(ecc, 0, ""));
  return std::make_unique<PageStore>(path_.layout, spare ? PageStore::Spare::kept : PageStore::Spare::left_out,
                                     std::move(initial));
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

DieCounters FlashDevice::nand_counters() const {
  DieCounters sum;
  for (const auto& die : dies_) sum += die->die().counters();
  return sum;
}

EccCounters FlashDevice::ecc_counters() const {
  EccCounters sum;
  for (const auto& engine : engines_) sum += engine->counters();
  return sum;
}

double FlashDevice::channel_busy_fraction(Tick now) const {
  if (now == 0) return 0;
  double busy = 0;
  for (const auto& channel : channels_) busy += static_cast<double>(channel->counters().busy);
  return busy / (static_cast<double>(now) * geometry_.channels);
}

}  // namespace nandscape
