// SPDX-License-Identifier: Apache-2.0
// The frontier of superblocks over layers: the wordlines of the four members are written in turn, so that each is
// complete as soon as its pages are there. In a superblock of fullpages, four successive wordlines hold a group of
// fullpages, one in each quarter of the layers. Pages that lend parity come before those that borrow it. When a program
// fails, pages of the group that have no place yet, and pages that lost their place, are written alone: the programmed
// pages are complete without them.
#pragma once

#include "controller/fullpages/fullpage_pattern.h"
#include "controller/writing/plain_frontier.h"

namespace nandscape::controller {

class LayerFrontier final : public PlainFrontier {
 public:
  // Fullpages use the stream of gathered units.
  LayerFrontier(WritingState& writing, const FullpagePattern& fullpages)
      : PlainFrontier(writing, Traits{}), fullpages_(fullpages), fullpage_stream_(writing.settings.streams.gathered) {}

  void open(std::uint8_t stream, FtlPlane plane, Superblock block, std::uint32_t pages) override;
  Turn turn(const PageProgram& page) const override;
  std::optional<std::uint32_t> next_page(const PageProgram& page, bool may_open) const override;
  std::uint32_t programmed_rows(Superblock block, std::uint32_t member) const override;

 private:
  RowAndMember page_at(std::uint32_t position, std::uint8_t stream) const override;

  const FullpagePattern& fullpages_;
  const std::uint8_t fullpage_stream_;
};

}  // namespace nandscape::controller
