// SPDX-License-Identifier: Apache-2.0
#include "nand/nand_array.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/error.h"

namespace nandscape::nand {

NandArrayCounters& NandArrayCounters::operator+=(const NandArrayCounters& other) {
  page_reads += other.page_reads;
  page_programs += other.page_programs;
  block_erases += other.block_erases;
  senses += other.senses;
  failures += other.failures;
  return *this;
}

NandArray::NandArray(const Geometry& geometry, const NandTiming& timing, const DieFeatures& features, PageStore* store,
                     CellArray* cells, PageTags* tags)
    : store_(store),
      cells_(cells),
      tags_(tags),
      registers_(geometry, store),
      geometry_(geometry),
      timing_(timing),
      features_(features),
      plain_reads_(store == nullptr && cells == nullptr),
      faults_(geometry.blocks_per_die()),
      blocks_(geometry.blocks_per_die(), geometry.pages_per_block, timing.bits_per_cell()) {}

Tick NandArray::coded_read_time(const NandCommand& read) const {
  const CodedPage page = coded_page(read, block_index(read));
  return features_.read_time(page.native_type, page.senses(), read.new_levels());
}

Tick NandArray::program_time(const NandCommand& program) const {
  if (program.mode != ProgramMode::slc && timing_.loads(program.page)) return timing_.t_load;
  const Tick native = is_coarse(program) ? timing_.t_prog_first : timing_.t_prog;
  const Tick time = program.mode == ProgramMode::slc ? timing_.t_prog_slc : native;
  if (program.program_step_mv == 0) return time;
  // Without a cell model, the number of program pulses is inversely proportional to the voltage step between them [Liu
  // et al., FAST 2012, section 3.2.1].
  const double factor = cells_ == nullptr ? timing_.step_mv / program.program_step_mv
                                          : cells_->program_time_factor(program.program_step_mv);
  return static_cast<Tick>(std::llround(static_cast<double>(time) * factor));
}

void NandArray::begin_pass(const NandCommand& program) {
  const BlockInDie block = block_index(program);
  if (program.pass == ProgramPass::again) return blocks_.program_again(block, program.page);
  blocks_.program(block, program.mode);
  if (is_coarse(program)) blocks_.tear(block, {program.page, program.page + 1});
}

inline NandArray::CodedPage NandArray::coded_page(const NandCommand& c, BlockInDie block) const {
  const CellCodings& codings = timing_.codings;
  const std::uint32_t type = timing_.page_type(c.page);
  if (blocks_.ordinary()) return {&codings.native(), type, wordline(c), type};
  if (blocks_.slc(block)) return {&codings.slc(), 0, c.page, 0};
  const std::optional<std::uint8_t> valid = blocks_.adjusted(block, wordline(c));
  if (!valid) return {&codings.native(), type, wordline(c), type};
  const Merging& merging = codings.merging(*valid);
  // A page that the voltage adjustment has dropped is sensed in the native coding, as if it still existed.
  if (!merging.new_page[type]) return {&codings.native(), type, wordline(c), type};
  return {&merging.coding, *merging.new_page[type], wordline(c), type};
}

void NandArray::finish_other(NandCommand& command, const OperationCommands& suspended, Tick now) {
  switch (command.operation) {
    case NandOperation::copyback_read: fill_register(command, suspended, now); break;
    case NandOperation::program:
    case NandOperation::copyback_program: finish_program(command, now); break;
    case NandOperation::erase: finish_erase(command, now); break;
    case NandOperation::adjust_voltage: finish_adjustment(command, now); break;
    default: break;
  }
  if (command.status == NandStatus::fail) ++counters_.failures;
}

void NandArray::finish_content(NandCommand& c, std::byte* data, Commands suspended, Tick now) {
  const BlockInDie block = block_index(c);
  counters_.senses += c.new_levels() * coded_page(c, block).senses();
  c.adjusted_block = blocks_.adjusted(block);
  c.slc_block = blocks_.slc(block);
  std::fill(c.codeword_errors.begin(), c.codeword_errors.end(), std::uint16_t{0});
  if (torn(c)) [[unlikely]]
    return read_torn(c, data);
  if (!c.tag.empty()) read_tag(c, c.tag);
  if (store_ != nullptr && data != nullptr) read_stored(c, data);
  if (c.sensing_levels != 1) sense_alike(c, data);
  if (cells_ != nullptr) sense(c, data, suspended, now);
}

void NandArray::read_stored(const NandCommand& c, std::byte* data) const {
  const bool initial = c.page < blocks_.initial_pages(block_index(c));
  if (c.single_operation) {
    store_->read(row(c), initial, c.first_byte, c.bytes, data);
  } else {
    store_->read(row(c), initial, data);
  }
}

std::uint32_t NandArray::peek(const NandCommand& c) const {
  const bool there = c.plane.value < geometry_.planes_per_die && c.block.value < geometry_.blocks_per_plane &&
                     c.page < geometry_.pages_per_block;
  if (store_ == nullptr || c.data == nullptr || c.operation != NandOperation::read || !there || torn(c)) return 0;
  store_->read(row(c), c.page < blocks_.initial_pages(block_index(c)), c.data);
  return store_->page_bytes();
}

void NandArray::sense_alike(const NandCommand& c, const std::byte* data) const {
  for (std::size_t bit = 0; bit < c.sensed_ones.size(); ++bit) {
    const bool one = (data[bit / 8] >> bit % 8 & std::byte{1}) != std::byte{0};
    c.sensed_ones[bit] = one ? c.sensing_levels : 0;
  }
}

std::uint32_t NandArray::bytes_sensed(const NandCommand& c) const {
  // A copyback read stores the whole page in the page register, and a read without data-out senses the whole page.
  const bool whole_page = c.operation == NandOperation::copyback_read || c.bytes == 0;
  return whole_page ? geometry_.page_bytes : c.bytes;
}

void NandArray::read_torn(NandCommand& c, std::byte* data) {
  c.erased_page = false;
  if (cells_ != nullptr) c.bad_block_mark = cells_->factory_bad(block_index(c));
  // Half of the bits are wrong. If the caller does not ask for the errors of each codeword, the array does not know how
  // the page is divided into codewords. In this case the worst codeword counts all errors, which are more than any code
  // can correct.
  c.raw_bit_errors = c.worst_codeword_errors = bytes_sensed(c) * 4;
  c.misread_probability = 0.5;
  if (!c.codeword_errors.empty()) {
    c.worst_codeword_errors /= static_cast<std::uint32_t>(c.codeword_errors.size());
    std::fill(c.codeword_errors.begin(), c.codeword_errors.end(),
              static_cast<std::uint16_t>(std::min(c.worst_codeword_errors, 0xffffu)));
  }
  std::fill(c.tag.begin(), c.tag.end(), no_tag);
  if (store_ != nullptr && data != nullptr) {
    if (c.single_operation) {
      store_->read_torn(row(c), c.first_byte, c.bytes, data);
    } else {
      store_->read_torn(row(c), 0, geometry_.page_bytes, data);
    }
  }
  if (c.sensing_levels != 1) sense_alike(c, data);
}

void NandArray::read_tag(const NandCommand& c, std::span<std::uint64_t> tag) const {
  if (tags_ == nullptr) {
    std::fill(tag.begin(), tag.end(), no_tag);
  } else {
    tags_->read(block_index(c), c.page, c.page < blocks_.initial_pages(block_index(c)), tag);
  }
}

void NandArray::sense(NandCommand& c, std::byte* data, Commands suspended, Tick now) {
  const BlockInDie block = block_index(c);
  c.bad_block_mark = cells_->factory_bad(block);
  if (c.bad_block_mark) return;
  const CodedPage page = coded_page(c, block);
  if (!in_cells(block, page, suspended)) return;
  const SenseResult result = cells_->sense(sense_order(c, block, page, keeps_spare() ? data : nullptr), now);
  c.raw_bit_errors = result.raw_bit_errors;
  c.worst_codeword_errors = result.worst_codeword_errors;
  c.misread_probability = result.misread_probability;
}

inline SenseOrder NandArray::sense_order(const NandCommand& c, BlockInDie block, const CodedPage& page,
                                         std::byte* data) const {
  const std::uint32_t bytes = bytes_sensed(c);
  const bool adjustable = !blocks_.ordinary() && !blocks_.slc(block);
  return {.where = {block, page.wordline},
          .coding = page.coding,
          .page_type = page.page_type,
          .retry_step = c.retry_step,
          .vref_offsets_mv = features_.vref_offsets(blocks_.mode(block)),
          .timing = features_.sense_timing(),
          .first_byte = bytes == geometry_.page_bytes ? 0 : c.first_byte,
          .bytes = bytes,
          .programmed_wordlines = programmed_wordlines(block),
          .adjusted = adjustable ? adjustments({block, page.wordline}) : Adjustments{},
          .data = data,
          .codeword_errors = c.codeword_errors,
          .sensing_levels = c.sensing_levels,
          .earlier_levels = c.earlier_levels,
          .sensed_ones = c.sensed_ones};
}

std::vector<float> NandArray::threshold_voltages(WordlineAddress where, Tick now) const {
  NandCommand page;
  page.plane = geometry_.plane_of(where.block);
  page.block = geometry_.block_in_plane(where.block);
  page.page = where.wordline * (blocks_.slc(where.block) ? 1 : timing_.bits_per_cell());
  if (torn(page)) return {};
  std::vector<float> voltages;
  if (cells_ != nullptr) {
    const CodedPage coded = coded_page(page, where.block);
    voltages = cells_->threshold_voltages(sense_order(page, where.block, coded, nullptr), now);
  }
  if (voltages.empty()) throw RequestError("cells are not modelled one by one; set simulation.cells to per_cell");
  return voltages;
}

std::uint32_t NandArray::programmed_wordlines(BlockInDie block) const {
  std::uint32_t wordlines = blocks_.next_page(block) / (blocks_.slc(block) ? 1 : timing_.bits_per_cell());
  if (!timing_.two_passes() || blocks_.slc(block)) return wordlines;
  while (wordlines != 0 && blocks_.torn(block, wordlines * timing_.bits_per_cell() - 1)) --wordlines;
  return wordlines;
}

Adjustments NandArray::adjustments(WordlineAddress where) const {
  const auto merging = [&](std::uint32_t wordline) -> const Merging* {
    const std::optional<std::uint8_t> valid = blocks_.adjusted(where.block, wordline);
    return valid ? &timing_.codings.merging(*valid) : nullptr;
  };
  Adjustments adjusted{.own = merging(where.wordline)};
  if (where.wordline != 0) adjusted.previous = merging(where.wordline - 1);
  if (where.wordline + 1 < programmed_wordlines(where.block)) adjusted.next = merging(where.wordline + 1);
  return adjusted;
}

inline bool NandArray::in_cells(BlockInDie block, const CodedPage& page, Commands suspended) const {
  std::uint32_t programmed = blocks_.next_page(block);
  for (const NandCommand* other : suspended) {
    if (programs(other->operation) && other->pass == ProgramPass::first && block_index(*other) == block) --programmed;
  }
  const std::uint32_t pages = blocks_.slc(block) ? 1 : timing_.bits_per_cell();
  return programmed >= std::min((page.wordline + 1) * pages, blocks_.pages(blocks_.mode(block)));
}

void NandArray::finish_program(NandCommand& c, Tick now) {
  counters_.page_programs += c.pass == ProgramPass::first;
  if (is_coarse(c)) return finish_coarse_program(c);
  const std::byte* data = c.data;
  std::span<const std::uint64_t> tag = c.tag;
  const bool copyback = c.operation == NandOperation::copyback_program;
  if (copyback) {
    const PageRegisters::Page& page = registers_.page(c.plane);
    data = store_ == nullptr ? nullptr : page.data.data();
    if (tag.empty()) tag = page.tag;
    if (page.torn) blocks_.tear(block_index(c), {c.page, c.page + 1});
  }
  const bool struck = faults_.strikes(NandOperation::program, block_index(c));
  const bool programmed = cells_ == nullptr || program_cells(c, data, now);
  if (struck || !programmed) {
    c.status = NandStatus::fail;
    // If the last page of a wordline fails, all pages of the wordline are lost, because they were programmed together.
    // If the wordline is still incomplete, only this page is torn.
    if (completes_wordline(c)) {
      tear_wordline(c);
    } else {
      blocks_.tear(block_index(c), {c.page, c.page + 1});
    }
    return;
  }
  if (store_ != nullptr && data != nullptr) store_->write(row(c), data);
  if (tags_ != nullptr && !tag.empty()) tags_->write(block_index(c), c.page, tag);
  if (c.pass == ProgramPass::again && completes_wordline(c)) {
    blocks_.mend(block_index(c), blocks_.wordline_of(block_index(c), c.page));
  }
}

// The pages stay torn until their second pass, so neither their data nor their cells are needed before.
void NandArray::finish_coarse_program(NandCommand& c) {
  const bool struck = faults_.strikes(NandOperation::program, block_index(c));
  const bool bad = cells_ != nullptr && cells_->factory_bad(block_index(c));
  if (struck || bad) c.status = NandStatus::fail;
}

bool NandArray::completes_wordline(const NandCommand& c) const {
  return c.page + 1 == blocks_.wordline_of(block_index(c), c.page).end;
}

void NandArray::tear_wordline(const NandCommand& c) {
  const BlockInDie block = block_index(c);
  blocks_.tear(block, blocks_.wordline_of(block, c.page));
}

bool NandArray::program_cells(const NandCommand& c, const std::byte* data, Tick now) {
  const BlockInDie block = block_index(c);
  if (cells_->factory_bad(block)) return false;
  const CodedPage page = coded_page(c, block);
  ProgramOrder order;
  order.where = {block, page.wordline};
  order.coding = page.coding;
  order.page_type = page.page_type;
  order.step_mv = c.program_step_mv;
  order.data = data;
  if (data != nullptr) order.data_bytes = store_->page_bytes();
  if (c.operation == NandOperation::copyback_program) order.inherited_bit_errors = registers_.page(c.plane).bit_errors;
  return cells_->program(order, now);
}

void NandArray::finish_erase(NandCommand& c, Tick now) {
  ++counters_.block_erases;
  const BlockInDie block = block_index(c);
  const bool struck = faults_.strikes(NandOperation::erase, block);
  const bool erased = cells_ == nullptr || (!cells_->factory_bad(block) && cells_->erase(block, now));
  lose_block(block);
  if (erased && !struck) {
    blocks_.erase(block);
  } else {
    c.status = NandStatus::fail;
  }
}

// Deletes the data of a block and marks it as spoiled. An erase that fails or is interrupted leaves neither the old
// data nor an erased block.
void NandArray::lose_block(BlockInDie block) {
  blocks_.spoil(block);
  if (store_ != nullptr)
    store_->erase(std::uint64_t{block.value} * geometry_.pages_per_block, geometry_.pages_per_block);
  if (tags_ != nullptr) tags_->erase(block);
}

void NandArray::finish_adjustment(NandCommand& c, Tick now) {
  const BlockInDie block = block_index(c);
  if (faults_.strikes(NandOperation::adjust_voltage, block)) c.status = NandStatus::fail;
  if (cells_ != nullptr) {
    // merge() needs the numbers that the pages to keep had in the coding before this adjustment.
    const std::optional<std::uint8_t> before = blocks_.adjusted(block, wordline(c));
    const Coding& from = before ? timing_.codings.merging(*before).coding : timing_.codings.native();
    std::uint32_t kept = 0;
    for (std::uint32_t page = 0; page < timing_.bits_per_cell(); ++page) {
      if ((c.valid_pages >> page & 1) == 0) continue;
      kept |= 1u << (before ? *timing_.codings.merging(*before).new_page[page] : page);
    }
    const Merging merging = merge(from, kept);
    if (!cells_->adjust({{block, wordline(c)}, &from, &merging, programmed_wordlines(block)}, now)) {
      c.status = NandStatus::fail;
    }
  }
  blocks_.adjust(block, wordline(c), c.valid_pages);
  if (c.status == NandStatus::fail) tear_wordline(c);
}

void NandArray::fill_register(NandCommand& c, const OperationCommands& suspended, Tick now) {
  PageRegisters::Page& page = registers_.fill(c.plane);
  if (store_ == nullptr) {
    finish_read(c, nullptr, suspended, now);
  } else {
    page.data.resize(store_->page_bytes());
    finish_read(c, page.data.data(), suspended, now);
    if (c.data != nullptr) std::memcpy(c.data, page.data.data(), page.data.size());
  }
  // If the simulation keeps the spare bytes, the data already contain the bit errors.
  page.bit_errors = keeps_spare() ? 0 : c.raw_bit_errors;
  page.torn = torn(c);
  page.tag.clear();
  if (tags_ != nullptr) {
    page.tag.resize(page.torn ? 0 : tags_->words(block_index(c), c.page));
    read_tag(c, page.tag);
  }
}

}  // namespace nandscape::nand
