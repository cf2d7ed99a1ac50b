// SPDX-License-Identifier: Apache-2.0
// Generates the content of pages of files, as the share of cells in each of the four states [Sha, Table I and section
// V-A]. The shares vary from page to page. They are normally distributed about the mean for the kind of file; negative
// shares are set to 0, and the shares of a page are then scaled to add up to 1. In the same way, the shares of the
// segments of a page vary about the shares of the page.
//
// The content of a page is computed from a key only. Therefore the contents of pages can be generated one at a time, in
// any order, and repeatedly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/cell_states.h"
#include "core/parameters.h"
#include "core/random.h"

namespace nandscape::controller {

// The kind of the files. With `mixed`, each page is drawn from one of the other kinds, all with equal probability.
enum class ContentKind : std::uint8_t { mixed, system_files, email, codes, movie, db_data, game, music, office };
const std::vector<Choice>& content_kinds();

// Returns the mean shares of a kind of file, and for `mixed` the mean over all kinds. These are the values of Table I,
// but with the columns 11 and 00 exchanged, because the table and the text of the paper contradict each other. As
// printed, 49 % of the cells of system files are in state 00 and 14 % in state 11, but the text says that they "had
// much more 11 compared with the other states". (Real files match the table as printed: in executables and their
// libraries, 45 to 46 % of the cells are in state 00.) After the exchange, the erased state 11 has the share that is
// printed for 00.
const StateShares& mean_shares(ContentKind kind);

// The standard deviations of the share of a state, as fractions of the cells.
struct ContentSpread {
  // Between pages. The value is fitted so that 85.4 % of the requests are in the levels S2 to S5 of the paper.
  double of_pages = 0.18;
  // Between the eighths of a page. In executables, the values are 0.02 to 0.06, depending on the state.
  double of_segments = 0.04;
};

// Returns the key of a page's content. It depends on the version of the data, so that a page that is moved keeps its
// content and a page that is overwritten gets a new one.
inline std::uint64_t content_key(std::uint64_t logical_page, std::uint64_t version) {
  return mix64(logical_page) ^ version;
}

class ContentProfile {
 public:
  explicit ContentProfile(ContentKind kind, const ContentSpread& spread = {}) : kind_(kind), spread_(spread) {}

  StateShares page(std::uint64_t key) const;
  // Returns the share of 1 bits in the page. In Table I, a cell stores two neighbouring bits of the same page.
  double ones(std::uint64_t key) const;
  // Fills `segments` with the shares of the segments of the page, whose mean is approximately page(key). The standard
  // deviation is given for eighths of a page. Segments of another size vary as the means of independent eighths would.
  void segments(std::uint64_t key, std::span<StateShares> segments) const;

 private:
  ContentKind kind_;
  ContentSpread spread_;
};

}  // namespace nandscape::controller
