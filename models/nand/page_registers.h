// SPDX-License-Identifier: Apache-2.0
// The page registers of a die, one for each plane. The model stores only pages that were read for copyback. Such a page
// remains in the register until another operation uses the register, and it may be programmed more than once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/archive.h"
#include "core/id_vector.h"
#include "core/ids.h"
#include "nand/page_store.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"

namespace nandscape::nand {

class PageRegisters {
 public:
  struct Page {
    std::uint32_t bit_errors = 0;
    bool torn = false;
    std::vector<std::byte> data;
    std::vector<std::uint64_t> tag;
  };

  // `store` is null if the simulation keeps no data. `store` and `geometry` must outlive the registers.
  PageRegisters(const Geometry& geometry, const PageStore* store)
      : geometry_(geometry), store_(store), pages_(geometry.planes_per_die) {}

  // Returns true if the register of the plane holds a page that was read for copyback.
  [[nodiscard]] bool holds_page(PlaneInDie plane) const { return (held_ >> plane.value & 1) != 0; }
  const Page& page(PlaneInDie plane) const { return pages_[plane]; }
  // Marks the register as holding a page for copyback and returns the page, which the caller must fill in.
  Page& fill(PlaneInDie plane) {
    held_ |= 1u << plane.value;
    return pages_[plane];
  }
  // Replaces a part of the page by the data that the controller sends with a copyback program. The new bytes have no
  // errors.
  void modify(const NandCommand& program);

  // Called when another operation uses the register. The page for copyback is then lost.
  void overwrite(PlaneInDie plane) { held_ &= ~(1u << plane.value); }
  // Called for a reset. Afterwards no register holds a page.
  void forget() { held_ = 0; }
  void power_cut();

  void persist(Archive& archive);

 private:
  const Geometry& geometry_;
  const PageStore* store_;
  IdVector<PlaneInDie, Page> pages_;
  std::uint32_t held_ = 0;  // bit mask: bit p is set if the register of plane p holds a page for copyback
};

}  // namespace nandscape::nand
