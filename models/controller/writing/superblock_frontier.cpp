// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/superblock_frontier.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "controller/writing/page_placement.h"
#include "controller/writing/wordline_ledger.h"

namespace nandscape::controller {

SuperblockFrontier::SuperblockFrontier(WritingState& writing, Tick gathering_time)
    : WriteFrontier({.keeps_pages_together = true}),
      writing_(writing),
      width_(writing.layout().members()),
      sets_(writing.layout().mapping().planes()),
      rows_per_block_(writing.blocks.shapes().ordinary().rows),
      runs_(std::size_t{writing.points.streams()} * sets_),
      members_(runs_.size() * width_),
      gathering_(writing, *this, gathering_time) {
  place_members();
}

void SuperblockFrontier::place_members() {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const auto position = static_cast<std::uint32_t>(k % width_);
    members_[k] = {.position = position, .assigned = data_row({}, 0, position)};
  }
}

const BlockShape& SuperblockFrontier::shape_at(const Run& of, std::uint64_t row) const {
  const std::uint64_t number = rows_per_block_.quotient(row) - of.first;
  return number < of.blocks.size() ? writing_.blocks.shape(of.blocks[number]) : writing_.blocks.shapes().ordinary();
}

std::uint64_t SuperblockFrontier::row_after(const Run& of, std::uint64_t row) const {
  const std::uint32_t after = row_of_block(row) + 1;
  return after < shape_at(of, row).rows ? row + 1 : row + 1 + (rows_per_block_.value() - after);
}

// Returns the first row, beginning with `row`, in which the member stores data and not parity.
std::uint64_t SuperblockFrontier::data_row(const Run& of, std::uint64_t row, std::uint32_t position) const {
  while (!has_data(row, position)) row = row_after(of, row);
  return row;
}

std::uint64_t SuperblockFrontier::durable_end(std::uint8_t stream, FlashPlane plane) const {
  const std::uint64_t next = member(stream, plane).next;
  const std::uint32_t in_block = row_of_block(next);
  const Superblock block = open_block(stream, plane);
  if (!block.valid()) return next;
  const std::uint32_t rows = writing_.blocks.shape(block).rows;
  return next - in_block + std::min(writing_.durable_from(stream, plane, block, in_block), rows);
}

std::uint64_t SuperblockFrontier::wordline_end(const Run& of, std::uint64_t row) const {
  const BlockShape& shape = shape_at(of, row);
  const std::uint32_t in_block = row_of_block(row);
  return row - in_block + std::min(shape.up_to_wordline(in_block), shape.rows);
}

// --- members

void SuperblockFrontier::assign(PageProgram& page, bool keeps_plane) {
  const FtlPlane set = set_of(page);
  Member* to = &member(page.write_stream, page.plane);
  if (!keeps_plane) {
    to = &*std::ranges::min_element(members(page.write_stream, set), {}, &Member::assigned);
    writing_.io.set_plane(page, writing_.layout().flash_plane(set, to->position));
  }
  page.planned_row = assign_to(run(page.write_stream, set), *to);
}

std::uint64_t SuperblockFrontier::assign_to(const Run& of, Member& m) {
  return std::exchange(m.assigned, data_row(of, row_after(of, m.assigned), m.position));
}

// Assigns the pages of the plane that have not been given a location yet to the next rows of the member again.
void SuperblockFrontier::assign_again(std::uint8_t stream, FlashPlane plane) {
  Member& m = member(stream, plane);
  const Run& of = run(stream, writing_.layout().mapping_plane(plane));
  m.assigned = data_row(of, m.next, m.position);
  gathering_.restart(stream, plane, m.next);
  for (std::uint32_t k = writing_.points.at(stream, plane).all_on_their_way(); k > 0; --k) assign_to(of, m);
}

void SuperblockFrontier::send(PageProgram& page, Tick now) { gathering_.take(page, now); }

// Other pages of the row may have left with the page, so the pages that wait for them are sent.
void SuperblockFrontier::left(std::uint8_t stream, FlashPlane plane) {
  assign_again(stream, plane);
  gathering_.send_all(stream, writing_.layout().mapping_plane(plane));
}

std::uint64_t SuperblockFrontier::first_unassigned(std::uint8_t stream, FtlPlane set) const {
  return std::ranges::min(members(stream, set), {}, &Member::assigned).assigned;
}

