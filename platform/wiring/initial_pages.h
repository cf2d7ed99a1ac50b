// SPDX-License-Identifier: Apache-2.0
// The pages of the initial fill, before the simulation begins. Host data are zeros, scrambled and encoded as if the
// host had written them. The tags of a page contain its logical pages, and the age of a block is the time since its
// data were written. All contents are computed on demand. A parity page is the sum of the other pages of its row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/data_path.h"
#include "controller/mapping/block_shape.h"
#include "controller/mapping/initial_fill.h"
#include "ecc/page_coders/page_coder.h"
#include "nand/cell_models/block_histories.h"
#include "nand/page_store.h"
#include "nand/page_tags.h"

namespace nandscape {

// Chooses the codes of the pages of the initial fill. The codes are those that would be chosen for a write to the same
// page.
class FilledCodes {
 public:
  // `chooser` is null if all pages have the same code.
  FilledCodes(const controller::BlockShape& shape, const controller::DataPath& path, controller::CodeChooser* chooser);

  bool are_told() const { return chooser_ != nullptr; }
  controller::PageCoding of(Ppn flash_page, std::span<const std::uint64_t> tag) const;

 private:
  controller::CodeChooser* const chooser_;
  const controller::BlockShape shape_;   // shape of the blocks that the fill has written
  const std::vector<std::byte> zeroes_;  // a page of zeroes; empty if the simulation does not store bytes
};

class FilledPages final : public nand::InitialPages {
 public:
  // `first` is the flash page in row 0 of the die. `fill` and `flash_layout` must outlive this object.
  FilledPages(const controller::InitialFill& fill, const controller::FlashLayout& flash_layout, Ppn first,
              const controller::DataPath& path, std::unique_ptr<ecc::PageCoder> coder, const FilledCodes& codes);

  void read(std::uint64_t row, std::byte* page) const override;

 private:
  void make(Ppn flash_page, controller::Ppa first_unit, std::byte* page) const;

  const controller::InitialFill& fill_;
  const controller::FlashLayout& flash_layout_;
  const Ppn first_;
  const PageLayout layout_;
  const std::uint32_t page_bytes_;  // including spare bytes, if kept
  const bool scrambled_;
  const std::unique_ptr<ecc::PageCoder> coder_;
  const FilledCodes codes_;
};

// The tags of the initial fill. Each mapping unit has the tag {logical page or no_tag, version 0}. Version 0 is older
// than every write of the host.
class FilledTags final : public nand::InitialTags {
 public:
  FilledTags(const controller::InitialFill& fill, const controller::FlashLayout& flash_layout, Ppn first,
             const FilledCodes& codes)
      : fill_(fill), flash_layout_(flash_layout), first_(first), codes_(codes) {}

  void read(std::uint64_t row, std::span<std::uint64_t> tag) const override;

 private:
  // Adds the tags of a page to `tag`, whose words the caller has set to zero.
  void add(controller::Ppa first_unit, std::span<std::uint64_t> tag) const;

  const controller::InitialFill& fill_;
  const controller::FlashLayout& flash_layout_;
  const Ppn first_;
  const FilledCodes codes_;
};

// The ages of the blocks of the initial fill.
class FilledAges final : public nand::InitialAges {
 public:
  // `first` is the flash plane that contains block 0 of the die.
  FilledAges(const controller::InitialFill& fill, const controller::FlashLayout& flash_layout, PlaneId first)
      : fill_(fill), flash_layout_(flash_layout), first_(first) {}

  bool from_first_condition(BlockInDie block) const override { return !fill_.updated(mapping_block(block)); }
  double hours(BlockInDie block) const override { return 24 * fill_.age_days(mapping_block(block)); }

 private:
  controller::Superblock mapping_block(BlockInDie block) const;

  const controller::InitialFill& fill_;
  const controller::FlashLayout& flash_layout_;
  const PlaneId first_;
};

}  // namespace nandscape
