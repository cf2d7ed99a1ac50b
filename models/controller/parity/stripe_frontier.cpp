// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/stripe_frontier.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include "controller/mapping/page_tag.h"
#include "controller/parity/parity.h"
#include "controller/writing/page_placement.h"
#include "controller/writing/wordline_ledger.h"

namespace nandscape::controller {

StripeFrontier::StripeFrontier(WritingState& writing)
    : WriteFrontier({.keeps_pages_together = true}),
      writing_(writing),
      parity_stages_{.placing = *this, .programming = *this},
      parity_pages_(writing.io, parity_stages_),
      width_(writing.layout().members()),
      sets_(writing.layout().mapping().planes()),
      rows_per_block_(writing.blocks.shapes().ordinary().rows),
      stripes_(std::size_t{writing.points.streams()} * sets_),
      members_(stripes_.size() * width_) {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    Member& m = members_[k];
    m.position = static_cast<std::uint32_t>(k % width_);
    m.assigned = data_row({}, 0, m.position);
  }
}

bool StripeFrontier::is_parity(std::uint64_t row, std::uint32_t position) const {
  return writing_.layout().is_parity(rows_per_block_.remainder(row), position);
}

const BlockShape& StripeFrontier::shape_at(const Stripe& of, std::uint64_t row) const {
  const std::uint64_t number = rows_per_block_.quotient(row) - of.first;
  return number < of.blocks.size() ? writing_.blocks.shape(of.blocks[number]) : writing_.blocks.shapes().ordinary();
}

std::uint64_t StripeFrontier::row_after(const Stripe& of, std::uint64_t row) const {
  const std::uint32_t of_block = rows_per_block_.remainder(row) + 1;
  return of_block < shape_at(of, row).rows ? row + 1 : row + 1 + (rows_per_block_.value() - of_block);
}

// Returns the first row, beginning with `row`, in which the member stores data and not parity.
std::uint64_t StripeFrontier::data_row(const Stripe& of, std::uint64_t row, std::uint32_t position) const {
  while (is_parity(row, position)) row = row_after(of, row);
  return row;
}

// --- members

void StripeFrontier::assign(PageProgram& page, bool keeps_plane) {
  const FtlPlane set = set_of(page);
  const Stripe& of = stripe(page.write_stream, set);
  if (keeps_plane) return assign_to(of, member(page.write_stream, page.plane));
  Member& m = *std::ranges::min_element(members(page.write_stream, set), {}, &Member::assigned);
  assign_to(of, m);
  writing_.io.set_plane(page, writing_.layout().flash_plane(set, m.position));
}

// Assigns the pages of the plane that have not been given a location yet to the next rows of the member again.
void StripeFrontier::assign_again(std::uint8_t stream, FlashPlane plane) {
  Member& m = member(stream, plane);
  const Stripe& of = stripe(stream, writing_.layout().mapping_plane(plane));
  m.assigned = data_row(of, m.next, m.position);
  for (std::uint32_t k = writing_.points.at(stream, plane).all_on_their_way(); k > 0; --k) assign_to(of, m);
}

// Called when a page has left the write point. Sends the held pages, because they might otherwise wait for ever for a
// row that the page was to complete.
void StripeFrontier::left(std::uint8_t stream, FlashPlane plane) {
  assign_again(stream, plane);
  for (Member& m : members(stream, writing_.layout().mapping_plane(plane))) send_held(m);
}

// Returns the first row that has a page to which no data have been assigned.
std::uint64_t StripeFrontier::first_unassigned(std::uint8_t stream, FtlPlane set) const {
  return std::ranges::min(members(stream, set), {}, &Member::assigned).assigned;
}

std::uint64_t StripeFrontier::missing(std::uint8_t stream, FlashPlane plane, std::uint64_t end) const {
  const Member& m = member(stream, plane);
  const Stripe& of = stripe(stream, writing_.layout().mapping_plane(plane));
  std::uint64_t rows = 0;
  for (std::uint64_t row = m.next; row < end; row = row_after(of, row)) rows += !is_parity(row, m.position);
  return rows;
}

// --- superblocks

Superblock StripeFrontier::open_block(std::uint8_t stream, FlashPlane plane) const {
  const Stripe& of = stripe(stream, writing_.layout().mapping_plane(plane));
  const std::uint64_t number = rows_per_block_.quotient(member(stream, plane).next) - of.first;
  return number < of.blocks.size() ? of.blocks[number] : Superblock();
}

bool StripeFrontier::has_room(std::uint8_t stream, FtlPlane set) const {
  const Stripe& of = stripe(stream, set);
  return rows_per_block_.quotient(first_unassigned(stream, set)) - of.first < of.blocks.size();
}

