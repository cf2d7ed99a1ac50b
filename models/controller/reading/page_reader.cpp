// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/page_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/error.h"

namespace nandscape::controller {

void PageRead::array_done(Tick now) { reader_.sensed(*this, now); }
void PageRead::recovery_ended(Tick now) { reader_.finish(*this, now); }
void PageRead::coded(Tick now) { reader_.decoded(*this, now); }
void PageRead::die_locked(Tick now) { reader_.die_locked(*this, now); }
void PageRead::gathered(std::span<FlashOp* const> reads, Tick) { reader_.gathered(reads); }

std::optional<ReadStep> PageRead::next_step() {
  if (recovery == nullptr) return std::nullopt;
  if (!recovery->learns()) return recovery->step(steps, tried);
  errors.resize(tried, errors_not_known);
  return recovery->step_after(steps, errors);
}

void PageRead::note_errors() {
  errors.resize(tried, errors_not_known);
  errors.back() = static_cast<std::uint16_t>(std::min<std::uint32_t>(ecc.worst_codeword_errors, errors_not_known - 1));
}

PageReader::PageReader(const ReadRetryParameters& parameters, const RetryFacts& facts, FlashIo& io,
                       FlashScheduler& scheduler, const BlockTable& blocks, BlockPins& pins, const BlockAges& ages)
    : facts_(facts),
      io_(io),
      pins_(pins),
      name_(parameters.policy.name),
      policy_(read_recovery_registry().make(parameters.policy)),
      search_(parameters.pso_search) {
  if (parameters.pso) recent_.emplace(blocks.geometry().blocks(), facts_.layers);
  if (policy_->locks_die()) locked_.emplace(io, scheduler, *this, *policy_, facts_, ages, counters_);
}

std::uint32_t PageReader::layer_of(const PageRead& read) const {
  const std::uint64_t layers = facts_.layers;
  const std::uint64_t up = read.command.page * layers / io_.layout().flash().pages_per_block;
  const std::uint64_t begin = facts_.first_layer_by_block ? read.command.block % layer_quarters : 0;
  return static_cast<std::uint32_t>((up + begin * layers / layer_quarters) % layers);
}

bool PageReader::prepare(PageRead& read) const {
  const std::optional<ReadStep> step = read.next_step();
  if (!step) return false;
  if (read.tried > 0)
    read.recovery_stage = step->searches ? RecoveryStage::vref_search : retry_stage(step->sensing_levels);
  take_step(read, *step);
  return true;
}

void PageReader::take_step(PageRead& read, const ReadStep& step) const {
  const std::uint32_t earlier = step.adds_senses ? read.command.sensing_levels : 0;
  if (step.adds_senses && (read.tried == 0 || step.sensing_levels <= earlier)) {
    throw Error("the read recovery " + name_ + " chose " + std::to_string(step.sensing_levels) +
                " sensing levels that add to those of the read before, " +
                (read.tried == 0 ? "and there was none" : "which were " + std::to_string(earlier) + " already"));
  }
  ++read.tried;
  read.command.retry_step = step.retry_step;
  io_.set_sensing_levels(read, step.sensing_levels, earlier);
  read.expected_round = std::max(read.expected_round, read.tried);
}

void PageReader::start(PageRead& read, Ppa source, std::uint32_t first, std::uint32_t end, Tick now) {
  const FlashLayout& layout = io_.layout();
  const std::uint32_t codeword = io_.path().read_bytes();
  read.ppa = source;
  read.block = layout.block_of(source);
  if (copies_ != nullptr && !read.from_flash && copies_->hold(source)) return copies_->answer(read, first, end, now);
  FlashIo::set_address(read, layout.find(source));
  read.command.first_byte = first / codeword * codeword;
  read.command.bytes = (end - read.command.first_byte + codeword - 1) / codeword * codeword;
  const auto last_step = static_cast<std::uint8_t>(facts_.steps);
  read.steps = {recent_ ? recent_->likely(read.block, layer_of(read)) : std::uint8_t{0}, last_step, search_};
  read.recovery = policy_.get();
  read.expected_round = groups_ == nullptr ? 1 : groups_->expected_round(read.block, layer_of(read));
  // If the policy gives up at once, the page is still read once, at the default levels.
  if (!prepare(read)) {
    read.recovery = nullptr;
    take_step(read, ReadStep{});
  }
  pins_.pin(read.block);
  if (companions_ == nullptr || !companions_->start(read, first, end, now)) io_.read(read, now);
}

void PageReader::sensed(PageRead& read, Tick) {
  if (read.companion != nullptr) {
    read.waits_for_companion = true;
  } else {
    io_.decode(read);
  }
}

void PageReader::decoded(PageRead& read, Tick now) {
  if (read.remade != nullptr) read.recovery_stage = RecoveryStage::last_resort;
  ++counters_.sensing_levels.reads[read.command.sensing_levels - 1u];
  ++counters_.stages.of(read.recovery_stage).reads;
  // A mapped page was programmed. If it reads as erased, its wordline was not completed before a power loss.
  const bool gone = read.command.erased_page;
  read.ecc.uncorrectable |= gone;
  const bool over = !read.ecc.uncorrectable || gone || (read.remade != nullptr && read.remade->complete);
  if (locked_) {
    const std::optional<ReadStep> next = over ? std::nullopt : read.next_step();
    leave_group(read, now);
    if (!next) return recovery_ended(read, now);
    note_retry(read, now);
    return locked_->start(read, *next, now);
  }
  if (!over && policy_->learns()) note_errors(read);
  const bool again = !over && prepare(read);
  if (!again) {
    leave_group(read, now);
    return recovery_ended(read, now);
  }
  note_retry(read, now);
  read.command.cache = false;
  if (read.command.single_operation) {
    groups_->again(read, now);
  } else {
    io_.enqueue(read, now);
  }
}

void PageReader::note_errors(PageRead& read) {
  if (read.recovery != policy_.get()) return;
  if (read.errors.empty() && !unused_errors_.empty()) {
    read.errors = std::move(unused_errors_.back());
    unused_errors_.pop_back();
  }
  read.note_errors();
}

void PageReader::note_retry(PageRead& read, Tick now) {
  ++read.retries;
  if (read.times != nullptr) read.times->enter_retries(now);
}

void PageReader::remember(const PageRead& read) {
  if (recent_) recent_->succeeded(read.block, layer_of(read), read.command.retry_step);
  if (groups_ != nullptr) groups_->succeeded(read, layer_of(read));
}

void PageReader::recovery_ended(PageRead& read, Tick now) {
  if (!read.ecc.uncorrectable) {
    remember(read);
  } else if (read.times != nullptr) {
    read.times->enter_retries(now);  // the last resort counts as retries
  }
  read.recovery_ended(now);
}

void PageReader::finish(PageRead& read, Tick now) {
  if (last_resort_ != nullptr && last_resort_->goes_on(read, now)) return;
  if (undo_ == nullptr || !undo_->goes_on(read, now)) end(read, now);
}

void PageReader::end(PageRead& read, Tick now) {
  ++counters_.reads;
  counters_.retried_reads += read.retries > 0;
  counters_.steps += read.retries;
  counters_.failed_reads += read.ecc.uncorrectable;
  counters_.stages.of(read.recovery_stage).pages += !read.ecc.uncorrectable;
  if (!read.errors.empty()) {
    read.errors.clear();
    unused_errors_.push_back(std::move(read.errors));
  }
  const Superblock block = read.block;
  const bool remade = read.remade != nullptr;
  if (remade) last_resort_->release(read);
  pins_.unpin(block, now);
  if (read.lost) read.ecc.uncorrectable = true;
  listener_->block_read(block, read.retries + 1u, now);
  read.page_read(now);
  if (remade) listener_->page_remade(block, now);
}

void PageReader::persist(Archive& archive) {
  archive.variant(recent_ ? "pso" : "", [this](Archive& state) { recent_->persist(state, facts_.steps); });
  archive.variant(groups_ == nullptr ? "" : groups_->memory(), [this](Archive& state) { groups_->persist(state); });
}

void PageReader::persist_counters(Archive& archive) { archive(counters_); }

}  // namespace nandscape::controller
