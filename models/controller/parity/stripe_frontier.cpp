// SPDX-License-Identifier: Apache-2.0
#include "controller/parity/stripe_frontier.h"

#include <algorithm>
#include <utility>

namespace nandscape::controller {

StripeFrontier::StripeFrontier(FlashIo& io, PagePool& pages, BlockTable& blocks, BlockPins& pins, Calendar& calendar,
                               std::uint8_t streams, std::uint8_t reserve_stream, std::uint8_t lasting_stream)
    : io_(io),
      pages_(pages),
      blocks_(blocks),
      pins_(pins),
      streams_(streams),
      reserve_stream_(reserve_stream),
      lasting_stream_(lasting_stream),
      pages_per_block_(io.layout().flash().pages_per_block),
      pages_per_wordline_(io.path().pages_per_wordline),
      stripes_(io, pages, blocks, calendar, streams) {}

void StripeFrontier::assign(PageProgram& page) {
  io_.set_plane(page, stripes_.assign(page.write_stream, io_.layout().mapping_plane(page.plane)));
}

void StripeFrontier::assign_padding(PageProgram& padding, FlashPlane plane) {
  io_.set_plane(padding, plane);
  stripes_.assign_to(padding.write_stream, plane);
}

std::optional<std::uint32_t> StripeFrontier::next_page(const PageProgram& page, bool may_open) const {
  if (!has_block(page.write_stream, page.plane)) return may_open ? std::optional<std::uint32_t>(0) : std::nullopt;
  if (stands_aside(page)) return std::nullopt;
  return static_cast<std::uint32_t>(stripes_.next_row(page.write_stream, page.plane) % pages_per_block_);
}

bool StripeFrontier::takes_withdrawn(PageProgram& page, Tick now) {
  const FtlPlane set = io_.layout().mapping_plane(page.plane);
  if (stands_aside(page)) {
    const std::uint64_t row = stripes_.next_row(page.write_stream, page.plane);
    if (stripes_.first_unassigned(page.write_stream, set) > row) {
      stripes_.hold(page);
      return true;
    }
    // Pages that went elsewhere have left a gap in the row, which no other page will fill.
    host().leave_way(page);
    host().place_again(page, now);
    return true;
  }
  if (!page.moves_data() || page.write_stream == reserve_stream_) return false;
  // Moved pages have to go somewhere, so that the block they come from can be erased.
  host().leave_way(page);
  page.write_stream = reserve_stream_;
  host().place_again(page, now);
  return true;
}

void StripeFrontier::assigned_again(std::uint8_t stream, FlashPlane plane) {
  stripes_.assigned_again(stream, plane, host().write_point(stream, plane).all_on_their_way());
}

// Pages that wait for the row of the page that left must not wait forever.
void StripeFrontier::left(std::uint8_t stream, FlashPlane plane) {
  assigned_again(stream, plane);
  stripes_.send_held(stream, io_.layout().mapping_plane(plane));
}

void StripeFrontier::send_held(FtlPlane set) {
  for (std::uint8_t stream = 0; stream < streams_; ++stream) stripes_.send_held(stream, set);
}

void StripeFrontier::added_withdrawn(PageProgram& parity, Tick now) {
  const Superblock block = parity.block;
  pages_.release(parity);
  pins_.unpin(block, now);
}

void StripeFrontier::added_programmed(PageProgram& parity, Tick now) {
  WritePoint& point = host().write_point(parity.write_stream, parity.plane);
  const bool complete = io_.ends_wordline(parity);
  const Superblock block = parity.block;
  pages_.release(parity);
  if (complete) host().wordline_durable(point, now);
  pins_.unpin(block, now);
}

// One member has failed, and the superblock is not written any further: incomplete wordlines of the other members stay
// incomplete. Other superblocks of the stream that are being completed begin in another row now.
void StripeFrontier::failed(PageProgram& page, Tick now) {
  const Superblock block = page.block;
  const std::uint8_t stream = page.write_stream;
  const FtlPlane set = io_.layout().mapping_plane(page.plane);
  const std::uint32_t pins = stripes_.give_up(stream, set, block) + 1;
  const std::uint32_t members = io_.layout().members();
  bool completing = false;
  for (std::uint32_t k = 0; k < members; ++k) {
    const FlashPlane plane = io_.layout().flash_plane(set, k);
    assigned_again(stream, plane);
    completing |= std::exchange(host().write_point(stream, plane).complete_to, 0) != 0;
  }
  if (page.added_by_frontier) {
    pages_.release(page);
  } else if (page.is_padding()) {
    host().drop_padding(page);
  } else {
    host().place_again(page, now);
  }
  for (std::uint32_t k = 0; k < members; ++k) {
    host().rewrite_wordline(host().write_point(stream, io_.layout().flash_plane(set, k)), block, now);
  }
  if (completing) complete_rows(stream, set);
  host().give_up_block(block, pins, now);
}

void StripeFrontier::complete_groups(bool all) {
  for (std::uint8_t stream = 0; stream < streams_; ++stream) {
    if (stream == reserve_stream_ && !all) continue;
    for (const FtlPlane set : io_.layout().mapping().every_plane()) complete_rows(stream, set);
  }
}

// Pads until no wordline and no row is left open.
void StripeFrontier::complete_rows(std::uint8_t stream, FtlPlane set) {
  const std::uint32_t members = io_.layout().members();
  bool open = stripes_.has_open_rows(stream, set);
  std::uint64_t end = 0;
  for (std::uint32_t k = 0; k < members; ++k) {
    const FlashPlane plane = io_.layout().flash_plane(set, k);
    open |= host().write_point(stream, plane).wordline != nullptr;
    const std::uint64_t next = stripes_.next_row(stream, plane);
    const std::uint64_t of_block = next % pages_per_block_;
    const std::uint64_t wordlines = (of_block + pages_per_wordline_ - 1) / pages_per_wordline_;
    const std::uint64_t end_of_block = std::min<std::uint64_t>(wordlines * pages_per_wordline_, pages_per_block_);
    end = std::max(end, next - of_block + end_of_block);
  }
  if (!open) return;
  for (std::uint32_t k = 0; k < members; ++k) {
    const FlashPlane plane = io_.layout().flash_plane(set, k);
    WritePoint& point = host().write_point(stream, plane);
    point.complete_to = std::max(point.complete_to, end);
    host().fill_up(stream, plane);
  }
}

// Row numbers continue from superblock to superblock, so each superblock is written to its end. If the members are in
// two superblocks, the earlier one is closed.
void StripeFrontier::close(std::uint8_t stream, FtlPlane set) {
  const std::uint32_t members = io_.layout().members();
  std::uint64_t first = stripes_.next_row(stream, io_.layout().flash_plane(set, 0));
  for (std::uint32_t k = 1; k < members; ++k) {
    first = std::min(first, stripes_.next_row(stream, io_.layout().flash_plane(set, k)));
  }
  const std::uint64_t end = (first / pages_per_block_ + 1) * pages_per_block_;
  for (std::uint32_t k = 0; k < members; ++k) {
    const FlashPlane plane = io_.layout().flash_plane(set, k);
    WritePoint& point = host().write_point(stream, plane);
    point.complete_to = std::max(point.complete_to, end);
    host().fill_up(stream, plane);
  }
}

std::uint32_t StripeFrontier::programmed_rows(Superblock block, std::uint32_t) const {
  const FlashLayout& layout = io_.layout();
  return blocks_.next_page(block) / layout.units_per_page() / layout.data_pages_per_row();
}

bool StripeFrontier::writes_to(std::uint8_t stream, Superblock block) const {
  return stripes_.writes_to(stream, blocks_.geometry().plane_of(block), block);
}

}  // namespace nandscape::controller
