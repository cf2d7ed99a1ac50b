// SPDX-License-Identifier: Apache-2.0
// The bytes of pages that hold data before the simulation begins: zeros of the host's, scrambled and encoded as if they
// had been written. They are made when they are read.
#pragma once

#include <memory>

#include "controller/data_path.h"
#include "controller/mapping/initial_fill.h"
#include "ecc/page_coders/page_coder.h"
#include "nand/page_store.h"

namespace nandscape {

class FilledPages final : public InitialPages {
 public:
  // Row 0 of the die is the page `first`. The fill must outlive this.
  FilledPages(const InitialFill& fill, Ppn first, const DataPath& path, std::unique_ptr<PageCoder> coder);

  void read(std::uint64_t row, std::byte* page) const override;

 private:
  const InitialFill& fill_;
  const Ppn first_;
  const PageLayout layout_;
  const std::uint32_t page_bytes_;  // with the spare bytes, where they are kept
  const bool scrambled_;
  const std::unique_ptr<PageCoder> coder_;
};

}  // namespace nandscape
