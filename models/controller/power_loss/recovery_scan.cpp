// SPDX-License-Identifier: Apache-2.0
#include "controller/power_loss/recovery_scan.h"

#include <algorithm>

namespace nandscape::controller {

namespace {

bool readable(std::span<const std::uint64_t> tag) { return tag[0] != no_unit || tag[1] != no_unit; }

}  // namespace

RecoveryScan::RecoveryScan(const FlashLayout& layout, std::uint64_t logical_pages, Client& client,
                           std::optional<std::uint64_t> known_version)
    : layout_(layout),
      logical_pages_(logical_pages),
      client_(client),
      versions_known_(known_version ? *known_version + 1 : 0),
      cursors_(layout.flash().planes()),
      scanned_(layout.flash().planes()),
      readable_(layout.flash().planes()),
      planes_left_(layout.flash().planes()) {
  for (const FlashPlane plane : cursors_.places()) begin_block(plane);
}

bool RecoveryScan::finds_dead_plane() const {
  for (const FlashPlane plane : scanned_.places()) {
    if (scanned_[plane] && !readable_[plane]) return true;
  }
  return false;
}

std::optional<FlashPage> RecoveryScan::next(FlashPlane plane) const {
  const Cursor& cursor = cursors_[plane];
  const Geometry& flash = layout_.flash();
  if (cursor.block.value == flash.blocks_per_plane) return std::nullopt;
  return flash.page(flash.block(plane, cursor.block), cursor.page);
}

void RecoveryScan::begin_block(FlashPlane plane) {
  Cursor& cursor = cursors_[plane];
  const Geometry& flash = layout_.flash();
  for (; cursor.block.value < flash.blocks_per_plane; ++cursor.block.value) {
    const FlashBlock block = flash.block(plane, cursor.block);
    cursor = {.block = cursor.block, .known = client_.known_of(block)};
    if (!cursor.known.retired) return;
  }
  --planes_left_;
}

void RecoveryScan::end_block(FlashPlane plane, std::uint32_t programmed_pages) {
  Cursor& cursor = cursors_[plane];
  client_.block_scanned(layout_.flash().block(plane, cursor.block), programmed_pages);
  ++cursor.block.value;
  begin_block(plane);
}

void RecoveryScan::scanned(FlashPlane plane, const ScannedPage& page) {
  ++pages_read_;
  scanned_[plane] = true;
  Cursor& cursor = cursors_[plane];
  const Geometry& flash = layout_.flash();
  const FlashBlock block = flash.block(plane, cursor.block);
  const bool empty = page.erased || page.factory_bad;
  if (empty || readable(page.tag)) readable_[plane] = true;
  if (page.slc) client_.slc_block_found(block);
  if (cursor.known.pages != 0 && is_known(cursor, block, page)) {
    if (cursor.page == client_.pages_of(block)) end_block(plane, cursor.page);
    return;
  }
  // The tag of the first page may contain the write mode of the block, which determines how many pages the block has.
  if (!empty) take_in(flash.page(block, cursor.page), page.tag);
  const std::uint32_t pages = client_.pages_of(block);
  if (!empty && cursor.page + 1 < pages) {
    ++cursor.page;
    return;
  }
  // A factory-bad block is reported as full, so that it is never written.
  end_block(plane, page.factory_bad ? pages : cursor.page + (empty ? 0 : 1));
}

// Returns whether the block still is as the checkpoint says, judging by the stamp of the page. Torn pages and parity
// pages have no stamp, so the next page decides. If that page is erased, the block has no valid data, even if it has
// not been erased since the checkpoint.
bool RecoveryScan::is_known(Cursor& cursor, FlashBlock block, const ScannedPage& page) {
  // Since the checkpoint, the block may have been written in a mode in which it has fewer pages.
  const std::uint32_t known_pages = std::min(cursor.known.pages, client_.pages_of(block));
  const bool journal = !page.erased && page.tag.front() == journal_mark;
  const bool parity = !layout_.of_flash_page(layout_.flash().page(block, cursor.page)).valid();
  if (!page.erased && !page.factory_bad && !journal && (parity || !readable(page.tag))) {
    if (++cursor.page < known_pages) return true;
    client_.block_changed(block);
    cursor.known = {};
    return true;
  }
  const bool as_known = !page.erased && !journal && stamp_in(page.tag[1]) == cursor.known.stamp;
  cursor.known = {};
  if (page.factory_bad || as_known) {
    cursor.page = page.factory_bad ? client_.pages_of(block) : known_pages;
    return true;
  }
  client_.block_changed(block);
  return false;
}

void RecoveryScan::take_in(FlashPage flash_page, std::span<const std::uint64_t> tag) {
  if (tag.front() == journal_mark) {
    client_.journal_page_found(flash_page);
    return;
  }
  const Ppa first_unit = layout_.of_flash_page(flash_page);
  if (!first_unit.valid()) return;  // a page of parity has no units
  const Place place = layout_.flash_place(flash_page);
  if (Cursor& cursor = cursors_[place.plane]; !cursor.stamped && readable(tag)) {
    cursor.stamped = true;
    client_.stamp_found(place.block, stamp_in(tag[1]));
  }
  if (tag[0] != no_unit && (tag[1] & frontier_mark_bit) != 0) client_.frontier_mark_found(layout_.block_of(first_unit));
  if (tag[0] != no_unit && write_mode_in(tag[0]) != 0) {
    client_.write_mode_found(layout_.block_of(first_unit), write_mode_in(tag[0]));
  }
  for (std::uint32_t k = 0; k < layout_.units_per_page(); ++k) {
    if (tag[2 * k] == no_unit) continue;
    const std::uint64_t lpn = lpn_in(tag[2 * k]);
    if (lpn >= logical_pages_) continue;
    const std::uint64_t version = version_in(tag[2 * k + 1]);
    if (version > most_version) continue;
    newest_version_ = std::max(newest_version_, version);
    const Ppa unit(first_unit.value + k);
    std::uint64_t& newest = versions_[Lpn(lpn)];
    if (version + 1 == newest) client_.found_copy(Lpn(lpn), unit);
    if (version < newest) continue;  // copies with the same version hold the same data
    if (newest == 0 && version < versions_known_) client_.found_moved(Lpn(lpn));
    newest = version + 1;
    client_.found(Lpn(lpn), unit, (tag[2 * k] & lost_bit) != 0);
  }
}

}  // namespace nandscape::controller
