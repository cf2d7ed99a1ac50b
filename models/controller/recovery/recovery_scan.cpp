// SPDX-License-Identifier: Apache-2.0
#include "controller/recovery/recovery_scan.h"

namespace nandscape {

RecoveryScan::RecoveryScan(const FlashLayout& layout, std::uint64_t logical_pages, Client& client)
    : layout_(layout),
      client_(client),
      cursors_(layout.flash().planes()),
      readable_(layout.flash().planes()),
      versions_(logical_pages),
      planes_left_(layout.flash().planes()) {}

std::optional<Ppn> RecoveryScan::next(PlaneId plane) const {
  const Cursor& cursor = cursors_[plane.value];
  const Geometry& flash = layout_.flash();
  if (cursor.block == flash.blocks_per_plane) return std::nullopt;
  return flash.page(flash.block(plane, cursor.block), cursor.page);
}

void RecoveryScan::scanned(PlaneId plane, const ScannedPage& page) {
  ++pages_read_;
  Cursor& cursor = cursors_[plane.value];
  const Geometry& flash = layout_.flash();
  const BlockId block = flash.block(plane, cursor.block);
  const bool empty = page.erased || page.factory_bad;
  if (empty || page.tag.front() != no_unit) readable_[plane.value] = true;
  if (!empty) take_in(flash.page(block, cursor.page), page.tag);
  if (!empty && cursor.page + 1 < flash.pages_per_block) {
    ++cursor.page;
    return;
  }
  // A block that was bad from the factory on is no block to write to.
  client_.block_scanned(block, page.factory_bad ? flash.pages_per_block : cursor.page + (empty ? 0 : 1));
  cursor.page = 0;
  if (++cursor.block == flash.blocks_per_plane) --planes_left_;
}

void RecoveryScan::take_in(Ppn flash_page, std::span<const std::uint64_t> tag) {
  if (tag.front() == journal_mark) {
    client_.journal_page_found(flash_page);
    return;
  }
  const Ppn first_unit = layout_.of_flash_page(flash_page);
  if (!first_unit.valid()) return;  // parity
  if (tag[0] != no_unit && (tag[1] & fullpages_bit) != 0) client_.fullpages_found(layout_.block_of(first_unit));
  for (std::uint32_t k = 0; k < layout_.units_per_page(); ++k) {
    if (tag[2 * k] == no_unit) continue;
    const std::uint64_t lpn = tag[2 * k] & ~lost_bit;
    if (lpn >= versions_.size()) continue;
    const std::uint64_t version = version_in(tag[2 * k + 1]);
    if (version > most_version) continue;
    newest_version_ = std::max(newest_version_, version);
    if (version + 1 == versions_[lpn]) client_.found_copy(Lpn(lpn), Ppn(first_unit.value + k));
    if (version < versions_[lpn]) continue;
    versions_[lpn] = version + 1;
    client_.found(Lpn(lpn), Ppn(first_unit.value + k), (tag[2 * k] & lost_bit) != 0);
  }
}

}  // namespace nandscape