std::uint64_t SuperblockFrontier::missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const {
  const Member& m = member(stream, plane);
  const Run& of = run(stream, writing_.layout().mapping_plane(plane));
  std::uint64_t rows = 0;
  for (std::uint64_t row = m.next; row < end; row = row_after(of, row)) rows += has_data(row, m.position);
  return rows;
}

// --- superblocks

Superblock SuperblockFrontier::open_block(std::uint8_t stream, FlashPlane plane) const {
  const Run& of = run(stream, writing_.layout().mapping_plane(plane));
  const std::uint64_t number = rows_per_block_.quotient(member(stream, plane).next) - of.first;
  return number < of.blocks.size() ? of.blocks[number] : Superblock();
}

bool SuperblockFrontier::writes_to(Superblock block) const {
  const Run& of = run(writing_.blocks.stream(block), writing_.blocks.geometry().plane_of(block));
  return std::ranges::find(of.blocks, block) != of.blocks.end();
}

std::size_t SuperblockFrontier::open_blocks() const {
  std::size_t count = 0;
  for (const Run& of : runs_) count += of.blocks.size();
  return count;
}

bool SuperblockFrontier::has_room(std::uint8_t stream, FtlPlane set) const {
  const Run& of = run(stream, set);
  return rows_per_block_.quotient(first_unassigned(stream, set)) - of.first < of.blocks.size();
}

void SuperblockFrontier::open(std::uint8_t stream, FtlPlane set, Superblock block, std::uint32_t rows) {
  if (rows != 0) {
    begin_run(stream, set, block);
    for (Member& m : members(stream, set)) stand_at(stream, set, m, rows);
    count_pages_left(stream, set);
    return;
  }
  Run& of = run(stream, set);
  of.blocks.push_back(block);
  of.pages_left += writing_.blocks.shape(block).data_pages();
  count_open();
  if (writing_.blocks.shape(block).rows == rows_per_block_.value()) return;
  // If the superblock has fewer rows than an ordinary superblock, pages may have been assigned to rows that it does not
  // have. They are assigned again.
  for (std::uint32_t k = 0; k < width_; ++k) assign_again(stream, writing_.layout().flash_plane(set, k));
}

void SuperblockFrontier::begin_run(std::uint8_t stream, FtlPlane set, Superblock block) {
  Run& of = run(stream, set);
  of.first = 0;
  of.blocks.clear();
  if (block.valid()) of.blocks.push_back(block);
}

void SuperblockFrontier::stand_at(std::uint8_t stream, FtlPlane set, Member& m, std::uint64_t row) {
  m.next = row;
  m.assigned = data_row(run(stream, set), row, m.position);
  gathering_.restart(stream, writing_.layout().flash_plane(set, m.position), row);
}

// Row numbers continue from one superblock to the next, so a superblock is closed by padding it to its end. If some
// members have already reached the next superblock, the earlier superblock is closed.
void SuperblockFrontier::close(std::uint8_t stream, FtlPlane set) {
  const std::uint64_t first = std::ranges::min(members(stream, set), {}, &Member::next).next;
  complete_all_to(stream, set, (rows_per_block_.quotient(first) + 1) * rows_per_block_.value());
}

std::uint32_t SuperblockFrontier::programmed_rows(Superblock block, std::uint32_t position) const {
  const std::uint8_t stream = writing_.blocks.stream(block);
  const FtlPlane set = writing_.blocks.geometry().plane_of(block);
  const Run& of = run(stream, set);
  const auto found = std::ranges::find(of.blocks, block);
  if (found == of.blocks.end()) return 0;
  const std::uint64_t number = of.first + static_cast<std::uint64_t>(found - of.blocks.begin());
  const std::uint64_t row = members(stream, set)[position].next;
  if (rows_per_block_.quotient(row) > number) return writing_.blocks.shape(block).rows;
  return rows_per_block_.quotient(row) < number ? 0 : row_of_block(row);
}

// --- places

std::optional<std::uint32_t> SuperblockFrontier::next_page(const PageProgram& page, bool may_open) const {
  if (!has_block(page.write_stream, page.plane)) return may_open ? std::optional<std::uint32_t>(0) : std::nullopt;
  return row_of_block(member(page.write_stream, page.plane).next);
}

