// SPDX-License-Identifier: Apache-2.0
// Gathers the pages of one row that are assigned to the planes of one die, and sends them to the scheduler together, so
// that the die programs them with one multi-plane operation. If some of them do not arrive in time, or if no other page
// is being written, the pages that have arrived are sent without the others. The late pages of the row are then sent
// together, too.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <vector>

#include "controller/writing/page_program.h"
#include "controller/writing/writing_state.h"
#include "core/calendar.h"

namespace nandscape::controller {

class RowGathering {
 public:
  class Rows {
   public:
    // Returns whether the member stores data in that row.
    virtual bool has_data(std::uint64_t row, std::uint32_t member) const = 0;

   protected:
    ~Rows() = default;
  };

  // A page waits for at most `longest`. If superblocks have only one member on each die, pages do not wait.
  RowGathering(WritingState& writing, const Rows& rows, Tick longest);

  // Takes an encoded page that is assigned to row `page.planned_row` of the member on its plane.
  void take(PageProgram& page, Tick now);
  // Ends the waiting of all pages of the stream on the plane of the mapping.
  void send_all(std::uint8_t stream, FtlPlane set);
  // Called when the rows of the member on that plane are assigned again, beginning with `row`.
  void restart(std::uint8_t stream, FlashPlane plane, std::uint64_t row) { at(stream, plane).sent_to = row; }

  void list_waiting(std::ostream& out) const;

 private:
  // The pages that wait for a plane.
  struct Member {
    PageQueue waiting;
    std::uint64_t sent_to = 0;  // the row behind the last row whose page has been sent
  };
  // The planes of one die, for one stream.
  struct Part {
    std::uint32_t waiting = 0;  // number of pages that wait
    Tick until = never;         // the time until which they wait
    Tick look_at = never;       // the time for which look() is scheduled
  };

  std::size_t index(std::uint8_t stream, FlashPlane plane) const { return std::size_t{stream} * planes_ + plane.value; }
  Member& at(std::uint8_t stream, FlashPlane plane) { return members_[index(stream, plane)]; }
  // The planes of a die are consecutive, and so are the elements of members_ for them.
  std::size_t part_index(std::uint8_t stream, FlashPlane plane) const { return index(stream, plane) / planes_per_die_; }
  std::span<Member> members_of(std::size_t part) {
    return std::span(members_).subspan(part * planes_per_die_, planes_per_die_);
  }
  static bool waits_for(const Member& m, std::uint64_t row) {
    return !m.waiting.empty() && m.waiting.front()->planned_row == row;
  }
  // Returns the first row for which a page of the part waits.
  std::uint64_t first_row(std::size_t part);
  bool row_complete(std::size_t part);
  void send_row(std::size_t part, Tick now);
  void wait(std::size_t part, Tick until, Tick now);
  void look_at(std::size_t part, Tick at);
  void look(std::uint64_t part);

  WritingState& writing_;
  const Rows& rows_;
  const std::uint32_t planes_;
  const std::uint32_t planes_per_die_;
  const bool gathers_;
  const Tick longest_;
  std::vector<Member> members_;  // indexed by stream and plane
  std::vector<Part> parts_;
};

}  // namespace nandscape::controller
