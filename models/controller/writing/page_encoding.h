// SPDX-License-Identifier: Apache-2.0
// Encodes pages: writes their tags, chooses their codes, gathers the pages of a wordline if its content decides how it
// is written, and hands encoded pages to the scheduler.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>

#include "controller/writing/code_choice.h"
#include "controller/writing/page_program.h"
#include "controller/writing/wordline_pairs.h"
#include "controller/writing/writing_state.h"

namespace nandscape::controller {

class WriteFrontier;

class PageEncoding final : public CodingStage, private WordlinePairs::Client {
 public:
  PageEncoding(WritingState& writing, const WriteFrontier& frontier);

  // Encodes a page that is assembled and assigned to a plane of the flash.
  void encode(PageProgram& page);
  void coded(PageProgram& page, Tick now) override;
  // Encodes the page again, by a code that is allowed at any place.
  void encode_again(PageProgram& page) override;
  // Whether the code of the page is allowed at that page of its write point.
  bool allows(const PageProgram& page, std::uint64_t place) const {
    return !codes_.by_place() || codes_.may_stand(page, place);
  }

  // Pairs of pages of a wordline; null if pages are written alone.
  WordlinePairs* pairs() { return pairs_ ? &*pairs_ : nullptr; }
  // The last page of a pair, for which the next place of the write point is reserved; null if there is none.
  const PageProgram* reserved_for(std::uint8_t stream, FlashPlane plane) const {
    return pairs_ ? pairs_->reserved_for(stream, plane) : nullptr;
  }
  // Pages that wait for the other page of their wordline are written alone.
  void release_held() {
    if (pairs_) pairs_->release_all();
  }
  void list_waiting(std::ostream& out) const {
    if (pairs_) pairs_->list_waiting(out);
  }

 private:
  std::uint64_t expected_place(const PageProgram& page) const;
  void write_tag(PageProgram& page) const;
  // WordlinePairs::Client
  void encode_alone(PageProgram& page) override;
  void place_settled(FlashPlane plane) override { writing_.scheduler.places_changed(plane, writing_.calendar.now()); }

  WritingState& writing_;
  const WriteFrontier& frontier_;
  const CodeChoice codes_;
  std::optional<WordlinePairs> pairs_;  // if choices depend on pairs and the frontier has them
};

}  // namespace nandscape::controller