void StripeFrontier::open(std::uint8_t stream, FtlPlane set, Superblock block, std::uint32_t rows) {
  if (rows != 0) return stand_at(stream, set, rows, block);
  stripe(stream, set).blocks.push_back(block);
  if (writing_.blocks.shape(block).rows == rows_per_block_.value()) return;
  // If the superblock has fewer rows than an ordinary superblock, pages may have been assigned to rows that it does not
  // have. They are assigned again.
  for (std::uint32_t k = 0; k < width_; ++k) assign_again(stream, writing_.layout().flash_plane(set, k));
}

// Continues the stream at row `next`, in `block`. No row may be open.
void StripeFrontier::stand_at(std::uint8_t stream, FtlPlane set, std::uint64_t next, Superblock block) {
  Stripe& of = stripe(stream, set);
  of.first = rows_per_block_.quotient(next);
  of.blocks.clear();
  if (block.valid()) of.blocks.push_back(block);
  for (Member& m : members(stream, set)) {
    m.next = next;
    m.assigned = data_row(of, next, m.position);
  }
}

// Row numbers continue from one superblock to the next, so a superblock is closed by padding it to its end. If some
// members have already reached the next superblock, the earlier superblock is closed.
void StripeFrontier::close(std::uint8_t stream, FtlPlane set) {
  const std::uint64_t first = std::ranges::min(members(stream, set), {}, &Member::next).next;
  complete_to(stream, set, (rows_per_block_.quotient(first) + 1) * rows_per_block_.value());
}

std::uint32_t StripeFrontier::programmed_rows(Superblock block, std::uint32_t) const {
  const FlashLayout& layout = writing_.layout();
  return writing_.blocks.next_page(block) / layout.units_per_page() / layout.data_pages_per_row();
}

// --- places

Turn StripeFrontier::turn(const PageProgram& page) const {
  return at_parity(member(page.write_stream, page.plane)) ? Turn::later : Turn::now;
}

std::optional<std::uint32_t> StripeFrontier::next_page(const PageProgram& page, bool may_open) const {
  if (!has_block(page.write_stream, page.plane)) return may_open ? std::optional<std::uint32_t>(0) : std::nullopt;
  const Member& m = member(page.write_stream, page.plane);
  return at_parity(m) ? std::nullopt : std::optional(rows_per_block_.remainder(m.next));
}

void StripeFrontier::append(PageProgram& page, Tick now) {
  const FlashLayout& layout = writing_.layout();
  Stripe& of = stripe(page.write_stream, set_of(page));
  const std::span<Member> all = members(page.write_stream, set_of(page));
  Member& m = all[layout.member_of(page.plane)];
  const std::uint64_t number = m.next;
  const Superblock block = open_block(page.write_stream, page.plane);
  writing_.take_place(page, block, rows_per_block_.remainder(number), m.position, now);

  Row& row = open_row(page, of, number);
  const DataPath& path = writing_.io.path();
  if (path.keeps_data()) add_bytes(row.parity->command.data, page.command.data, path.buffer_bytes());
  add_tag(row.parity->tag, page.command.tag);
  --row.missing;
  send_parity_if_due(of, all[layout.member_of(row.parity->plane)]);
  advance(of, all, m);
}

StripeFrontier::Row& StripeFrontier::open_row(const PageProgram& page, Stripe& of, std::uint64_t number) {
  for (Row& row : of.rows) {
    if (row.number == number) return row;
  }
  const FlashLayout& layout = writing_.layout();
  PageProgram& parity = parity_pages_.acquire();
  parity.set_origin(PageOrigin::migration);
  parity.write_stream = page.write_stream;
  parity.block = page.block;
  parity.command.operation = NandOperation::program;
  parity.command.bytes = layout.flash().page_bytes;
  parity.tag = {parity_mark};
  parity.command.tag = std::span(parity.tag).first(2 * layout.units_per_page());
  const std::uint32_t row_of_block = rows_per_block_.remainder(number);
  FlashIo::set_address(parity, layout.find(page.block, row_of_block, row_of_block % width_));
  parity.command.mode = page.command.mode;
  const DataPath& path = writing_.io.path();
  if (path.keeps_data()) std::fill_n(parity.command.data, path.buffer_bytes(), std::byte{0});
  writing_.blocks.pin_program(page.block);
  ++open_groups_;
  return of.rows.emplace_back(Row{number, width_ - 1, &parity});
}

void StripeFrontier::advance(Stripe& of, std::span<Member> all, Member& m) {
  m.next = row_after(of, m.next);
  if (rows_per_block_.remainder(m.next) == 0) {
    const std::uint64_t first = std::ranges::min(all, {}, &Member::next).next;
    for (; of.first < rows_per_block_.quotient(first); ++of.first) of.blocks.pop_front();
  }
  send_parity_if_due(of, m);
}

