// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/stripe_writer.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "controller/mapping/page_tag.h"
#include "controller/parity/page_xor.h"

namespace nandscape::controller {

StripeWriter::StripeWriter(FlashIo& io, PagePool& pages, BlockTable& blocks, Calendar& calendar, std::uint32_t streams)
    : io_(io),
      pages_(pages),
      blocks_(blocks),
      calendar_(calendar),
      width_(io.layout().members()),
      sets_(io.layout().mapping().planes()),
      rows_per_block_(io.layout().flash().pages_per_block),
      stripes_(std::size_t{streams} * sets_),
      members_(stripes_.size() * width_) {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    Member& m = members_[k];
    m.position = static_cast<std::uint32_t>(k % width_);
    m.assigned = data_row(0, m.position);
  }
}

StripeWriter::Member& StripeWriter::member(std::uint8_t stream, FlashPlane flash_plane) {
  const FlashLayout& layout = io_.layout();
  return members_of(stream, layout.mapping_plane(flash_plane))[layout.member_of(flash_plane)];
}

const StripeWriter::Member& StripeWriter::member(std::uint8_t stream, FlashPlane flash_plane) const {
  const FlashLayout& layout = io_.layout();
  return members_of(stream, layout.mapping_plane(flash_plane))[layout.member_of(flash_plane)];
}

bool StripeWriter::is_parity(std::uint64_t row, std::uint32_t position) const {
  return io_.layout().is_parity(rows_per_block_.remainder(row), position);
}

// The first row from `row` on that holds data on that member.
std::uint64_t StripeWriter::data_row(std::uint64_t row, std::uint32_t position) const {
  while (is_parity(row, position)) ++row;
  return row;
}

// --- members

FlashPlane StripeWriter::assign(std::uint8_t stream, FtlPlane set) {
  const Member* const members = members_of(stream, set);
  const Member& m = *std::min_element(members, members + width_,
                                      [](const Member& a, const Member& b) { return a.assigned < b.assigned; });
  const FlashPlane flash_plane = io_.layout().flash_plane(set, m.position);
  assign_to(stream, flash_plane);
  return flash_plane;
}

void StripeWriter::assign_to(std::uint8_t stream, FlashPlane flash_plane) {
  Member& m = member(stream, flash_plane);
  m.assigned = data_row(m.assigned + 1, m.position);
}

void StripeWriter::assigned_again(std::uint8_t stream, FlashPlane flash_plane, std::uint32_t pages) {
  Member& m = member(stream, flash_plane);
  m.assigned = data_row(m.next, m.position);
  while (pages-- > 0) m.assigned = data_row(m.assigned + 1, m.position);
}

std::uint64_t StripeWriter::data_rows(std::uint8_t stream, FlashPlane flash_plane, std::uint64_t end) const {
  const Member& m = member(stream, flash_plane);
  std::uint64_t rows = 0;
  for (std::uint64_t row = m.next; row < end; ++row) rows += !is_parity(row, m.position);
  return rows;
}

std::uint64_t StripeWriter::first_unassigned(std::uint8_t stream, FtlPlane set) const {
  const Member* const members = members_of(stream, set);
  std::uint64_t first = members[0].assigned;
  for (std::uint32_t k = 1; k < width_; ++k) first = std::min(first, members[k].assigned);
  return first;
}

// --- superblocks
// -------------------------------------------------------------------------------------------------------

Superblock StripeWriter::block(std::uint8_t stream, FlashPlane flash_plane) const {
  const Stripe& of = stripe(stream, io_.layout().mapping_plane(flash_plane));
  const std::uint64_t number = rows_per_block_.quotient(member(stream, flash_plane).next) - of.first;
  return number < of.blocks.size() ? of.blocks[number] : Superblock();
}

void StripeWriter::taken(std::uint8_t stream, FtlPlane set, Superblock block) {
  stripe(stream, set).blocks.push_back(block);
}

bool StripeWriter::has_room(std::uint8_t stream, FtlPlane set) const {
  const Stripe& of = stripe(stream, set);
  return rows_per_block_.quotient(first_unassigned(stream, set)) - of.first < of.blocks.size();
}

void StripeWriter::resume(std::uint8_t stream, FtlPlane set, Superblock block, std::uint32_t rows) {
  stand_at(stripe(stream, set), members_of(stream, set), rows, block);
}

