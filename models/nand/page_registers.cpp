// SPDX-License-Identifier: Apache-2.0
#include "nand/page_registers.h"

namespace nandscape::nand {

void PageRegisters::modify(const NandCommand& program) {
  if (program.bytes == 0) return;
  Page& page = pages_[program.plane];
  // The new bytes have no errors, and the errors of the page are assumed to be spread evenly over its bytes. The
  // remaining bytes therefore keep a proportional share of the errors.
  const std::uint64_t kept = geometry_.page_bytes - program.bytes;
  page.bit_errors = static_cast<std::uint32_t>(page.bit_errors * kept / geometry_.page_bytes);
  if (store_ != nullptr && program.data != nullptr) {
    store_->copy_part(program.data, program.first_byte, program.bytes, page.data.data());
  }
}

void PageRegisters::power_cut() {
  forget();
  for (Page& page : pages_) page = {};
}

void PageRegisters::persist(Archive& archive) {
  archive.section("page registers");
  archive.index(held_, std::uint64_t{1} << geometry_.planes_per_die, "the mask of pages for copyback");
  for (const PlaneInDie plane : pages_.places()) {
    Page& page = pages_[plane];
    archive.number(page.bit_errors, std::uint64_t{8} * geometry_.page_bytes, "the errors of a page for copyback");
    archive(page.torn, page.data, page.tag);
    const std::size_t bytes = holds_page(plane) && store_ != nullptr ? store_->page_bytes() : 0;
    archive.require(page.data.size() >= bytes, "a page for copyback is too short");
  }
}

}  // namespace nandscape::nand
