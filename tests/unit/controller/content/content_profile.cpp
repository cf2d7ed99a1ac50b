// SPDX-License-Identifier: Apache-2.0
#include "controller/content/content_profile.h"

#include <cmath>
#include <vector>

#include "catch.h"
#include "core/random.h"

namespace nandscape::controller {
namespace {

using enum CellState;

std::vector<ContentKind> all_kinds() {
  std::vector<ContentKind> kinds;
  for (std::size_t kind = 0; kind < content_kinds().size(); ++kind) kinds.push_back(static_cast<ContentKind>(kind));
  return kinds;
}

// Returns the mean and the standard deviation of the share of one state.
std::array<double, 2> moments(const std::vector<StateShares>& shares, CellState state) {
  double sum = 0, squares = 0;
  for (const StateShares& s : shares) {
    sum += s[state];
    squares += s[state] * s[state];
  }
  const auto n = static_cast<double>(shares.size());
  return {sum / n, std::sqrt(squares / n - sum * sum / n / n)};
}

TEST_CASE("content profile: the rows of Table I add up") {
  for (const ContentKind kind : all_kinds()) CHECK(mean_shares(kind).total() == Approx(1));
  CHECK(mean_shares(ContentKind::system_files)[s11] == Approx(0.4898));
  CHECK(mean_shares(ContentKind::email)[s10] == Approx(0.3612));
  CHECK(mean_shares(ContentKind::mixed)[s01] == Approx(0.2084).epsilon(1e-3));
}

TEST_CASE("content profile: shares are in range and add up to 1, whatever the key") {
  for (const ContentKind kind : all_kinds()) {
    const ContentProfile profile(kind, {.of_pages = 0.5, .of_segments = 0.5});
    std::vector<StateShares> segments(8);
    for (std::uint64_t key = 0; key < 500; ++key) {
      CHECK(profile.page(key).total() == Approx(1));
      profile.segments(key, segments);
      for (const StateShares& shares : segments) {
        CHECK(shares.total() == Approx(1));
        for (const double share : shares.of) CHECK(share >= 0);
      }
    }
  }
}

TEST_CASE("content profile: pages scatter about their mean with the requested spread") {
  // The spread is so narrow that almost no share is clipped. The four shares are scaled to a sum of 1, which removes
  // the common part of their deviations. If all shares are equal, this reduces the variance of each share to 3/4.
  const ContentProfile movie(ContentKind::movie, {.of_pages = 0.02});
  std::vector<StateShares> pages;
  for (std::uint64_t key = 0; key < 20000; ++key) pages.push_back(movie.page(mix64(key)));
  for (const CellState state : {s11, s10, s01, s00}) {
    const auto [mean, sigma] = moments(pages, state);
    CHECK(mean == Approx(mean_shares(ContentKind::movie)[state]).margin(4 * 0.02 / std::sqrt(20000.0)));
    CHECK(sigma == Approx(0.02 * std::sqrt(0.75)).epsilon(0.05));
  }
}

TEST_CASE("content profile: a mixture draws all kinds equally often") {
  const ContentProfile mixed(ContentKind::mixed, {.of_pages = 0});
  std::vector<int> pages(content_kinds().size());
  constexpr int draws = 16000;
  for (std::uint64_t key = 0; key < draws; ++key) {
    for (std::size_t kind = 1; kind < pages.size(); ++kind) {
      pages[kind] += mixed.page(key)[s00] == Approx(mean_shares(static_cast<ContentKind>(kind))[s00]).epsilon(1e-9);
    }
  }
  // Each kind is expected 2000 times, with a standard deviation of 42.
  for (std::size_t kind = 1; kind < pages.size(); ++kind) CHECK(std::abs(pages[kind] - draws / 8) < 5 * 42);
}

TEST_CASE("content profile: segments have the page's mean, and their spread grows with their number") {
  const ContentProfile movie(ContentKind::movie, {.of_pages = 0.02, .of_segments = 0.02});
  for (const std::size_t number : {2u, 8u, 32u}) {
    std::vector<StateShares> segments(number), deviations;
    for (std::uint64_t key = 0; key < 3000; ++key) {
      movie.segments(key, segments);
      StateShares mean;
      for (const StateShares& segment : segments) {
        StateShares deviation;
        for (std::size_t s = 0; s < cell_states; ++s) {
          mean.of[s] += segment.of[s] / static_cast<double>(number);
          deviation.of[s] = segment.of[s] - movie.page(key).of[s];
        }
        deviations.push_back(deviation);
      }
      for (std::size_t s = 0; s < cell_states; ++s) CHECK(mean.of[s] == Approx(movie.page(key).of[s]).margin(0.01));
    }
    const double expected = 0.02 * std::sqrt(static_cast<double>(number) / 8) * std::sqrt(0.75);
    CHECK(moments(deviations, s10)[1] == Approx(expected).epsilon(0.06));
  }
}

TEST_CASE("content profile: a page is a function of its key") {
  const ContentProfile profile(ContentKind::mixed);
  CHECK(profile.page(7) == profile.page(7));
  CHECK_FALSE(profile.page(7) == profile.page(8));
  std::vector<StateShares> whole(1);
  profile.segments(7, whole);
  CHECK(whole.front() == profile.page(7));
}

}  // namespace
}  // namespace nandscape::controller
