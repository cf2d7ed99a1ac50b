// SPDX-License-Identifier: Apache-2.0
// What PageWriter does differently where rows of pages have parity.
#include <algorithm>
#include <utility>

#include "controller/writing/page_writer.h"

namespace nandscape {

void PageWriter::assigned_again(std::uint8_t stream, PlaneId flash_plane) {
  stripes_->assigned_again(stream, flash_plane, all_on_their_way(stream, flash_plane));
}

Placement PageWriter::place_parity(PageProgram& parity) {
  if (!stripes_->place_parity(parity)) return Placement::withdraw;
  ++placed_;
  return Placement::placed;
}

bool PageWriter::withdrawn_from_stripe(PageProgram& page, Tick now) {
  if (page.parity) {
    const BlockId block = page.block;
    pages_.release(page);
    pins_.unpin(block, now);
    return true;
  }
  const bool padding = page.is_padding();
  if (padding ? !padding_needed(page) : !has_room(page) || refused(page)) return false;
  const PlaneId plane = mapping_plane(page);
  if (stripes_->at_parity(page.write_stream, page.plane)) {
    const std::uint64_t row = stripes_->next_row(page.write_stream, page.plane);
    if (stripes_->first_unassigned(page.write_stream, plane) > row) {
      stripes_->hold(page);
      return true;
    }
    // Pages that went elsewhere have left a gap in the row, which nobody else will fill.
    leave_way(page);
    place_again(page, now);
    return true;
  }
  const bool collection = page.moves_data();
  if (!collection || page.write_stream == settings_.reserve_stream) return false;
  // Moved pages have to go somewhere, so that the block they come from can be erased.
  leave_way(page);
  page.write_stream = settings_.reserve_stream;
  place_again(page, now);
  return true;
}

void PageWriter::send_held(PlaneId plane) {
  for (std::uint8_t stream = 0; stream < settings_.streams; ++stream) stripes_->send_held(stream, plane);
}

void PageWriter::send_held() {
  if (stripes_ == nullptr) return;
  for (std::uint32_t plane = 0; plane < io_.layout().mapping().planes(); ++plane) send_held(PlaneId(plane));
}

void PageWriter::parity_programmed(PageProgram& parity, Tick now) {
  Lane& to = lane(parity.write_stream, parity.plane);
  const bool complete = ends_wordline(parity);
  const BlockId block = parity.block;
  pages_.release(parity);
  if (complete) wordline_durable(to, now);
  pins_.unpin(block, now);
}

// One member has failed, and the superblock is written no further: wordlines that are not complete on the others will
// not be, either. What is being completed in others of the stream begins in another row now.
void PageWriter::give_up_superblock(PageProgram& page, Tick now) {
  const BlockId block = page.block;
  const std::uint8_t stream = page.write_stream;
  const PlaneId plane = mapping_plane(page);
  std::uint32_t pins = stripes_->give_up(stream, plane, block) + 1;
  const std::uint32_t members = io_.layout().members();
  bool completing = false;
  for (std::uint32_t k = 0; k < members; ++k) {
    const PlaneId flash_plane = io_.layout().flash_plane(plane, k);
    assigned_again(stream, flash_plane);
    completing |= std::exchange(lane(stream, flash_plane).complete_to, 0) != 0;
  }
  if (page.parity) {
    pages_.release(page);
  } else if (page.is_padding()) {
    drop_padding(page);
  } else {
    place_again(page, now);
  }
  for (std::uint32_t k = 0; k < members; ++k) {
    rewrite_wordline(lane(stream, io_.layout().flash_plane(plane, k)), block, now);
  }
  if (completing) complete_rows(stream, plane);
  supply_->block_failed(block, now);
  for (; pins > 0; --pins) pins_.unpin(block, now);
  listener_->page_durable(now);
}

// Until no wordline and no row is left open.
void PageWriter::complete_rows(std::uint8_t stream, PlaneId plane) {
  const std::uint32_t members = io_.layout().members();
  bool open = stripes_->has_open_rows(stream, plane);
  std::uint64_t end = 0;
  for (std::uint32_t k = 0; k < members; ++k) {
    const PlaneId flash_plane = io_.layout().flash_plane(plane, k);
    open |= lane(stream, flash_plane).wordline != nullptr;
    const std::uint64_t next = stripes_->next_row(stream, flash_plane);
    const std::uint64_t of_block = next % pages_per_block_;
    const std::uint64_t wordlines = (of_block + pages_per_wordline_ - 1) / pages_per_wordline_;
    const std::uint64_t end_of_block = std::min<std::uint64_t>(wordlines * pages_per_wordline_, pages_per_block_);
    end = std::max(end, next - of_block + end_of_block);
  }
  if (!open) return;
  for (std::uint32_t k = 0; k < members; ++k) {
    const PlaneId flash_plane = io_.layout().flash_plane(plane, k);
    Lane& to = lane(stream, flash_plane);
    to.complete_to = std::max(to.complete_to, end);
    fill_up(stream, flash_plane);
  }
}

}  // namespace nandscape
