// SPDX-License-Identifier: Apache-2.0
#include "controller/content/content_profile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/random.h"

namespace nandscape::controller {

namespace {

constexpr std::size_t file_kinds = 8;

// Table I of [Sha] as printed, in percent, with the columns 11, 10, 01 and 00. shares_of_kinds() exchanges the columns
// 11 and 00; content_profile.h gives the reason.
constexpr std::array<std::array<double, cell_states>, file_kinds> table_1{{
    {13.67, 17.78, 19.57, 48.98},  // system files
    {19.15, 36.12, 19.50, 25.23},  // email
    {17.16, 15.78, 16.28, 50.78},  // codes
    {28.24, 23.73, 23.61, 24.42},  // movie
    {20.73, 19.74, 19.48, 40.05},  // DB data
    {20.47, 24.60, 24.60, 30.33},  // game file
    {20.98, 23.34, 23.43, 32.25},  // music
    {22.74, 20.80, 20.25, 36.21},  // office file
}};

using SharesOfKinds = std::array<StateShares, file_kinds + 1>;

SharesOfKinds shares_of_kinds() {
  SharesOfKinds shares;
  StateShares& mixed = shares[0];
  for (std::size_t kind = 1; kind < shares.size(); ++kind) {
    const auto& [s11, s10, s01, s00] = table_1[kind - 1];
    shares[kind] = {{s00 / 100, s10 / 100, s01 / 100, s11 / 100}};
    for (std::size_t s = 0; s < cell_states; ++s) mixed.of[s] += shares[kind].of[s] / file_kinds;
  }
  return shares;
}

// Each stream is a separate sequence of random numbers for the same key.
enum Stream : std::uint64_t { kind_stream = 1, page_stream, segment_stream };

class Draws {
 public:
  Draws(std::uint64_t key, Stream stream) : word_(mix64(key ^ mix64(stream))) {}

  std::uint64_t bits() { return word_ = mix64(word_); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
  // Returns two independent samples of the standard normal distribution [Box, Muller 1958].
  std::array<double, 2> gaussians() {
    const double radius = std::sqrt(-2 * std::log1p(-uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    return {radius * std::cos(angle), radius * std::sin(angle)};
  }

 private:
  std::uint64_t word_;
};

StateShares gaussians(Draws& draws) {
  const auto [a, b] = draws.gaussians();
  const auto [c, d] = draws.gaussians();
  return {{a, b, c, d}};
}

// Returns `mean` plus `sigma` times `deviation`. Negative shares are set to 0, and the result is scaled to add up to 1.
StateShares spread_out(const StateShares& mean, const StateShares& deviation, double sigma) {
  StateShares shares;
  for (std::size_t s = 0; s < cell_states; ++s) shares.of[s] = std::max(0.0, mean.of[s] + sigma * deviation.of[s]);
  const double total = shares.total();
  if (total <= 0) return mean;
  for (double& share : shares.of) share /= total;
  return shares;
}

}  // namespace

const std::vector<Choice>& content_kinds() {
  static const std::vector<Choice> kinds{
      {"mixed", "each page is of one of the other kinds, all equally likely"},
      {"system_files", "files of an operating system"},
      {"email", "emails"},
      {"codes", "program sources"},
      {"movie", "compressed video"},
      {"db_data", "database tables"},
      {"game", "game files"},
      {"music", "compressed audio"},
      {"office", "office documents"},
  };
  return kinds;
}

const StateShares& mean_shares(ContentKind kind) {
  static const SharesOfKinds shares = shares_of_kinds();
  return shares[static_cast<std::size_t>(kind)];
}

StateShares ContentProfile::page(std::uint64_t key) const {
  ContentKind kind = kind_;
  if (kind == ContentKind::mixed) kind = static_cast<ContentKind>(1 + Draws(key, kind_stream).bits() % file_kinds);
  Draws draws(key, page_stream);
  return spread_out(mean_shares(kind), gaussians(draws), spread_.of_pages);
}

double ContentProfile::ones(std::uint64_t key) const {
  const StateShares shares = page(key);
  return shares[CellState::s11] + (shares[CellState::s10] + shares[CellState::s01]) / 2;
}

void ContentProfile::segments(std::uint64_t key, std::span<StateShares> segments) const {
  const StateShares page = this->page(key);
  if (segments.size() == 1) {
    segments[0] = page;
    return;
  }
  const auto n = static_cast<double>(segments.size());
  Draws draws(key, segment_stream);
  StateShares mean;
  for (StateShares& deviation : segments) {
    deviation = gaussians(draws);
    for (std::size_t s = 0; s < cell_states; ++s) mean.of[s] += deviation.of[s] / n;
  }
  // The mean of the n deviations was subtracted above, which makes their standard deviation smaller by the factor
  // sqrt(1 - 1/n). The division by this factor compensates for that.
  const double sigma = spread_.of_segments * std::sqrt(n / 8) / std::sqrt(1 - 1 / n);
  for (StateShares& segment : segments) {
    for (std::size_t s = 0; s < cell_states; ++s) segment.of[s] -= mean.of[s];
    segment = spread_out(page, segment, sigma);
  }
}

}  // namespace nandscape::controller
