// SPDX-License-Identifier: Apache-2.0
// The initial contents of the dies if the drive is preconditioned: the contents after the initial fill
// (controller.precondition) of the flash translation layer.
#pragma once

#include <memory>

#include "controller/ftl.h"
#include "platform/wiring/device_facts.h"
#include "platform/wiring/flash_back_end.h"
#include "platform/wiring/initial_pages.h"

namespace nandscape {

class FilledDies final : public InitialContents {
 public:
  // `ftl` and `facts` must outlive this object.
  FilledDies(const controller::Ftl& ftl, const DeviceFacts& facts, const controller::PreconditionParameters& fill);

  std::unique_ptr<nand::InitialPages> pages(DieId die) const override;
  std::unique_ptr<nand::InitialTags> tags(DieId die) const override;
  std::unique_ptr<nand::InitialAges> ages(DieId die) const override;

  // Marks the pages of the initial fill as programmed in the dies.
  void program(const FlashBackEnd& back_end) const;

 private:
  Ppn first_page(DieId die) const;
  FilledCodes codes() const { return FilledCodes(ftl_.shapes().ordinary(), facts_.flash.path, ftl_.codes()); }

  const controller::Ftl& ftl_;
  const DeviceFacts& facts_;
  const bool of_one_age_;
};

}  // namespace nandscape
