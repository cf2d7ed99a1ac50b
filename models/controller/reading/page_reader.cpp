// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/page_reader.h"

#include <algorithm>
#include <utility>

namespace nandscape::controller {

void PageRead::array_done(Tick now) { reader_.sensed(*this, now); }
void PageRead::recovery_ended(Tick now) { reader_.finish(*this, now); }
void PageRead::coded(Tick now) { reader_.decoded(*this, now); }
void PageRead::die_locked(Tick now) { reader_.die_locked(*this, now); }
void PageRead::gathered(const OpQueue& reads, Tick now) { reader_.gathered(reads, now); }
PagePlace PageRead::place() const { return reader_.place_of(*this); }
BlockAge PageRead::age() const { return reader_.age_of(*this, asked_at_); }
void PageRead::raise(const ReadStep& step) {
  add_attempt(step);
  recovery_stage = step.retry_stage();
}

void PageRead::settle_attempt(std::size_t number, const FlashOp& op) {
  ReadAttempt& attempt = made_[number];
  const std::uint32_t most = errors_not_known - 1;
  attempt.errors = static_cast<std::uint16_t>(std::min(op.ecc.worst_codeword_errors, most));
  attempt.result = op.ecc.uncorrectable ? ReadResult::uncorrectable : ReadResult::decoded;
}

PageReader::PageReader(const ReadRetryParameters& parameters, const RetryFacts& facts, FlashIo& io,
                       FlashScheduler& scheduler, const BlockTable& blocks, BlockPins& pins, const BlockAges& ages)
    : facts_(facts),
      io_(io),
      blocks_(blocks),
      pins_(pins),
      ages_(ages),
      recovery_(parameters.policy),
      usual_order_(0, static_cast<std::uint8_t>(facts.steps), parameters.step_order),
      start_name_(parameters.start.name) {
  counters_.stages = RecoveryStagesCounters(needs().stages);
  if (parameters.predicts_start()) {
    starts_ = start_step_registry().make(parameters.start, {blocks.geometry().blocks(), facts.layers, facts.steps});
  }
  plain_ = needs().only_retries && starts_ == nullptr;
  direct_ = plain_ && io.layout().members() == 1;
  if (needs().locks_die) locked_.emplace(io, scheduler, *this, facts_, ages, counters_);
}

std::uint32_t PageReader::layer_of(const PageRead& read) const {
  const std::uint64_t layers = facts_.layers;
  const std::uint64_t up = read.command.page * layers / blocks_.shape(read.block).rows;
  const std::uint64_t begin = facts_.first_layer_by_block ? read.command.block.value % layer_quarters : 0;
  return static_cast<std::uint32_t>((up + begin * layers / layer_quarters) % layers);
}

PagePlace PageReader::place_of(const PageRead& read) const {
  const NandCommand& command = read.command;
  const BlockShape& shape = blocks_.shape(read.block);
  return {.channel = read.channel.value,
          .die = read.channel.value * io_.layout().flash().dies_per_channel() + command.die.value,
          .plane = read.plane.value,
          .block = command.block.value,
          .superblock = read.block.value,
          .page = command.page,
          .wordline = command.page / shape.pages_per_wordline,
          .layer = layer_of(read),
          .type = shape.type_of(command.page)};
}

inline void PageReader::take_step(PageRead& read, ReadStep step) {
  read.add_attempt(step);
  const std::uint32_t earlier = step.adds_senses ? read.command.sensing_levels : 0;
  read.command.retry_step = static_cast<std::uint8_t>(step.retry_step);
  io_.set_sensing_levels(read, static_cast<std::uint32_t>(step.sensing_levels), earlier);
  read.expected_round = std::max(read.expected_round, static_cast<std::uint16_t>(read.attempts.size()));
}

inline bool PageReader::prepare(PageRead& read, Tick now) {
  const std::optional<ReadStep> step = read.next_step(now);
  if (!step) return false;
  const bool first = read.attempts.empty();
  if (!first || step->stage != RecoveryStage::by_levels) read.recovery_stage = step->retry_stage();
  take_step(read, *step);
  return true;
}

void PageReader::start(PageRead& read, Ppa source, std::uint32_t first, std::uint32_t end, Tick now) {
  const FlashLayout& layout = io_.layout();
  read.ppa = source;
  read.block = layout.block_of(source);
  if (!direct_) return start_by_stages(read, first, end, now);
  FlashIo::set_address(read, layout.find_in_one(read.block, source));
  begin(read, first, end);
  read.expected_round = 1;
  read.command.retry_step = usual_order_[0];
  io_.set_sensing_levels(read, 1);
  io_.read(read, now);
}

inline void PageReader::begin(PageRead& read, std::uint32_t first, std::uint32_t end) {
  io_.set_bytes(read, first, end);
  pins_.pin(read.block);
  read.order = usual_order_;
  read.recovery = &recovery_;
}

void PageReader::start_by_stages(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now) {
  if (copies_ != nullptr && !read.from_flash && copies_->hold(read.ppa)) return copies_->answer(read, first, end, now);
  FlashIo::set_address(read, io_.layout().find(read.block, read.ppa));
  begin(read, first, end);
  if (starts_ != nullptr || groups_ != nullptr) read.layer = layer_of(read);
  if (starts_ != nullptr) {
    read.asked_at(now);
    read.order.begin_with(starts_->start({read.block, read.layer}, read));
  }
  read.expected_round = groups_ == nullptr ? 1 : groups_->expected_round(read.block, read.layer);
  // If the policy chooses no first read, the page is read once at the default levels.
  if (!prepare(read, now)) {
    read.recovery = nullptr;
    take_step(read, ReadStep{});
  }
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
  if (read.remade != nullptr) [[unlikely]]
    read.recovery_stage = RecoveryStage::last_resort;
  ++counters_.sensing_levels.reads[read.command.sensing_levels - 1u];
  ++counters_.stages.of(read.recovery_stage).reads;
  // Every mapped page has been programmed. If the page reads as erased, a power loss has interrupted the programming of
  // its wordline, and its data are lost.
  read.ecc.uncorrectable |= read.command.erased_page;
  if (read.ecc.uncorrectable || !plain_) return settle(read, now);
  read.recovery_ended(now);
}

void PageReader::settle(PageRead& read, Tick now) {
  if (read.remade == nullptr) {
    if (read.attempts.empty() && read.recovery == &recovery_) read.add_attempt({.retry_step = read.command.retry_step});
    if (!read.attempts.empty()) read.settle_attempt(read.attempts.size() - 1, read);
  }
  const bool complete = read.remade != nullptr && read.remade->complete;
  const bool over = !read.ecc.uncorrectable || read.command.erased_page || complete;
  if (!over && read_again(read, now)) return;
  leave_group(read, now);
  recovery_ended(read, now);
}

bool PageReader::read_again(PageRead& read, Tick now) {
  if (locked_) {
    const std::optional<ReadStep> next = read.next_step(now);
    if (!next) return false;
    leave_group(read, now);
    note_retry(read, now);
    locked_->start(read, *next, now);
    return true;
  }
  if (!prepare(read, now)) return false;
  note_retry(read, now);
  read.command.cache = false;
  if (read.command.single_operation) {
    groups_->again(read, now);
  } else {
    io_.enqueue(read, now);
  }
  return true;
}

void PageReader::note_retry(PageRead& read, Tick now) {
  ++read.retries;
  if (read.times != nullptr) read.times->enter_retries(now);
}

void PageReader::finish(PageRead& read, Tick now) {
  if (last_resort_ != nullptr || undo_ != nullptr) return finish_by_stages(read, now);
  end(read, now);
}

void PageReader::finish_by_stages(PageRead& read, Tick now) {
  if (last_resort_ != nullptr && last_resort_->goes_on(read, now)) return;
  if (undo_ == nullptr || !undo_->goes_on(read, now)) end(read, now);
}

void PageReader::end(PageRead& read, Tick now) {
  ++counters_.reads;
  if (read.retries > 0) [[unlikely]] {
    ++counters_.retried_reads;
    counters_.steps += read.retries;
  }
  ++(read.ecc.uncorrectable ? counters_.failed_reads : counters_.stages.of(read.recovery_stage).pages);
  if (read.remade != nullptr) [[unlikely]]
    return end_remade(read, now);
  answer(read, now);
}

inline void PageReader::answer(PageRead& read, Tick now) {
  pins_.unpin(read.block, now);
  if (read.lost) read.ecc.uncorrectable = true;
  if (counts_reads_) return tell_and_answer(read, now);
  read.page_read(now);
}

void PageReader::tell_and_answer(PageRead& read, Tick now) {
  listener_->block_read(read.block, read.retries + 1u, now);
  read.page_read(now);
}

void PageReader::end_remade(PageRead& read, Tick now) {
  const Superblock block = read.block;
  last_resort_->release(read);
  answer(read, now);
  listener_->page_remade(block, now);
}

void PageReader::persist(Archive& archive) {
  archive.variant(recovery_.name(), [this](Archive& state) { recovery_.persist(state); });
  archive.variant(starts_ == nullptr ? "" : start_name_, [this](Archive& state) { starts_->persist(state); });
  archive.variant(groups_ == nullptr ? "" : groups_->memory(), [this](Archive& state) { groups_->persist(state); });
}

void PageReader::persist_counters(Archive& archive) { archive(counters_); }

}  // namespace nandscape::controller