void SuperblockFrontier::append(PageProgram& page, Tick now) {
  Member& m = member(page.write_stream, page.plane);
  const Superblock block = open_block(page.write_stream, page.plane);
  writing_.take_place(page, block, row_of_block(m.next), m.position, now);
  --run(page.write_stream, set_of(page)).pages_left;
  count_open();
  row_taken(page, m.next);
  advance(page.write_stream, set_of(page), m);
}

void SuperblockFrontier::advance(std::uint8_t stream, FtlPlane set, Member& m) {
  Run& of = run(stream, set);
  m.next = row_after(of, m.next);
  if (row_of_block(m.next) == 0) {
    const std::uint64_t first = std::ranges::min(members(stream, set), {}, &Member::next).next;
    for (; of.first < rows_per_block_.quotient(first); ++of.first) of.blocks.pop_front();
  }
  advanced(stream, set, m);
}

// Moved data must be written somewhere so that their old block can be erased. Therefore they may use the reserved
// blocks.
bool SuperblockFrontier::takes_withdrawn(PageProgram& page, Tick now) {
  const std::uint8_t reserve = writing_.settings.streams.reserve;
  if (!page.moves_data() || page.write_stream == reserve) return false;
  placement().unassign(page);
  page.write_stream = reserve;
  placement().place_again(page, now);
  return true;
}

// --- durability

// Pads the wordline of the member, if it is incomplete.
void SuperblockFrontier::complete(std::uint8_t stream, FlashPlane plane) {
  const FtlPlane set = writing_.layout().mapping_plane(plane);
  gathering_.send_all(stream, set);
  if (writing_.points.at(stream, plane).incomplete()) complete_to(stream, plane, durable_end(stream, plane));
}

void SuperblockFrontier::complete_page(const PageProgram& page) {
  gathering_.send_all(page.write_stream, set_of(page));
  complete_to(page.write_stream, page.plane, durable_end(page));
}

std::uint64_t SuperblockFrontier::durable_end(const PageProgram& page) const {
  const Run& of = run(page.write_stream, set_of(page));
  const auto found = std::ranges::find(of.blocks, page.block);
  if (found == of.blocks.end()) return 0;
  const std::uint64_t number = of.first + static_cast<std::uint64_t>(found - of.blocks.begin());
  const BlockShape& shape = writing_.blocks.shape(page.block);
  return number * rows_per_block_.value() + std::min(shape.up_to_durable(page.command.page + 1), shape.rows);
}

void SuperblockFrontier::complete_to(std::uint8_t stream, FlashPlane plane, std::uint64_t end) {
  WritePoint& point = writing_.points.at(stream, plane);
  point.complete_to = std::max(point.complete_to, end);
  ledger().fill_up(stream, plane);
}

void SuperblockFrontier::complete_all_to(std::uint8_t stream, FtlPlane set, std::uint64_t end) {
  gathering_.send_all(stream, set);
  for (std::uint32_t k = 0; k < width_; ++k) complete_to(stream, writing_.layout().flash_plane(set, k), end);
}

void SuperblockFrontier::failed(PageProgram& page, Tick now) {
  give_up_superblock(
      page, [&] { ledger().write_elsewhere(page, now); }, now);
}

void SuperblockFrontier::give_up_superblock(const PageProgram& page, const std::function<void()>& end_page, Tick now) {
  const Superblock block = page.block;
  const std::uint8_t stream = page.write_stream;
  const FtlPlane set = set_of(page);
  const std::uint32_t pins = drop(stream, set, block) + 1;
  bool completing = false;
  for (std::uint32_t k = 0; k < width_; ++k) {
    const FlashPlane plane = writing_.layout().flash_plane(set, k);
    assign_again(stream, plane);
    completing |= std::exchange(writing_.points.at(stream, plane).complete_to, 0) != 0;
  }
  end_page();
  for (std::uint32_t k = 0; k < width_; ++k) {
    ledger().rewrite_wordline(stream, writing_.layout().flash_plane(set, k), block, now);
  }
  if (completing) {
    for (std::uint32_t k = 0; k < width_; ++k) complete(stream, writing_.layout().flash_plane(set, k));
  }
  ledger().give_up_block(block, pins, now);
}

