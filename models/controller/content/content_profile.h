// SPDX-License-Identifier: Apache-2.0
// The content of file pages, as shares of the four states [Sha, Table I and section V-A]. The share of each state
// varies from page to page: it is Gaussian about the mean for the kind of file. Negative shares are set to 0, then all
// are scaled to add up to 1. The shares of a page's segments vary about those of the page in the same way.
//
// The content of a page is a function of a key: pages can be drawn one at a time, in any order, and repeatedly.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/cell_states.h"
#include "core/parameters.h"
#include "core/random.h"

namespace nandscape::controller {

// `mixed`: each page is of one of the other kinds, all equally likely.
enum class ContentKind : std::uint8_t { mixed, system_files, email, codes, movie, db_data, game, music, office };
const std::vector<Choice>& content_kinds();

// The mean shares of a kind of file; for `mixed`, the mean over all kinds. These are Table I with columns 11 and 00
// exchanged. As printed, 49 % of the cells of system files are in 00 and 14 % in 11, but the text says that they "had
// much more 11 compared with the other states". Real files match the table as printed: executables and their libraries
// have 45 to 46 % of 00. The exchange gives the erased state, 11, the share printed for 00.
const StateShares& mean_shares(ContentKind kind);

// Standard deviations of the share of a state.
struct ContentSpread {
  double of_pages = 0.18;     // between pages; fitted so that 85.4 % of requests are in levels S2 to S5
  double of_segments = 0.04;  // between the eighths of a page; executables have 0.02 to 0.06, by state
};

// The key of a page's content: the content belongs to a version of the data, and moves with it.
inline std::uint64_t content_key(std::uint64_t logical_page, std::uint64_t version) {
  return mix64(logical_page) ^ version;
}

class ContentProfile {
 public:
  explicit ContentProfile(ContentKind kind, const ContentSpread& spread = {}) : kind_(kind), spread_(spread) {}

  StateShares page(std::uint64_t key) const;
  // The share of 1 bits in the page. In Table I a cell holds two bits of the same page.
  double ones(std::uint64_t key) const;
  // Fills `segments` with the shares of the page's segments, whose mean is about page(key). Segments that are not an
  // eighth of a page vary as means of independent eighths do.
  void segments(std::uint64_t key, std::span<StateShares> segments) const;

 private:
  ContentKind kind_;
  ContentSpread spread_;
};

}  // namespace nandscape::controller
