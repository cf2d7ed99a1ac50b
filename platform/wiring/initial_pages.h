// SPDX-License-Identifier: Apache-2.0
// Pages that hold data before the simulation begins: the bytes are zeros of the host's, scrambled and encoded as if
// they had been written, the tags tell whose they are, and the ages when they were written. All are made when they are
// asked for; where a page holds parity, it is that of the others of its row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "controller/addresses/flash_layout.h"
#include "controller/ecc_selection/ecc_selection.h"
#include "controller/flash_ops/data_path.h"
#include "controller/mapping/initial_fill.h"
#include "ecc/page_coders/page_coder.h"
#include "nand/cell_models/block_histories.h"
#include "nand/page_store.h"
#include "nand/page_tags.h"

namespace nandscape {

// Which codes such pages are of: those that they would have been given where they lie.
class FilledCodes {
 public:
  // `chooser` is null where pages are of one code.
  FilledCodes(const controller::FlashLayout& flash_layout, const controller::DataPath& path,
              controller::CodeChooser* chooser);

  bool are_told() const { return chooser_ != nullptr; }
  controller::PageCoding of(Ppn flash_page, std::span<const std::uint64_t> tag) const;

 private:
  controller::CodeChooser* const chooser_;
  const std::uint32_t pages_per_block_;
  const std::uint32_t pages_per_wordline_;
  const std::vector<std::byte> zeroes_;  // a page of them, where bytes are kept
};

class FilledPages final : public nand::InitialPages {
 public:
  // Row 0 of the die is the flash's page `first`. Fill and layout must outlive this.
  FilledPages(const controller::InitialFill& fill, const controller::FlashLayout& flash_layout, Ppn first,
              const controller::DataPath& path, std::unique_ptr<ecc::PageCoder> coder, const FilledCodes& codes);

  void read(std::uint64_t row, std::byte* page) const override;

 private:
  void make(Ppn flash_page, controller::Ppa first_unit, std::byte* page) const;

  const controller::InitialFill& fill_;
  const controller::FlashLayout& flash_layout_;
  const Ppn first_;
  const PageLayout layout_;
  const std::uint32_t page_bytes_;  // with the spare bytes, where they are kept
  const bool scrambled_;
  const std::unique_ptr<ecc::PageCoder> coder_;
  const FilledCodes codes_;
};

// {logical page or no_tag, version 0} of each unit: nothing has been written over what was there from the start.
class FilledTags final : public nand::InitialTags {
 public:
  FilledTags(const controller::InitialFill& fill, const controller::FlashLayout& flash_layout, Ppn first,
             const FilledCodes& codes)
      : fill_(fill), flash_layout_(flash_layout), first_(first), codes_(codes) {}

  void read(std::uint64_t row, std::span<std::uint64_t> tag) const override;

 private:
  // To words that the caller has cleared.
  void add(controller::Ppa first_unit, std::span<std::uint64_t> tag) const;

  const controller::InitialFill& fill_;
  const controller::FlashLayout& flash_layout_;
  const Ppn first_;
  const FilledCodes codes_;
};

// When blocks were written.
class FilledAges final : public nand::InitialAges {
 public:
  // Block 0 of the die is the first of the flash's plane `first`.
  FilledAges(const controller::InitialFill& fill, const controller::FlashLayout& flash_layout, PlaneId first)
      : fill_(fill), flash_layout_(flash_layout), first_(first) {}

  bool from_first_condition(std::uint32_t block) const override { return !fill_.updated(mapping_block(block)); }
  double hours(std::uint32_t block) const override { return 24 * fill_.age_days(mapping_block(block)); }

 private:
  controller::Superblock mapping_block(std::uint32_t block) const;

  const controller::InitialFill& fill_;
  const controller::FlashLayout& flash_layout_;
  const PlaneId first_;
};

}  // namespace nandscape
