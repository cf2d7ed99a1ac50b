// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/page_placement.h"

#include <ostream>
#include <utility>

#include "controller/writing/wordline_ledger.h"

namespace nandscape::controller {

// If no page has been placed for this time while a page waits, the drive is considered to have no free page left.
// Emptying a block needs far less time.
constexpr Tick starvation_limit = second;

// Returns whether the plane can take pages of other planes in this stream. It keeps one free block for its own garbage
// collection, which is enough for all data that collection moves at a time.
bool DisplacedPages::may_take_in(std::uint8_t stream, FtlPlane plane) const {
  if (writing_.room.with_room(plane, false) != plane) return false;
  const bool open = frontier_.has_room(stream, plane);
  return open ? writing_.blocks.free_blocks(plane) > 0 : writing_.supply.host_may_take_block(plane);
}

// Returns whether the stream can write more pages on the plane. If no other block is free, the host must not use the
// block to which collection writes, because it is the last one.
bool DisplacedPages::is_open(std::uint8_t stream, FtlPlane plane) const {
  if (!frontier_.has_room(stream, plane) || writing_.room.with_room(plane, false) != plane) return false;
  return stream != writing_.settings.streams.reserve || writing_.supply.host_may_share_block(plane);
}

std::optional<DisplacedPages::Place> DisplacedPages::place_for(const PageProgram& page) const {
  for (const std::uint8_t stream : {writing_.settings.streams.lasting, writing_.settings.streams.reserve}) {
    if (stream == writing_.settings.streams.reserve && !page.moves_data()) continue;
    for (const FtlPlane plane : writing_.blocks.geometry().every_plane()) {
      if (may_take_in(stream, plane)) return Place{plane, stream};
    }
  }
  if (!writing_.power.saving || frontier_.keeps_pages_together()) return std::nullopt;
  // While the drive saves its data after a loss of supply, pages are written to any open block.
  for (std::uint8_t stream = 0; stream < writing_.settings.streams.count; ++stream) {
    for (const FtlPlane plane : writing_.blocks.geometry().every_plane()) {
      if (is_open(stream, plane)) return Place{plane, stream};
    }
  }
  return std::nullopt;
}

void DisplacedPages::wait(PageProgram& page) { waiting_.push(page); }

void DisplacedPages::starve() {
  if (std::exchange(starving_, true)) return;
  writing_.calendar.schedule<&DisplacedPages::look_for_progress>(writing_.calendar.now() + starvation_limit, *this,
                                                                 client_.placed_pages());
}

// Called after starvation_limit. If other pages have been placed meanwhile, the waiting pages are tried again, and may
// wait for the same time once more. Otherwise the drive has no free page left.
void DisplacedPages::look_for_progress(std::uint64_t placed_before) {
  starving_ = false;
  if (client_.placed_pages() == placed_before) {
    client_.no_place_left(writing_.calendar.now());
  } else {
    client_.try_again(writing_.calendar.now());
  }
}

PageQueue DisplacedPages::take() { return std::exchange(waiting_, {}); }

void DisplacedPages::list_waiting(std::ostream& out) const {
  if (!waiting_.empty()) out << waiting_.size() << " pages find no free block on any plane\n";
}

bool PagePlacement::may_take_block(const PageProgram& page) const {
  if (page.write_stream == writing_.settings.streams.cached) return writing_.settings.cache->may_open(plane_of(page));
  const WriteStreams& streams = writing_.settings.streams;
  const FtlPlane plane = plane_of(page);
  if (page.moves_data() && !page.displaced) {
    if (page.write_stream == streams.reserve) return writing_.blocks.free_blocks(plane) > 0;
    // The last free block is left to the reserve stream.
    const bool collects = streams.collects(page.write_stream) && !writing_.power.saving;
    if (collects && writing_.blocks.free_blocks(plane) > 1) return true;
  }
  return writing_.supply.host_may_take_block(plane);
}

// Returns whether the page must be given up. When garbage collection has stopped, no more blocks are freed, so new data
// cannot be written.
bool PagePlacement::refused(const PageProgram& page) const { return writing_.supply.stopped() && !page.moves_data(); }

// --- in the queue

// Called when the scheduler is about to send the page. If the page must wait, the pages behind it in the queue must
// wait as well. Padding is then added to complete the wordlines of the plane, instead of waiting for those pages,
// because the page may be waiting for a block that is released only when a wordline is complete.
Placement PagePlacement::place(PageProgram& page, Tick now) {
  const Placement placement = find_page(page, now);
  const bool wait = placement == Placement::wait && !writing_.points.of(page).programs_again.valid();
  writing_.points.blocked[page.plane][page.moves_data()] = wait;
  if (wait) {
    for (std::uint8_t stream = 0; stream < writing_.points.streams(); ++stream) ledger_.fill_up(stream, page.plane);
  }
  return placement;
}

Placement PagePlacement::find_page(PageProgram& page, Tick now) {
  const bool padding = page.is_padding();
  if (page.code_must_change) return Placement::withdraw;
  // Padding would keep the earlier pages, which are queued behind it, from being sent. It is made again later.
  if (writing_.points.of(page).programs_again.valid()) return padding ? Placement::withdraw : Placement::wait;
  if (page.pair.other != nullptr && !page.pair.first) return find_last_of_pair(page, now);
  // The next flash page is reserved for another page, which will complete the wordline.
  if (reserved_for(page) != nullptr) return padding ? Placement::withdraw : Placement::wait;
  if (padding && !frontier_.padding_needed(page)) return Placement::withdraw;
  const Turn turn = frontier_.turn(page);
  // The page leaves the queue, so that it does not block other pages. It then waits elsewhere or is sent to another
  // plane.
  if (turn == Turn::later) return Placement::withdraw;
  if (frontier_.keeps_pages_together() && !padding && !has_room(page)) return Placement::withdraw;
  if (turn == Turn::alone) {
    unassign(page);
    page.leave_group();
    writing_.points.add(page);
  }
  if (!page.moves_data() && !padding) {
    const FtlPlane plane = plane_of(page);
    if (writing_.power.gives_up_writes()) return Placement::wait;
    if (!writing_.power.saving && !writing_.supply.host_may_write(plane)) return Placement::wait;
    // If the host and garbage collection write to the same blocks, the host must leave the last pages to garbage
    // collection.
    if (page.write_stream == writing_.settings.streams.reserve && !writing_.supply.host_may_share_block(plane)) {
      return wait_for_block(page, now);
    }
  }
  if (!has_block(page)) {
    if (!may_take_block(page)) return find_block(page, now);
    open_block(page, now);
  }
  if (page.pair.other != nullptr) {
    if (!encoding_.begins_pair(page, frontier_.next(page.write_stream, page.plane))) return Placement::withdraw;
    take_place(page, now);
    encoding_.pairs()->first_placed(page);
    return Placement::placed;
  }
  if (encoding_.chooses_by_place() && !encoding_.allows(page, frontier_.next(page.write_stream, page.plane))) {
    page.code_must_change = true;
    return Placement::withdraw;
  }
  return take_place(page, now);
}

// Places the last page of a pair in the wordline of the first page. The page leaves the queue if this is impossible,
// for example because the block has failed.
Placement PagePlacement::find_last_of_pair(PageProgram& page, Tick now) {
  const Superblock block = page.pair.other->block;
  const bool follows = reserved_for(page) == &page && !writing_.blocks.failing(block) &&
                       frontier_.open_block(page.write_stream, page.plane) == block;
  if (!follows) return Placement::withdraw;
  take_place(page, now);
  encoding_.pairs()->last_placed(page);
  return Placement::placed;
}

// Called if the stream of the page has no open block and must not take one. The host's pages wait. Moved pages are
// written to the reserve stream instead, because their old block can be erased only when they have been written.
Placement PagePlacement::find_block(PageProgram& page, Tick now) {
  const bool cached = page.write_stream == writing_.settings.streams.cached;
  if (cached && !writing_.settings.cache->waits_for_room(plane_of(page), now)) return Placement::withdraw;
  const std::uint8_t reserve = writing_.settings.streams.reserve;
  if (!page.moves_data() || page.write_stream == reserve || page.displaced) return wait_for_block(page, now);
  if (frontier_.keeps_pages_together()) return Placement::withdraw;
  // The last page of the pair would remain in the old stream, so the pair must first be separated.
  if (page.pair.other != nullptr) return Placement::withdraw;
  unassign(page);
  page.write_stream = reserve;
  writing_.points.add(page);
  return find_page(page, now);
}

void PagePlacement::open_block(const PageProgram& page, Tick now) {
  const FtlPlane plane = plane_of(page);
  const WriterSettings& settings = writing_.settings;
  const bool lasts = page.write_stream == settings.streams.lasting;
  const FreeBlockOrder order = lasts ? FreeBlockOrder::most_worn : settings.free_block;
  const Superblock block = writing_.blocks.take_free(plane, order, page.write_stream);
  if (page.write_stream == settings.streams.cached) {
    writing_.blocks.set_write_mode(block, settings.cache->mode());
    settings.cache->opened(block);
  } else if (settings.write_mode != nullptr) {
    writing_.blocks.set_write_mode(block, settings.write_mode->mode_of_block(block, page.origin(), now));
  }
  frontier_.open(page.write_stream, plane, block, 0);
  writing_.supply.check(plane, now);
}

Placement PagePlacement::take_place(PageProgram& page, Tick now) {
  frontier_.append(page, now);
  placed(page);
  writing_.blocks.pin_program(page.block);
  writing_.points.remove(page);
  if (writing_.settings.two_passes && writing_.ends_wordline(page)) ledger_.wordline_placed(page);
  if (!page.is_padding()) {
    writing_.counters.unfilled_units += writing_.layout().units_per_page() - page.unit_count;
    writing_.counters.host_pages += page.origin() == PageOrigin::host;
    if (!page.moves_data()) writing_.room.new_data_placed(plane_of(page));
  }
  return Placement::placed;
}

void PagePlacement::placed(PageProgram& page) {
  ++writing_.counters.programmed_pages;
  if (writing_.settings.write_mode == nullptr) return;
  const std::uint32_t type = writing_.blocks.shape(page.block).type_of(page.command.page);
  page.command.program_step_mv = writing_.settings.write_mode->step_mv(
      {page, type, writing_.blocks.write_mode(page.block), other_of_wordline(page)});
}

const PageProgram* PagePlacement::other_of_wordline(const PageProgram& page) const {
  if (page.pair.other != nullptr) return page.pair.other;
  const std::uint32_t first = writing_.blocks.shape(page.block).first_of_wordline(page.command.page);
  const PageProgram* other = writing_.points.of(page).wordline;
  while (other != nullptr && (other->block != page.block || other->command.page != first)) {
    other = other->next_in_wordline;
  }
  return other;
}

ProgramPlace PagePlacement::next_page(const PageProgram& page) const {
  if (page.is_padding() && !frontier_.padding_needed(page)) return {};
  const Superblock block = frontier_.open_block(page.write_stream, page.plane);
  const bool needs_block = page.place_in_group != 0 || !block.valid();
  const std::optional<std::uint32_t> next = frontier_.next_page(page, needs_block && may_take_block(page));
  if (!next) return {};
  return {*next, writing_.shape_for(page, block).cells};
}

// --- without room

// Makes the page wait for a block, and starts garbage collection on the plane. The plane must be marked as blocked
// before that, because collection that has given up the plane resumes only if a page waits there.
Placement PagePlacement::wait_for_block(PageProgram& page, Tick now) {
  writing_.points.blocked[page.plane][page.moves_data()] = true;
  writing_.supply.check(plane_of(page), now);
  return wait_or_withdraw(page);
}

// Decides whether the page waits in its queue or leaves it to be written elsewhere. New data leave a full plane, which
// will not have room for them. If the last blocks of a plane have failed, the plane has no block for the pages that its
// garbage collection moves, and cannot free a block. Other planes then take these pages. With parity, moved pages
// belong to rows, so they wait if no other plane of the mapping can take them.
Placement PagePlacement::wait_or_withdraw(const PageProgram& page) {
  if (!has_room(page) || refused(page)) return Placement::withdraw;
  if (page.origin() == PageOrigin::host && !writing_.power.saving) return Placement::wait;
  const FtlPlane plane = plane_of(page);
  const bool stuck =
      writing_.power.saving || (writing_.blocks.free_blocks(plane) == 0 && !writing_.supply.frees_block(plane));
  // Blocks that have been emptied may be pinned until newer versions of their data are durable.
  if (stuck && !writing_.power.saving && writing_.settings.holds_back) ledger_.complete_wordlines_for(plane);
  if (!stuck && !page.displaced) return Placement::wait;
  if (!frontier_.keeps_pages_together() || (!page.displaced && displaced_.place_for(page))) return Placement::withdraw;
  starve();
  return Placement::wait;
}

// Called when a page waits for a free block on any plane. While the drive saves its data after a loss of supply,
// garbage collection is resumed on all planes, because any of them may take the page. Wordlines are completed, because
// emptied blocks stay pinned until their data are durable elsewhere.
void PagePlacement::starve() {
  if (writing_.power.saving) {
    if (ledger_.undurable().count() != 0) ledger_.complete_wordlines();
    for (const FtlPlane plane : writing_.points.backlogs.places()) {
      writing_.supply.go_on_for_a_block(plane, writing_.calendar.now());
    }
  }
  displaced_.starve();
}

bool PagePlacement::blocked(FtlPlane plane) const {
  const FlashLayout& layout = writing_.layout();
  for (std::uint32_t k = 0; k < layout.member_planes(); ++k) {
    if (writing_.points.blocked[layout.flash_plane(plane, k)][false]) return true;
  }
  return false;
}

void PagePlacement::places_changed(FtlPlane plane, Tick now) {
  const FlashLayout& layout = writing_.layout();
  for (std::uint32_t member = 0; member < layout.member_planes(); ++member) {
    writing_.scheduler.places_changed(layout.flash_plane(plane, member), now);
  }
}

void PagePlacement::places_changed_anywhere(Tick now) {
  for (PageQueue displaced = displaced_.take(); !displaced.empty();) find_place(displaced.pop(), now);
  for (const FlashPlane plane : writing_.points.blocked.places()) writing_.scheduler.places_changed(plane, now);
}

// If pages from other planes wait, they are tried again as well, because they can use a block of any plane.
void PagePlacement::block_erased(Superblock block, bool, Tick now) {
  if (displaced_.starving()) {
    places_changed_anywhere(now);
  } else {
    places_changed(writing_.layout().mapping().plane_of(block), now);
  }
}

void PagePlacement::set_urgent(FtlPlane plane, bool urgent) {
  const FlashLayout& layout = writing_.layout();
  for (std::uint32_t member = 0; member < layout.member_planes(); ++member) {
    writing_.scheduler.set_collection_urgent(layout.flash_plane(plane, member), urgent);
  }
}

void PagePlacement::make_moves_durable(FtlPlane plane) { ledger_.complete_wordlines_for(plane); }

void PagePlacement::await_durable_moves(FtlPlane plane, bool awaits) { ledger_.await_moves(plane, awaits); }

void PagePlacement::release_groups(FtlPlane plane) {
  for (std::uint8_t stream = 0; stream < writing_.points.streams(); ++stream) {
    frontier_.left(stream, writing_.layout().flash_plane(plane, 0));
  }
}

// --- to another place

void PagePlacement::unassign(const PageProgram& page) {
  writing_.points.remove(page);
  ledger_.fill_up(page.write_stream, page.plane);
  frontier_.left(page.write_stream, page.plane);
}

void PagePlacement::withdrawn(PageProgram& page, Tick now) {
  if (std::exchange(page.code_must_change, false)) return encoding_.encode_again(page);
  if (page.pair.other != nullptr) return encoding_.pairs()->returned(page);
  if (page.write_stream == writing_.settings.streams.cached && !has_block(page)) return leave_cache(page, now);
  if (frontier_.keeps_pages_together()) {
    const bool unwanted = writing_.points.of(page).programs_again.valid() || !frontier_.padding_needed(page);
    const bool given_up = page.is_padding() ? unwanted : !has_room(page) || refused(page);
    if (!given_up && frontier_.takes_withdrawn(page, now)) return;
  }
  unassign(page);
  if (page.is_padding()) {
    ledger_.drop_padding(page);
    return;
  }
  page.leave_group();
  --writing_.points.backlog(page);
  find_place(page, now);
}

// Sends the page to the blocks of the host, because the SLC cache has no room for it.
void PagePlacement::leave_cache(PageProgram& page, Tick now) {
  constexpr std::uint8_t host_stream = 0;
  unassign(page);
  writing_.settings.cache->left(page.unit_count);
  page.write_stream = host_stream;
  place_again(page, now);
}

bool PagePlacement::has_place_again(const PageProgram& page) const {
  return !page.displaced && ((page.moves_data() && has_block(page)) || may_take_block(page));
}

// Sends the page to its own plane if that plane can write again, otherwise to another plane that can take it. If there
// is none, the page waits in `displaced_`, where it blocks no other page.
void PagePlacement::find_place(PageProgram& page, Tick now) {
  const FtlPlane from = plane_of(page);
  FtlPlane plane = refused(page) ? FtlPlane() : writing_.room.with_room(from, page.moves_data());
  if (plane == from && !has_place_again(page)) {
    const std::optional<DisplacedPages::Place> found = displaced_.place_for(page);
    if (!found) {
      displaced_.wait(page);
      starve();
      return;
    }
    plane = found->plane;
    page.displaced |= plane != from;
    page.write_stream = found->stream;
  }
  if (!plane.valid()) return ledger_.give_up(page, now);
  if (plane != from) writing_.room.set_planes_mixed();
  writing_.io.set_plane(page, writing_.layout().flash_plane(plane, 0));
  ++writing_.points.backlogs[plane];
  place_again(page, now);
}

void PagePlacement::place_again(PageProgram& page, Tick now) {
  page.command.status = NandStatus::pass;
  page.leave_group();
  if (page.mover != nullptr) {
    page.set_origin(PageOrigin::migration);
    page.mover->lost(page, now);
    return;
  }
  frontier_.assign(page, false);
  writing_.points.add(page);
  if (page.pair.other != nullptr) return encoding_.pairs()->returned(page);
  frontier_.send(page, now);
}

}  // namespace nandscape::controller
