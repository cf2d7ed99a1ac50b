// SPDX-License-Identifier: Apache-2.0
// What has become of cells, stored data and registers when an array operation ends.
#include <algorithm>
#include <array>
#include <cstring>

#include "nand/die.h"
#include "nand/parameter_page.h"

namespace nandscape {

void Die::finish_command(NandCommand& command, Tick now) {
  command.status = NandStatus::pass;
  switch (command.operation) {
    case NandOperation::read: finish_read(command, command.data, now); break;
    case NandOperation::copyback_read: fill_register(command, now); break;
    case NandOperation::program:
    case NandOperation::copyback_program: finish_program(command, now); break;
    case NandOperation::erase: finish_erase(command, now); break;
    case NandOperation::adjust_voltage: finish_adjustment(command, now); break;
    case NandOperation::get_feature: command.feature_value = features_.get(command.feature); break;
    case NandOperation::read_parameter_page: read_parameter_page(command); break;
    default: break;
  }
  if (command.status == NandStatus::fail) ++counters_.failures;
}

void Die::finish_read(NandCommand& c, std::byte* data, Tick now) {
  ++counters_.page_reads;
  counters_.senses +=
      c.new_levels() * (blocks_.ordinary() ? timing_.senses[timing_.page_type(c.page)] : coded_page(c).senses());
  c.raw_bit_errors = 0;
  c.worst_codeword_errors = 0;
  c.misread_probability = 0;
  c.erased_page = blocks_.erased(block_index(c), c.page);
  std::fill(c.codeword_errors.begin(), c.codeword_errors.end(), std::uint16_t{0});
  if (torn(c)) {
    read_torn(c, data);
    sense_alike(c, data);
    return;
  }
  if (!c.tag.empty()) read_tag(c, c.tag);
  if (store_ != nullptr && data != nullptr) {
    const bool initial = c.page < blocks_.initial_pages(block_index(c));
    if (c.single_operation) {
      store_->read(row(c), initial, c.first_byte, c.bytes, data);
    } else {
      store_->read(row(c), initial, data);
    }
  }
  sense_alike(c, data);
  if (cells_ != nullptr) sense(c, data, now);
}

void Die::sense_alike(const NandCommand& c, const std::byte* data) const {
  if (c.sensing_levels == 1) return;
  for (std::size_t bit = 0; bit < c.sensed_ones.size(); ++bit) {
    const bool one = (data[bit / 8] >> bit % 8 & std::byte{1}) != std::byte{0};
    c.sensed_ones[bit] = one ? c.sensing_levels : 0;
  }
}

std::uint32_t Die::bytes_sensed(const NandCommand& c) const {
  // What is kept for copyback is the whole page, and so is what a read without data-out looks at.
  const bool whole_page = c.operation == NandOperation::copyback_read || c.bytes == 0;
  return whole_page ? geometry_.page_bytes : c.bytes;
}

void Die::read_torn(NandCommand& c, std::byte* data) {
  c.erased_page = false;
  if (cells_ != nullptr) c.bad_block_mark = cells_->factory_bad(block_index(c));
  // Half of the bits. Where codewords are not counted one by one they are not known either, and the worst of them is
  // given more errors than any code corrects.
  c.raw_bit_errors = c.worst_codeword_errors = bytes_sensed(c) * 4;
  c.misread_probability = 0.5;
  if (!c.codeword_errors.empty()) {
    c.worst_codeword_errors /= static_cast<std::uint32_t>(c.codeword_errors.size());
    std::fill(c.codeword_errors.begin(), c.codeword_errors.end(),
              static_cast<std::uint16_t>(std::min(c.worst_codeword_errors, 0xffffu)));
  }
  std::fill(c.tag.begin(), c.tag.end(), no_tag);
  if (store_ == nullptr || data == nullptr) return;
  if (c.single_operation) {
    store_->read_torn(row(c), c.first_byte, c.bytes, data);
  } else {
    store_->read_torn(row(c), 0, geometry_.page_bytes, data);
  }
}

void Die::read_tag(const NandCommand& c, std::span<std::uint64_t> tag) const {
  if (tags_ == nullptr) {
    std::fill(tag.begin(), tag.end(), no_tag);
  } else {
    tags_->read(block_index(c), c.page, c.page < blocks_.initial_pages(block_index(c)), tag);
  }
}

void Die::sense(NandCommand& c, std::byte* data, Tick now) {
  const std::uint32_t block = block_index(c);
  c.bad_block_mark = cells_->factory_bad(block);
  const CodedPage page = coded_page(c);
  if (c.bad_block_mark || !in_cells(c, page)) return;
  SenseOrder order;
  order.where = {block, page.wordline};
  order.coding = page.coding;
  order.page_type = page.page_type;
  order.retry_step = c.retry_step;
  order.vref_offsets_mv = features_.vref_offsets(blocks_.mode(block));
  order.timing = features_.sense_timing();
  order.bytes = bytes_sensed(c);
  order.first_byte = order.bytes == geometry_.page_bytes ? 0 : c.first_byte;
  order.programmed_wordlines = blocks_.next_page(block) / (blocks_.slc(block) ? 1 : timing_.bits_per_cell());
  if (store_ != nullptr && store_->keeps_spare()) order.data = data;
  order.codeword_errors = c.codeword_errors;
  order.sensing_levels = c.sensing_levels;
  order.earlier_levels = c.earlier_levels;
  order.sensed_ones = c.sensed_ones;
  const SenseResult result = cells_->sense(order, now);
  c.raw_bit_errors = result.raw_bit_errors;
  c.worst_codeword_errors = result.worst_codeword_errors;
  c.misread_probability = result.misread_probability;
}

bool Die::in_cells(const NandCommand& c, const CodedPage& page) const {
  const std::uint32_t block = block_index(c);
  std::uint32_t programmed = blocks_.next_page(block);
  for (const NandCommand* suspended : suspended_.commands) {
    if (programs(suspended->operation) && block_index(*suspended) == block) --programmed;
  }
  const std::uint32_t pages = blocks_.slc(block) ? 1 : timing_.bits_per_cell();
  return programmed >= std::min((page.wordline + 1) * pages, blocks_.pages(blocks_.mode(block)));
}

void Die::finish_program(NandCommand& c, Tick now) {
  ++counters_.page_programs;
  const std::byte* data = c.data;
  std::span<const std::uint64_t> tag = c.tag;
  const bool copyback = c.operation == NandOperation::copyback_program;
  if (copyback) {
    const PageRegister& page = registers_[c.plane];
    data = store_ == nullptr ? nullptr : page.data.data();
    if (tag.empty()) tag = page.tag;
    if (page.torn) blocks_.tear(block_index(c), {c.page, c.page + 1});
  }
  const bool struck = faults_.strikes(NandOperation::program, block_index(c));
  const bool programmed = cells_ == nullptr || program_cells(c, data, now);
  if (struck || !programmed) {
    c.status = NandStatus::fail;
    // The cells hold none of the pages that were to be programmed together.
    if (completes_wordline(c)) tear_wordline(c);
    return;
  }
  if (store_ != nullptr && data != nullptr) store_->write(row(c), data);
  if (tags_ != nullptr && !tag.empty()) tags_->write(block_index(c), c.page, tag);
}

bool Die::completes_wordline(const NandCommand& c) const {
  return c.page + 1 == blocks_.wordline_of(block_index(c), c.page).end;
}

void Die::tear_wordline(const NandCommand& c) {
  const std::uint32_t block = block_index(c);
  blocks_.tear(block, blocks_.wordline_of(block, c.page));
}

bool Die::program_cells(const NandCommand& c, const std::byte* data, Tick now) {
  const std::uint32_t block = block_index(c);
  if (cells_->factory_bad(block)) return false;
  const CodedPage page = coded_page(c);
  ProgramOrder order;
  order.where = {block, page.wordline};
  order.coding = page.coding;
  order.page_type = page.page_type;
  order.step_mv = c.program_step_mv;
  order.data = data;
  if (data != nullptr) order.data_bytes = store_->page_bytes();
  if (c.operation == NandOperation::copyback_program) order.inherited_bit_errors = registers_[c.plane].bit_errors;
  return cells_->program(order, now);
}

void Die::finish_erase(NandCommand& c, Tick now) {
  ++counters_.block_erases;
  const std::uint32_t block = block_index(c);
  const bool struck = faults_.strikes(NandOperation::erase, block);
  const bool erased = cells_ == nullptr || (!cells_->factory_bad(block) && cells_->erase(block, now));
  lose_block(block);
  if (erased && !struck) {
    blocks_.erase(block);
  } else {
    c.status = NandStatus::fail;
  }
}

// An erase that does not end well leaves neither the old data nor an erased block.
void Die::lose_block(std::uint32_t block) {
  blocks_.spoil(block);
  if (store_ != nullptr) store_->erase(std::uint64_t{block} * geometry_.pages_per_block, geometry_.pages_per_block);
  if (tags_ != nullptr) tags_->erase(block);
}

void Die::finish_adjustment(NandCommand& c, Tick now) {
  const std::uint32_t block = block_index(c);
  if (faults_.strikes(NandOperation::adjust_voltage, block)) c.status = NandStatus::fail;
  if (cells_ != nullptr) {
    // The pages to keep are still coded, in the coding that the adjustment starts from.
    const std::optional<std::uint8_t> before = blocks_.adjusted(block, wordline(c));
    const Coding& from = before ? timing_.codings.merging(*before).coding : timing_.codings.native();
    std::uint32_t kept = 0;
    for (std::uint32_t page = 0; page < timing_.bits_per_cell(); ++page) {
      if ((c.valid_pages >> page & 1) == 0) continue;
      kept |= 1u << (before ? *timing_.codings.merging(*before).new_page[page] : page);
    }
    if (!cells_->adjust({block, wordline(c)}, from, merge(from, kept), now)) c.status = NandStatus::fail;
  }
  blocks_.adjust(block, wordline(c), c.valid_pages);
}

void Die::fill_register(NandCommand& c, Tick now) {
  PageRegister& page = registers_[c.plane];
  if (store_ == nullptr) {
    finish_read(c, nullptr, now);
  } else {
    page.data.resize(store_->page_bytes());
    finish_read(c, page.data.data(), now);
    if (c.data != nullptr) std::memcpy(c.data, page.data.data(), page.data.size());
  }
  // With the spare bytes, the errors are in the data.
  page.bit_errors = store_ != nullptr && store_->keeps_spare() ? 0 : c.raw_bit_errors;
  page.torn = torn(c);
  page.tag.clear();
  if (tags_ != nullptr) {
    page.tag.resize(page.torn ? 0 : tags_->words(block_index(c), c.page));
    read_tag(c, page.tag);
  }
  copyback_ready_ |= 1u << c.plane;
}

void Die::modify_register(const NandCommand& c) {
  if (c.bytes == 0) return;
  PageRegister& page = registers_[c.plane];
  // The bytes that come in are free of errors; the others have their share.
  const std::uint64_t kept = geometry_.page_bytes - c.bytes;
  page.bit_errors = static_cast<std::uint32_t>(page.bit_errors * kept / geometry_.page_bytes);
  if (store_ != nullptr && c.data != nullptr) {
    store_->copy_part(c.data, c.first_byte, c.bytes, page.data.data());
  }
}

void Die::read_parameter_page(NandCommand& c) const {
  if (c.data == nullptr) return;
  std::array<ParameterPage, parameter_page_copies> copies;
  copies.fill(make_parameter_page(geometry_, timing_));
  std::memcpy(c.data + c.first_byte, reinterpret_cast<const std::byte*>(copies.data()) + c.first_byte, c.bytes);
}

}  // namespace nandscape