// Requires that no row is open.
void StripeWriter::stand_at(Stripe& of, Member* members, std::uint64_t next, Superblock block) {
  of.first = rows_per_block_.quotient(next);
  of.blocks.clear();
  if (block.valid()) of.blocks.push_back(block);
  for (std::uint32_t position = 0; position < width_; ++position) {
    members[position].next = next;
    members[position].assigned = data_row(next, position);
  }
}

std::uint32_t StripeWriter::give_up(std::uint8_t stream, FtlPlane set, Superblock block) {
  Stripe& of = stripe(stream, set);
  const auto found = std::find(of.blocks.begin(), of.blocks.end(), block);
  if (found == of.blocks.end()) return 0;
  // The superblocks behind it move up, and so do all row numbers.
  const std::uint64_t rows = rows_per_block_.value();
  const std::uint64_t first_row = (of.first + static_cast<std::uint64_t>(found - of.blocks.begin())) * rows;
  of.blocks.erase(found);
  std::uint32_t pins = 0;
  for (Row& row : of.rows) {
    if (row.number >= first_row + rows) {
      row.number -= rows;
    } else if (row.number >= first_row) {
      pages_.release(*std::exchange(row.parity, nullptr));
      ++pins;
    }
  }
  std::erase_if(of.rows, [](const Row& row) { return row.parity == nullptr; });
  open_rows_ -= pins;
  Member* const members = members_of(stream, set);
  for (std::uint32_t k = 0; k < width_; ++k) {
    Member& m = members[k];
    if (m.next < first_row) continue;
    m.next = m.next < first_row + rows ? first_row : m.next - rows;
    send_held(m);
  }
  for (std::uint32_t k = 0; k < width_; ++k) {
    if (!at_parity(members[k])) continue;
    const auto complete = [&](const Row& row) { return row.number == members[k].next && row.missing == 0; };
    if (std::any_of(of.rows.begin(), of.rows.end(), complete)) send_parity(of, members[k].next);
  }
  return pins;
}

// --- places
// ------------------------------------------------------------------------------------------------------------

void StripeWriter::place(PageProgram& page, Tick now) {
  const FlashLayout& layout = io_.layout();
  const FtlPlane set = layout.mapping_plane(page.plane);
  Stripe& of = stripe(page.write_stream, set);
  Member* const members = members_of(page.write_stream, set);
  Member& m = members[layout.member_of(page.plane)];
  const std::uint64_t number = m.next;
  page.block = block(page.write_stream, page.plane);
  page.ppa = layout.first_unit(page.block, rows_per_block_.remainder(number), m.position);
  FlashIo::set_address(page, layout.find(page.ppa));
  set_stamp(page.command.tag, stamp_of(blocks_.erase_count(page.block)));
  set_write_mode(page.command.tag, blocks_.write_mode(page.block));
  blocks_.append(page.block, now, layout.units_per_page());

  Row& row = open_row(page, of, number);
  if (io_.path().keeps_data()) add_bytes(row.parity->command.data, page.command.data, io_.path().buffer_bytes());
  add_tag(row.parity->tag, page.command.tag);
  const bool complete = --row.missing == 0;
  if (complete && members[layout.member_of(row.parity->plane)].next == number) send_parity(of, number);
  advance(of, members, m);
}

StripeWriter::Row& StripeWriter::open_row(const PageProgram& page, Stripe& of, std::uint64_t number) {
  for (Row& row : of.rows) {
    if (row.number == number) return row;
  }
  const FlashLayout& layout = io_.layout();
  PageProgram& parity = pages_.acquire();
  parity.set_origin(PageOrigin::migration);
  parity.added_by_frontier = true;
  parity.write_stream = page.write_stream;
  parity.block = page.block;
  parity.command.operation = NandOperation::program;
  parity.command.bytes = layout.flash().page_bytes;
  parity.tag.front() = parity_mark;
  parity.command.tag = std::span(parity.tag).first(2 * layout.units_per_page());
  const std::uint32_t row_of_block = rows_per_block_.remainder(number);
  FlashIo::set_address(parity, layout.find(page.block, row_of_block, row_of_block % width_));
  if (io_.path().keeps_data()) std::fill_n(parity.command.data, io_.path().buffer_bytes(), std::byte{0});
  blocks_.pin(page.block);
  ++open_rows_;
  return of.rows.emplace_back(Row{number, width_ - 1, &parity});
}