bool StripeFrontier::takes_withdrawn(PageProgram& page, Tick now) {
  const Member& m = member(page.write_stream, page.plane);
  if (at_parity(m)) {
    if (first_unassigned(page.write_stream, set_of(page)) > m.next) {
      member(page.write_stream, page.plane).held.push(page);
      return true;
    }
    // Pages that went elsewhere have left a gap in the row, which no other page will fill. The page cannot wait for the
    // parity of this row, so it is written elsewhere.
    placement().unassign(page);
    placement().place_again(page, now);
    return true;
  }
  const std::uint8_t reserve = writing_.settings.streams.reserve;
  if (!page.moves_data() || page.write_stream == reserve) return false;
  // Moved data must be written somewhere so that their old block can be erased. Therefore they may use the reserved
  // blocks.
  placement().unassign(page);
  page.write_stream = reserve;
  placement().place_again(page, now);
  return true;
}

// --- parity

Placement StripeFrontier::place(PageProgram& parity, Tick) {
  if (writing_.blocks.failing(parity.block)) return Placement::withdraw;
  Member& m = member(parity.write_stream, parity.plane);
  ++added_pages_;
  send_held(m);
  advance(stripe(parity.write_stream, set_of(parity)), members(parity.write_stream, set_of(parity)), m);
  placement().placed(parity);
  return Placement::placed;
}

void StripeFrontier::withdrawn(PageProgram& parity, Tick now) {
  const Superblock block = parity.block;
  parity_pages_.release(parity);
  writing_.pins.unpin_program(block, now);
}

void StripeFrontier::program_ended(PageProgram& parity, Tick now) {
  if (ledger().passed(parity, now)) {
    WritePoint& point = writing_.points.of(parity);
    const bool complete = writing_.ends_wordline(parity);
    const Superblock block = parity.block;
    parity_pages_.release(parity);
    if (complete) ledger().wordline_durable(point, now);
    writing_.pins.unpin_program(block, now);
  } else {
    give_up_superblock(
        parity, [&] { parity_pages_.release(parity); }, now);
  }
  ledger().complete_awaited_moves();
}

// --- durability

void StripeFrontier::complete(std::uint8_t stream, FlashPlane plane) {
  complete_rows(stream, writing_.layout().mapping_plane(plane));
}

// Pads the superblock until no wordline and no row is incomplete.
void StripeFrontier::complete_rows(std::uint8_t stream, FtlPlane set) {
  const Stripe& of = stripe(stream, set);
  bool open = !of.rows.empty();
  std::uint64_t end = 0;
  for (const Member& m : members(stream, set)) {
    open |= writing_.points.at(stream, writing_.layout().flash_plane(set, m.position)).wordline != nullptr;
    const BlockShape& shape = shape_at(of, m.next);
    const std::uint32_t of_block = rows_per_block_.remainder(m.next);
    end = std::max(end, m.next - of_block + std::min(shape.up_to_wordline(of_block), shape.rows));
  }
  if (open) complete_to(stream, set, end);
}

void StripeFrontier::complete_to(std::uint8_t stream, FtlPlane set, std::uint64_t end) {
  for (std::uint32_t k = 0; k < width_; ++k) {
    const FlashPlane plane = writing_.layout().flash_plane(set, k);
    WritePoint& point = writing_.points.at(stream, plane);
    point.complete_to = std::max(point.complete_to, end);
    ledger().fill_up(stream, plane);
  }
}

void StripeFrontier::failed(PageProgram& page, Tick now) {
  const auto end_page = [&] {
    if (page.is_padding()) {
      ledger().drop_padding(page);
    } else {
      placement().place_again(page, now);
    }
  };
  give_up_superblock(page, end_page, now);
}

// Gives up a superblock because a program in one of its members has failed. No more pages are written to it, and
// incomplete wordlines of its other members stay incomplete. The rows of later superblocks of the stream are
// renumbered, so padding that has been requested must be requested again. Calls end_page() when `page` may be written
// elsewhere.
template <class EndPage>
void StripeFrontier::give_up_superblock(const PageProgram& page, EndPage end_page, Tick now) {
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
    ledger().rewrite_wordline(writing_.points.at(stream, writing_.layout().flash_plane(set, k)), block, now);
  }
  if (completing) complete_rows(stream, set);
  ledger().give_up_block(block, pins, now);
}

