// SPDX-License-Identifier: Apache-2.0
#include "platform/wiring/filled_dies.h"

namespace nandscape {

FilledDies::FilledDies(const controller::Ftl& ftl, const DeviceFacts& facts,
                       const controller::PreconditionParameters& fill)
    : ftl_(ftl), facts_(facts), of_one_age_(fill.ages == controller::FillAges::uniform && fill.updated_bytes == 0) {}

Ppn FilledDies::first_page(DieId die) const {
  const Geometry& geometry = facts_.geometry;
  return Ppn(die.value * geometry.pages_per_plane() * geometry.planes_per_die);
}

std::unique_ptr<nand::InitialPages> FilledDies::pages(DieId die) const {
  return std::make_unique<FilledPages>(ftl_.initial_fill(), ftl_.layout(), first_page(die), facts_.flash.path,
                                       facts_.make_coder(0, ""), codes());
}

std::unique_ptr<nand::InitialTags> FilledDies::tags(DieId die) const {
  return std::make_unique<FilledTags>(ftl_.initial_fill(), ftl_.layout(), first_page(die), codes());
}

std::unique_ptr<nand::InitialAges> FilledDies::ages(DieId die) const {
  if (of_one_age_) return nullptr;
  return std::make_unique<FilledAges>(ftl_.initial_fill(), ftl_.layout(),
                                      PlaneId(die.value * facts_.geometry.planes_per_die));
}

void FilledDies::program(const FlashBackEnd& back_end) const {
  const Geometry& geometry = facts_.geometry;
  const controller::InitialFill& fill = ftl_.initial_fill();
  const controller::FlashLayout& layout = ftl_.layout();
  for (const PlaneId plane : Places<PlaneId>(geometry.planes())) {
    const std::uint32_t used =
        fill.used_blocks(layout.mapping_plane(plane)) * (layout.members() / layout.member_planes());
    if (used == 0) continue;
    nand::Die& die = back_end.die(geometry.die_of(plane), "how it is filled (controller.precondition)");
    for (const BlockInPlane block : Places<BlockInPlane>(used)) {
      const std::uint32_t units = fill.programmed_pages(layout.holding(plane, block));
      die.precondition(geometry.plane_in_die(plane), block, units / layout.units_per_row());
    }
  }
}

}  // namespace nandscape
