// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/initial_pages.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include "controller/mapping/page_tag.h"
#include "controller/parity/parity.h"

namespace nandscape {

FilledCodes::FilledCodes(const controller::BlockShape& shape, const controller::DataPath& path,
                         controller::CodeChooser* chooser)
    : chooser_(chooser), shape_(shape), zeroes_(path.keeps_data() ? path.layout.page_bytes : 0) {}

controller::PageCoding FilledCodes::of(Ppn flash_page, std::span<const std::uint64_t> tag) const {
  if (chooser_ == nullptr) return {};
  return chooser_->coding_for({.tag = tag, .data = zeroes_, .type = shape_.type_of(flash_page.value % shape_.rows)});
}

FilledPages::FilledPages(const controller::InitialFill& fill, const controller::FlashLayout& flash_layout, Ppn first,
                         const controller::DataPath& path, std::unique_ptr<ecc::PageCoder> coder,
                         const FilledCodes& codes)
    : fill_(fill),
      flash_layout_(flash_layout),
      first_(first),
      layout_(path.layout),
      page_bytes_(path.buffer_bytes()),
      scrambled_(path.scramble),
      coder_(std::move(coder)),
      codes_(codes) {}

void FilledPages::read(std::uint64_t row, std::byte* page) const {
  const Ppn flash_page(first_.value + row);
  if (const controller::Ppa first_unit = flash_layout_.of_flash_page(flash_page); first_unit.valid()) {
    make(flash_page, first_unit, page);
    return;
  }
  std::memset(page, 0, page_bytes_);
  std::vector<std::byte> other(page_bytes_);
  for (std::uint32_t member = 0; member < flash_layout_.members(); ++member) {
    const controller::Ppa first_unit = flash_layout_.in_row(flash_page, member);
    if (!first_unit.valid()) continue;
    make(flash_page, first_unit, other.data());
    controller::add_bytes(page, other.data(), page_bytes_);
  }
}

void FilledPages::make(Ppn flash_page, controller::Ppa first_unit, std::byte* page) const {
  // Pages that are invalid from the beginning have contents, too, but the host never reads them.
  const Lpn lpn = fill_.lpn_at(first_unit);
  EccJob job;
  job.kind = EccKind::encode;
  job.code = codes_.of(flash_page, std::array<std::uint64_t, 2>{lpn.value, 0}).code;
  job.bytes = layout_.page_bytes;
  job.scrambled = scrambled_;
  job.scrambler_seed = lpn.value;
  job.data = page;
  std::memset(page, 0, page_bytes_);
  write_page(*coder_, job);
}

void FilledTags::read(std::uint64_t row, std::span<std::uint64_t> tag) const {
  const Ppn flash_page(first_.value + row);
  if (const controller::Ppa first_unit = flash_layout_.of_flash_page(flash_page); first_unit.valid()) {
    std::fill(tag.begin(), tag.end(), 0);
    add(first_unit, tag);
    if (codes_.are_told()) {
      const controller::PageCoding coding = codes_.of(flash_page, tag);
      controller::set_coding(tag, coding.code, coding.state_map);
    }
    return;
  }
  std::fill(tag.begin(), tag.end(), 0);
  tag.front() = controller::parity_mark;
  for (std::uint32_t member = 0; member < flash_layout_.members(); ++member) {
    if (const controller::Ppa first_unit = flash_layout_.in_row(flash_page, member); first_unit.valid())
      add(first_unit, tag);
  }
}

void FilledTags::add(controller::Ppa first_unit, std::span<std::uint64_t> tag) const {
  for (std::uint32_t unit = 0; unit < flash_layout_.units_per_page(); ++unit) {
    tag[2 * unit] ^= fill_.lpn_at(controller::Ppa(first_unit.value + unit)).value;
  }
  if (fill_.patterned(flash_layout_.block_of(first_unit))) tag[1] |= controller::frontier_mark_bit;
}

controller::Superblock FilledAges::mapping_block(BlockInDie block) const {
  const Geometry& flash = flash_layout_.flash();
  return flash_layout_.holding(PlaneId(first_.value + flash.plane_of(block).value), flash.block_in_plane(block));
}

}  // namespace nandscape