// Removes the superblock and its open rows from the stream. The row numbers of the later superblocks are reduced
// accordingly. Returns the number of open rows, each of which has pinned the superblock; the caller must undo these
// pins.
std::uint32_t StripeFrontier::drop(std::uint8_t stream, FtlPlane set, Superblock block) {
  Stripe& of = stripe(stream, set);
  const auto found = std::ranges::find(of.blocks, block);
  if (found == of.blocks.end()) return 0;
  const std::uint64_t rows = rows_per_block_.value();
  const std::uint64_t first_row = (of.first + static_cast<std::uint64_t>(found - of.blocks.begin())) * rows;
  of.blocks.erase(found);
  const std::uint32_t pins = drop_rows(of, first_row);
  for (Member& m : members(stream, set)) {
    if (m.next < first_row) continue;
    m.next = m.next < first_row + rows ? first_row : m.next - rows;
    send_held(m);
  }
  for (const Member& m : members(stream, set)) send_parity_if_due(of, m);
  return pins;
}

// Removes the open rows of the superblock whose first row is `first`, and returns their number.
std::uint32_t StripeFrontier::drop_rows(Stripe& of, std::uint64_t first) {
  const std::uint64_t end = first + rows_per_block_.value();
  const auto dropped = std::erase_if(of.rows, [&](Row& row) {
    if (row.number < first || row.number >= end) return false;
    parity_pages_.release(*row.parity);
    return true;
  });
  for (Row& row : of.rows) row.number -= row.number >= end ? rows_per_block_.value() : 0;
  open_groups_ -= dropped;
  return static_cast<std::uint32_t>(dropped);
}

// --- to the scheduler

// Sends the parity of the member's next row if all other pages of the row have been given their locations.
void StripeFrontier::send_parity_if_due(Stripe& of, const Member& m) {
  if (!at_parity(m)) return;
  const auto row = std::ranges::find(of.rows, m.next, &Row::number);
  if (row == of.rows.end() || row->missing != 0) return;
  send_later(parity_to_send_, *row->parity);
  of.rows.erase(row);
  --open_groups_;
}

void StripeFrontier::send_held(Member& m) {
  while (!m.held.empty()) send_later(data_to_send_, m.held.pop());
}

void StripeFrontier::send_later(PageQueue& queue, PageProgram& page) {
  queue.push(page);
  if (std::exchange(sending_, true)) return;
  writing_.calendar.schedule<&StripeFrontier::send>(writing_.calendar.now(), *this, 0);
}

void StripeFrontier::send(std::uint64_t) {
  sending_ = false;
  const Tick now = writing_.calendar.now();
  // Sending a page may add more pages to the queues. These are sent by another event.
  PageQueue parity = std::exchange(parity_to_send_, {});
  PageQueue data = std::exchange(data_to_send_, {});
  while (!parity.empty()) writing_.io.enqueue(parity.pop(), now, QueuePosition::first);
  while (!data.empty()) enqueue_page(writing_.io, data.pop(), now);
}

// --- checkpoints and reports

void StripeFrontier::persist(Archive& archive) {
  archive.section("stripes");
  const FtlGeometry& geometry = writing_.blocks.geometry();
  for (std::size_t k = 0; k < stripes_.size(); ++k) {
    const auto stream = static_cast<std::uint8_t>(k / sets_);
    const FtlPlane set(static_cast<std::uint32_t>(k % sets_));
    // No row is open when the state is saved, so all members are at the same row.
    std::uint64_t next = members(stream, set).front().next;
    const std::deque<Superblock>& blocks = stripes_[k].blocks;
    Superblock block = blocks.empty() ? Superblock() : blocks.front();
    archive.counter(next, "the next row of a stripe");
    archive.index_or_none(block, geometry.blocks(), "the superblock of a stripe");
    if (!archive.loading()) continue;
    stand_at(stream, set, next, block);
    const std::uint32_t row = rows_per_block_.remainder(next);
    archive.require(block.valid() == (row != 0), "the next row of a stripe does not agree with its superblock");
    if (!block.valid()) continue;
    const std::uint32_t written = row * (width_ - 1) * writing_.layout().units_per_page();
    const bool fits = geometry.plane_of(block) == set && writing_.blocks.stream(block) == stream &&
                      writing_.blocks.next_page(block) == written &&
                      writing_.blocks.state(block) == BlockTable::State::open;
    archive.require(fits, "the superblock of a stripe does not agree with the block table");
  }
}

void StripeFrontier::list_waiting(std::ostream& out) const {
  for (std::size_t k = 0; k < stripes_.size(); ++k) {
    const auto name = [&]() -> std::ostream& {
      return out << "stripe set " << k % sets_ << " stream " << k / sets_ << ": ";
    };
    for (const Row& row : stripes_[k].rows) {
      name() << "row " << row.number << " lacks " << row.missing << " pages before its parity\n";
    }
    for (const Member& m : std::span(members_).subspan(k * width_, width_)) {
      if (!m.held.empty()) name() << m.held.size() << " pages wait for the parity of row " << m.next << "\n";
    }
  }
}

}  // namespace nandscape::controller
