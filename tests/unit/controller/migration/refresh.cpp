// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <string>
#include <utility>

#include "assign_parameters.h"
#include "catch.h"
#include "controller/mapping/block_ages.h"
#include "controller/migration/media_care.h"
#include "controller/migration/refresh_policy.h"

namespace nandscape::controller {
namespace {

// Returns a context whose predicted errors increase with age and wear.
RefreshContext context() {
  return {.predicted_rber = [](const BlockAge& b) { return 1e-6 * b.age_hours * (1 + b.pe_cycles / 1000.0); },
          .correctable_rber = 8e-3,
          .read_us = {}};
}

std::unique_ptr<RefreshPolicy> make(const std::string& name, std::map<std::string, std::string> values = {}) {
  values["policy"] = name;
  RefreshParameters parameters;
  assign(parameters, std::move(values));
  return refresh_registry().make(parameters.policy, context());
}

TEST_CASE("refresh is due when its policy says so") {
  CHECK_FALSE(make("none")->due({.age_hours = 1e9, .pe_cycles = 100'000}));

  const auto period = make("period", {{"period_days", "10"}});
  CHECK_FALSE(period->due({.age_hours = 239.9}));
  CHECK(period->due({.age_hours = 240}));

  const auto share = make("predicted_rber", {{"correctable_share", "0.25"}});  // limit: 2e-3
  CHECK_FALSE(share->due({.age_hours = 1999}));
  CHECK(share->due({.age_hours = 2001}));
  CHECK(share->due({.age_hours = 1001, .pe_cycles = 1000}));  // worn blocks reach the limit sooner
  CHECK_FALSE(share->due({.age_hours = 999, .pe_cycles = 1000}));

  const auto limit = make("predicted_rber", {{"rber_limit", "5e-4"}, {"correctable_share", "0.25"}});
  CHECK_FALSE(limit->due({.age_hours = 499}));
  CHECK(limit->due({.age_hours = 501}));
}

TEST_CASE("a block is due after the configured number of reads since its erase") {
  BlockReads reads(100, 3);
  for (int round = 0; round < 3; ++round) {
    reads.add(Superblock(1), 99);
    CHECK_FALSE(reads.due(Superblock(1)));
    for (int k = 0; k < 300; ++k) {
      reads.add(Superblock(1), 1 + static_cast<std::uint32_t>(k % 3));
      REQUIRE(reads.due(Superblock(1)));
      REQUIRE(reads.of(Superblock(1)) == 100);
    }
    CHECK_FALSE(reads.due(Superblock(0)));
    reads.erased(Superblock(1));
    CHECK_FALSE(reads.due(Superblock(1)));
  }
  BlockReads off(0, 3);
  CHECK_FALSE(off.counted());
  off.erased(Superblock(2));
  CHECK_FALSE(off.due(Superblock(2)));
}

TEST_CASE("patrol reads every page once per period, at even intervals, and cycles over the planes") {
  const FtlGeometry geometry(6, 5, 7, 4096);
  Scrub scrub({.period_hours = 2}, geometry);
  const Tick period = 7200 * second;
  for (std::uint64_t round = 0; round < 3; ++round) {
    std::set<std::uint64_t> pages;
    for (std::uint64_t k = 0; k < geometry.units(); ++k) {
      REQUIRE(scrub.due() == round * period + period * k / geometry.units());
      const Ppa page = scrub.next();
      REQUIRE(geometry.plane_of(geometry.block_of(page)).value == k % geometry.planes());
      pages.insert(page.value);
    }
    CHECK(pages.size() == geometry.units());
    CHECK(*pages.rbegin() == geometry.units() - 1);
  }
  CHECK(Scrub({}, geometry).due() == never);
}

TEST_CASE("patrol relocates blocks whose errors approach the correction limit") {
  const FtlGeometry geometry(1, 1, 1, 4096);
  const Scrub scrub({.period_hours = 2, .relocate_error_fraction = 0.75}, geometry);
  CHECK_FALSE(scrub.relocate(53, 72, false));
  CHECK(scrub.relocate(54, 72, false));
  CHECK(scrub.relocate(0, 72, true));  // the error count of an uncorrectable page is unknown
  const Scrub anxious({.period_hours = 2, .relocate_error_fraction = 0}, geometry);
  CHECK_FALSE(anxious.relocate(0, 72, false));
  CHECK(anxious.relocate(1, 72, false));
}

}  // namespace
}  // namespace nandscape::controller