bool StripeWriter::place_parity(PageProgram& parity) {
  if (blocks_.failing(parity.block)) return false;
  const FlashLayout& layout = io_.layout();
  const FtlPlane set = layout.mapping_plane(parity.plane);
  Member* const members = members_of(parity.write_stream, set);
  Member& m = members[layout.member_of(parity.plane)];
  ++parity_pages_;
  send_held(m);
  advance(stripe(parity.write_stream, set), members, m);
  return true;
}

void StripeWriter::advance(Stripe& of, Member* members, Member& m) {
  ++m.next;
  if (rows_per_block_.remainder(m.next) == 0) {
    std::uint64_t first = m.next;
    for (std::uint32_t k = 0; k < width_; ++k) first = std::min(first, members[k].next);
    for (; of.first < rows_per_block_.quotient(first); ++of.first) of.blocks.pop_front();
  }
  if (!at_parity(m)) return;
  const auto complete = [&m](const Row& row) { return row.number == m.next && row.missing == 0; };
  if (std::any_of(of.rows.begin(), of.rows.end(), complete)) send_parity(of, m.next);
}

void StripeWriter::persist(Archive& archive) {
  archive.section("stripes");
  for (std::size_t k = 0; k < stripes_.size(); ++k) {
    Stripe& of = stripes_[k];
    // No row is open, so all members are at the same row.
    std::uint64_t next = members_[k * width_].next;
    Superblock block = of.blocks.empty() ? Superblock() : of.blocks.front();
    archive.counter(next, "the next row of a stripe");
    archive.index_or_none(block, blocks_.geometry().blocks(), "the superblock of a stripe");
    if (!archive.loading()) continue;
    stand_at(of, &members_[k * width_], next, block);
    const std::uint32_t row = rows_per_block_.remainder(next);
    archive.require(block.valid() == (row != 0), "the next row of a stripe does not agree with its superblock");
    if (!block.valid()) continue;
    const auto plane = static_cast<std::uint32_t>(k % sets_);
    const std::uint32_t written = row * (width_ - 1) * io_.layout().units_per_page();
    const bool fits = blocks_.geometry().plane_of(block) == FtlPlane(plane) && blocks_.stream(block) == k / sets_ &&
                      blocks_.next_page(block) == written && blocks_.state(block) == BlockTable::State::open;
    archive.require(fits, "the superblock of a stripe does not agree with the block table");
  }
}

void StripeWriter::list_waiting(std::ostream& out) const {
  for (std::size_t k = 0; k < stripes_.size(); ++k) {
    const Stripe& of = stripes_[k];
    for (const Row& row : of.rows) {
      out << "stripe set " << k % sets_ << " stream " << k / sets_ << ": row " << row.number << " lacks " << row.missing
          << " pages before its parity\n";
    }
    for (std::uint32_t position = 0; position < width_; ++position) {
      const Member& m = members_[k * width_ + position];
      if (m.held.empty()) continue;
      out << "stripe set " << k % sets_ << " stream " << k / sets_ << ": " << m.held.size()
          << " pages wait for the parity of row " << m.next << "\n";
    }
  }
}

// --- to the scheduler
// --------------------------------------------------------------------------------------------------

void StripeWriter::send_parity(Stripe& of, std::uint64_t number) {
  const auto row = std::find_if(of.rows.begin(), of.rows.end(), [&](const Row& r) { return r.number == number; });
  send_later(parity_to_send_, *row->parity);
  of.rows.erase(row);
  --open_rows_;
}

void StripeWriter::send_held(std::uint8_t stream, FtlPlane set) {
  Member* const members = members_of(stream, set);
  for (std::uint32_t k = 0; k < width_; ++k) send_held(members[k]);
}

void StripeWriter::send_held(Member& m) {
  while (!m.held.empty()) send_later(data_to_send_, m.held.pop());
}

void StripeWriter::send_later(PageQueue& queue, PageProgram& page) {
  queue.push(page);
  if (!std::exchange(sending_, true)) calendar_.schedule<&StripeWriter::send>(calendar_.now(), *this, 0);
}

void StripeWriter::send(std::uint64_t) {
  sending_ = false;
  const Tick now = calendar_.now();
  // Pages that are added meanwhile get an event of their own.
  PageQueue parity = std::exchange(parity_to_send_, {});
  PageQueue data = std::exchange(data_to_send_, {});
  while (!parity.empty()) io_.enqueue_first(parity.pop(), now);
  while (!data.empty()) enqueue_page(io_, data.pop(), now);
}

}  // namespace nandscape::controller