// Removes the superblock from the stream. The row numbers of the later superblocks are reduced accordingly. Returns the
// number of pins that the caller must remove from the superblock.
std::uint32_t SuperblockFrontier::drop(std::uint8_t stream, FtlPlane set, Superblock block) {
  Run& of = run(stream, set);
  const auto found = std::ranges::find(of.blocks, block);
  if (found == of.blocks.end()) return 0;
  const std::uint64_t rows = rows_per_block_.value();
  const std::uint64_t first = (of.first + static_cast<std::uint64_t>(found - of.blocks.begin())) * rows;
  of.blocks.erase(found);
  for (Member& m : members(stream, set)) {
    if (m.next >= first) m.next = m.next < first + rows ? first : m.next - rows;
  }
  count_pages_left(stream, set);
  return rows_dropped(stream, set, first);
}

void SuperblockFrontier::count_pages_left(std::uint8_t stream, FtlPlane set) {
  Run& of = run(stream, set);
  const std::uint64_t end = (of.first + of.blocks.size()) * rows_per_block_.value();
  of.pages_left = 0;
  for (std::uint32_t k = 0; k < width_; ++k) {
    of.pages_left += missing(stream, writing_.layout().flash_plane(set, k), end);
  }
  count_open();
}

// With a single set, every page of the host can be written to the open superblock of its stream. Padding may first take
// a wordline of each member, or two with two passes. With several sets, pages may have been assigned to a set whose
// superblock is full.
void SuperblockFrontier::count_open() {
  if (sets_ != 1) return;
  const BlockShape& shape = writing_.blocks.shapes().ordinary();
  const std::uint64_t padding = std::uint64_t{width_} * shape.passes * shape.pages_per_wordline;
  std::uint64_t least = run(0, FtlPlane(0)).pages_left;
  for (std::uint8_t stream = 1; stream < writing_.settings.streams.host; ++stream) {
    least = std::min(least, run(stream, FtlPlane(0)).pages_left);
  }
  open_to_all_ = least - std::min(least, padding);
}

// --- checkpoints and reports

void SuperblockFrontier::persist(Archive& archive) {
  archive.section("superblocks that are being written");
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const auto stream = static_cast<std::uint8_t>(k / sets_);
    const FtlPlane set(static_cast<std::uint32_t>(k % sets_));
    std::vector<Superblock> blocks(runs_[k].blocks.begin(), runs_[k].blocks.end());
    archive.list(blocks, writing_.blocks.geometry().blocks_per_plane(), "superblocks of a stream",
                 [&](Superblock& block) { persist_open(archive, stream, set, block); });
    const std::uint64_t first = runs_[k].first * rows_per_block_.value();
    if (archive.loading()) {
      begin_run(stream, set, Superblock());
      runs_[k].blocks.assign(blocks.begin(), blocks.end());
    }
    for (Member& m : members(stream, set)) {
      std::uint64_t row = m.next - first;
      archive.counter(row, "the next row of a superblock");
      archive.require(row <= blocks.size() * rows_per_block_.value(), "a stream writes behind its last superblock");
      if (archive.loading()) stand_at(stream, set, m, row);
    }
    if (!archive.loading()) continue;
    check_runs(archive, stream, set);
    count_pages_left(stream, set);
  }
}

void SuperblockFrontier::persist_open(Archive& archive, std::uint8_t stream, FtlPlane set, Superblock& block) {
  const BlockTable& blocks = writing_.blocks;
  archive.index(block, blocks.geometry().blocks(), "the superblock of a stream");
  archive.require(blocks.geometry().plane_of(block) == set && blocks.stream(block) == stream,
                  "the superblock of a stream does not agree with the block table");
}

// Checks that as many pages of each superblock are taken as its members have written.
void SuperblockFrontier::check_runs(Archive& archive, std::uint8_t stream, FtlPlane set) {
  const FlashLayout& layout = writing_.layout();
  for (const Superblock block : run(stream, set).blocks) {
    std::uint64_t pages = 0;
    for (std::uint32_t position = 0; position < width_; ++position) {
      const std::uint32_t rows = programmed_rows(block, position);
      for (std::uint32_t row = 0; row < rows; ++row) pages += has_data(row, position);
    }
    archive.require(pages * layout.units_per_page() == writing_.blocks.next_page(block),
                    "the next row of a superblock does not agree with the block table");
  }
}

void SuperblockFrontier::list_waiting(std::ostream& out) const { gathering_.list_waiting(out); }

}  // namespace nandscape::controller
