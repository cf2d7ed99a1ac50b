// SPDX-License-Identifier: Apache-2.0
// What pages of files hold, as shares of the four states [Sha, Table I and section V-A]: each state's share is Gaussian
// from page to page about the mean of its kind of file. Shares below 0 are 0; then they are scaled to add up to 1.
// Within a page its segments differ in the same way.
//
// A page is a function of a key: it is drawn alone, in any order, and again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "controller/content/cell_states.h"
#include "core/parameters.h"
#include "core/random.h"

namespace nandscape::controller {

// `mixed`: each page is of one of the others, each as likely.
enum class ContentKind : std::uint8_t { mixed, system_files, email, codes, movie, db_data, game, music, office };
const std::vector<Choice>& content_kinds();

// Table I with its columns 11 and 00 exchanged. As printed, the system files have 49 % of 00 and 14 % of 11, where the
// text says that they "had much more 11 compared with the other states". Files themselves are as printed (executables
// and their libraries have 45 to 46 % of 00): what is exchanged is which of the two states the erased one stands for.
// For `mixed` the mean of all.
const StateShares& mean_shares(ContentKind kind);

// Standard deviations of a state's share.
struct ContentSpread {
  double of_pages = 0.18;     // from page to page; fitted to the share of requests in levels S2 to S5, 85.4 %
  double of_segments = 0.04;  // between the eighths of a page; as those of executables have it, 0.02 to 0.06 by state
};

// What a page holds is that of its data, which move with their version.
inline std::uint64_t content_key(std::uint64_t logical_page, std::uint64_t version) {
  return mix64(logical_page) ^ version;
}

class ContentProfile {
 public:
  explicit ContentProfile(ContentKind kind, const ContentSpread& spread = {}) : kind_(kind), spread_(spread) {}

  StateShares page(std::uint64_t key) const;
  // The share of bits that are 1 of a page of such files, whose cells hold two of its bits each in Table I.
  double ones(std::uint64_t key) const;
  // Of as many segments of the page as `segments` has, whose shares are about `page(key)` on average. Segments of
  // another size differ as means of independent eighths do.
  void segments(std::uint64_t key, std::span<StateShares> segments) const;

 private:
  ContentKind kind_;
  ContentSpread spread_;
};

}  // namespace nandscape::controller
