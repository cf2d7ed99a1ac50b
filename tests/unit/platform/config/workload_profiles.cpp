// SPDX-License-Identifier: Apache-2.0
// Tests the files of workload profiles, and measures the statistics of the streams that the profiles produce.
#include "platform/config/configuration_files.h"

#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "catch.h"
#include "host/workloads/workload_parameters.h"
#include "platform/config/configuration.h"
#include "platform/config/yaml_reader.h"
#include "unit/platform/temporary_folder.h"

using namespace nandscape;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;

namespace {

constexpr std::uint64_t capacity_sectors = std::uint64_t{1} << 31;  // 1 TiB
constexpr double sector_bytes = 512;
constexpr std::uint64_t sectors_per_page = 32;  // pages of 16 KiB, the unit in which updates are counted

Configuration resolve(const std::string& text, const std::vector<Override>& overrides = {}) {
  return resolve_configuration(read_yaml(text, {"study.yaml", 1}), overrides);
}

Value workload_of(const std::string& text, const std::vector<Override>& overrides = {}) {
  return resolve(text, overrides).resolved.at("host.workload");
}

std::string with_profile(const std::string& profile, const std::string& more = "") {
  return "host: {workload: {kind: profile, profile: " + profile + more + "}}";
}

std::string with_volume(const std::string& profile, const std::string& more = "") {
  return "host: {workload: {kind: volume, profile: " + profile + more + "}}";
}

std::vector<host::HostRequest> requests_of(const Configuration& configuration, std::uint64_t seed = 1) {
  const auto source =
      host::make_workload(configuration.parameters.host.workload.front(), capacity_sectors, 1, seed, "host.workload");
  std::vector<host::HostRequest> requests;
  for (host::HostRequest request; source->next(request);) requests.push_back(request);
  return requests;
}

// The statistics that the papers publish.
struct Measured {
  double read_share = 0;
  double mean_read = 0;
  double mean_write = 0;
  std::vector<double> class_shares = std::vector<double>(4);
  double cold_share = 0;           // share of reads whose first page is never written
  double never_updated_share = 0;  // among the pages of all other reads, share of pages that are never written
};

Measured measure(const std::vector<host::HostRequest>& requests) {
  const auto pages = [](const host::HostRequest& r) {
    return std::pair(r.first.value / sectors_per_page, (r.first.value + r.sectors - 1) / sectors_per_page);
  };
  std::set<std::uint64_t> updated;
  for (const host::HostRequest& request : requests) {
    const auto [first, last] = pages(request);
    for (std::uint64_t page = first; page <= last && request.kind == host::RequestKind::write; ++page)
      updated.insert(page);
  }
  double reads = 0, read_bytes = 0, written_bytes = 0, cold = 0, hot_pages = 0, never_updated = 0;
  Measured m;
  for (const host::HostRequest& request : requests) {
    const double bytes = static_cast<double>(request.sectors) * sector_bytes;
    m.class_shares[bytes <= 4096 ? 0 : bytes <= 8192 ? 1 : bytes <= 16384 ? 2 : 3] += 1;
    if (request.kind == host::RequestKind::write) {
      written_bytes += bytes;
      continue;
    }
    ++reads;
    read_bytes += bytes;
    const auto [first, last] = pages(request);
    if (!updated.contains(first)) {
      ++cold;
      continue;
    }
    for (std::uint64_t page = first; page <= last; ++page) {
      ++hot_pages;
      never_updated += updated.contains(page) ? 0 : 1;
    }
  }
  const auto all = static_cast<double>(requests.size());
  m.read_share = reads / all;
  m.mean_read = read_bytes / reads;
  m.mean_write = written_bytes / (all - reads);
  for (double& share : m.class_shares) share /= all;
  m.cold_share = cold / reads;
  m.never_updated_share = hot_pages == 0 ? 0 : never_updated / hot_pages;
  return m;
}

void check_statistics(const Configuration& configuration) {
  const Measured measured = measure(requests_of(configuration));
  const Value& given = configuration.resolved.at("host.workload");
  const double share = given.at("read_percent").number() / 100;
  const auto within = [](double value) { return Approx(value).epsilon(0.02); };
  CHECK(measured.read_share == within(share));
  if (share > 0) CHECK(measured.mean_read == within(given.at("mean_read_bytes").number()));
  if (share < 1) CHECK(measured.mean_write == within(given.at("mean_write_bytes").number()));
  CHECK(measured.never_updated_share < 0.02);
  if (share > 0) CHECK(measured.cold_share == within(given.at("cold_read_percent").number() / 100));
  const Value::List& classes = *given.at("size_class_percent").list_items();
  for (std::size_t k = 0; k < classes.size(); ++k) {
    CAPTURE(k);
    CHECK(measured.class_shares[k] == within(classes[k].number() / 100));
  }
}

// Runs a thousandth of the disk. Checks the amount of data written, the amount of distinct data, and the share of
// writes that are overwritten within the time span.
void check_amounts(const std::string& name) {
  const Configuration configuration = resolve(with_volume(name, ", scale: 0.001, requests: 100000000"));
  const Value& given = configuration.resolved.at("host.workload");
  const double per_gib = std::ldexp(0.001, 30) / given.at("request_bytes").number();
  std::set<std::uint64_t> places;
  double writes = 0;
  for (const host::HostRequest& request : requests_of(configuration)) {
    if (request.kind != host::RequestKind::write) continue;
    ++writes;
    places.insert(request.first.value);
  }
  const auto distinct = static_cast<double>(places.size());
  CHECK(writes == std::floor(given.at("written_gib").number() * per_gib));
  CHECK(distinct == std::floor(given.at("distinct_gib").number() * per_gib));
  const Value file = workload_profile("volume", name);
  const bool day = given.at("span_days") == Value(1.0);
  const std::string share = day ? "overwritten_1_day_percent" : "overwritten_1_week_percent";
  // The published amount and percentage have only one decimal, so the margin allows for rounding.
  const double rounding = 0.05 + 100 * 0.051 / given.at("written_gib").number();
  CHECK(100 * (1 - distinct / writes) == Approx(file.at("published").at(share).number()).margin(rounding));
}

}  // namespace

TEST_CASE("the stream of every profile has the statistics of the profile") {
  const auto profiles = list_workload_profiles();
  REQUIRE(profiles.size() >= 31 + 16);
  for (const auto& [kind, name, comment] : profiles) {
    CAPTURE(kind, name);
    CHECK_THAT(comment, EndsWith("."));
    if (kind == "volume") {
      check_amounts(name);
      continue;
    }
    check_statistics(resolve(with_profile(name)));
    check_statistics(resolve(with_profile(name, ", requests: 20000")));
  }
}

// The ratios are from Park et al., Table 2. Profiles whose sizes are from a different paper also take their read ratio
// from that paper.
TEST_CASE("read ratios and cold ratios of Park et al. are compatible with the sizes of the profiles") {
  struct Row {
    const char* name;
    double read_percent;
    double cold_percent;
  };
  const Row rows[] = {{"stg_0", 15, 38},  {"hm_0", 36, 22},   {"prn_1", 75, 72},  {"proj_1", 89, 96},
                      {"mds_1", 92, 98},  {"usr_1", 96, 73},  {"ycsb_a", 98, 72}, {"ycsb_b", 99, 59},
                      {"ycsb_c", 99, 60}, {"ycsb_d", 98, 58}, {"ycsb_e", 99, 98}, {"ycsb_f", 98, 87}};
  for (const Row& row : rows) {
    CAPTURE(row.name);
    const Configuration configuration =
        resolve(with_profile(row.name), {{"host.workload.read_percent", row.read_percent}});
    CHECK(configuration.resolved.at("host.workload.cold_read_percent") == Value(row.cold_percent));
    check_statistics(configuration);
  }
}

TEST_CASE("keys of the workload change single values of its profile") {
  const Value plain = workload_of(with_profile("stg_0"));
  const Value changed = workload_of(with_profile("stg_0", ", mean_read_bytes: 40000"), {{"host.workload.requests", 7}});
  CHECK(changed.at("mean_read_bytes") == Value(40'000.0));
  CHECK(changed.at("requests") == Value(7));
  CHECK(changed.at("mean_write_bytes") == plain.at("mean_write_bytes"));
  CHECK(changed.at("size_class_percent") == plain.at("size_class_percent"));
  CHECK(workload_of(with_profile("stg_0", ", size_class_percent: []")).at("size_class_percent") == Value::list());
}

TEST_CASE("each of several workloads has its own profile") {
  const Configuration configuration = resolve(
      "host: {workload: [{kind: profile, profile: stg_0}, {read_percent: 5}, {kind: profile, profile: ycsb_a, name: "
      "y}]}",
      {{"host.workload.2.requests", 9}});
  const Value::List& workloads = *configuration.resolved.at("host.workload").list_items();
  CHECK(workloads[0].at("mean_write_bytes") == Value(12'995.0));
  CHECK(workloads[1].at("read_percent") == Value(5.0));
  CHECK(workloads[2].at("mean_write_bytes") == Value(8192.0));
  CHECK(workloads[2].at("requests") == Value(9));
}

// Values in a lower layer that were given for a different profile do not apply, as with cell sets.
TEST_CASE("choosing another profile drops the values that belong to the previous one") {
  const Value hm_0 = workload_of(with_profile("hm_0"));
  const Override chosen = {"host.workload.profile", "hm_0"};
  CHECK(workload_of(with_profile("stg_0", ", mean_read_bytes: 40000"), {chosen}) == hm_0);
  CHECK(resolve_configuration(resolve(with_profile("stg_0")).resolved, {chosen}).resolved.at("host.workload") == hm_0);
  CHECK(workload_of("host: {workload: [{kind: profile, profile: stg_0, read_percent: 1}]}",
                    {{"host.workload.0.profile", "hm_0"}}) == hm_0);
  CHECK(workload_of(with_profile("hm_0", ", read_percent: 1"), {chosen}).at("read_percent") == Value(1.0));
  // Keys that do not belong to the profile keep their values.
  CHECK(workload_of(with_profile("stg_0", ", requests: 7"), {chosen}).at("requests") == Value(7));

  const TemporaryFolder folder;
  folder.write("base.yaml", with_profile("stg_0", ", read_percent: 1") + "\n");
  const std::string other = folder.write("other.yaml", "extends: base.yaml\n" + with_profile("hm_0") + "\n");
  CHECK(load_configuration(other).resolved.at("host.workload") == hm_0);
}

TEST_CASE("a profile can be a user's file, which its resolved configuration no longer needs") {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.yaml", "read_percent: 12\n");
  const Configuration configuration = resolve(with_profile(file));
  CHECK(configuration.resolved.at("host.workload.read_percent") == Value(12.0));
  CHECK(configuration.resolved.at("host.workload.profile") == Value(file));
  std::filesystem::remove(file);
  CHECK(resolve(configuration.to_yaml()).resolved == configuration.resolved);
}

TEST_CASE("an error for an unknown profile names the nearest, and all") {
  CHECK_THROWS_WITH(resolve("host:\n  workload:\n    kind: profile\n    profile: ycbs_a\n"),
                    Contains("study.yaml:4: host.workload.profile: no profile is named 'ycbs_a'; did you "
                             "mean ycsb_a? The profiles are 24hrs8, "));
}

TEST_CASE("volumes have their own profiles, whose names may coincide with others") {
  CHECK_THROWS_WITH(resolve("host:\n  workload:\n    kind: volume\n    profile: tpc1\n"),
                    Contains("study.yaml:4: host.workload.profile: no volume is named 'tpc1'; did you mean tpcc1? The "
                             "volumes are hd1, "));
  const Value volume = workload_of(with_volume("prn_0"));
  CHECK(volume.at("written_gib") == Value(44.2));
  CHECK(volume.at("read_percent") == Value(20.0));
  // Values that were given for one kind of workload do not apply to the other kind.
  CHECK(workload_of(with_profile("prn_0"), {{"host.workload.kind", "volume"}}) == volume);
  CHECK(resolve_configuration(resolve(with_profile("prn_0")).resolved, {{"host.workload.kind", "volume"}})
            .resolved.at("host.workload") == volume);
  CHECK(workload_of("host: {workload: {read_percent: 1}}",
                    {{"host.workload.kind", "volume"}, {"host.workload.profile", "prn_0"}}) == volume);
  CHECK(workload_of(with_volume("hd1", ", scale: 2"), {{"host.workload.profile", "prn_0"}}).at("scale") == Value(2.0));
}

TEST_CASE("a profile is returned as written, and published figures are not part of the workload") {
  const Value tpcc1 = workload_profile("volume", "tpcc1");
  CHECK(tpcc1.at("capacity_gib") == Value(149));
  CHECK(tpcc1.at("published.exported_gib") == Value(847));
  CHECK(workload_profile("volume", "tpcc2").at("distinct_gib") == Value(6.0));
  CHECK(workload_profile("profile", "prn_0").at("read_percent") == Value(11));
  CHECK(workload_of(with_volume("tpcc1")).find("published") == nullptr);
  CHECK_THROWS_WITH(workload_profile("volume", "hd3"), Contains("no volume is named 'hd3'; did you mean hd1?"));
  CHECK_THROWS_WITH(workload_profile("volumes", "hd1"), Contains("host.workload.kind"));
  CHECK_THROWS_WITH(workload_profile("trace", "hd1"), Contains("host.workload.profile"));

  const TemporaryFolder folder;
  const std::string typo = folder.write("typo.yaml", "written_gib: 12\npublished:\n  dise: 12\n");
  CHECK_THROWS_WITH(resolve(with_volume(typo)), Contains(typo + ":3: dise: unknown key; did you mean dies?"));
  const std::string other = folder.write("other.yaml", "written_gb: 12\n");
  CHECK_THROWS_WITH(workload_profile("volume", other), Contains(other + ":1: host.workload.written_gb: unknown key"));
  const std::string request = folder.write("request.yaml", "read_percent: 12\npublished: {}\n");
  CHECK_THROWS_WITH(resolve(with_profile(request)), Contains(request + ":2: host.workload.published: unknown key"));
}

TEST_CASE("an error in the file of a profile names that file") {
  const TemporaryFolder folder;
  const std::string typo = folder.write("typo.yaml", "read_percnt: 12\n");
  CHECK_THROWS_WITH(resolve(with_profile(typo)), Contains(typo + ":1: host.workload.read_percnt: unknown key"));
  const std::string more = folder.write("more.yaml", "read_percent: 12\nrequests: 5\n");
  CHECK_THROWS_WITH(resolve(with_profile(more)),
                    Contains(more + ":2: host.workload.requests: a profile holds statistics of requests"));
  const std::string list = folder.write("list.yaml", "- 1\n");
  CHECK_THROWS_WITH(resolve(with_profile(list)), list + ": is not a group of keys");
}

TEST_CASE("profiles apply only to workloads of their kind") {
  CHECK_THROWS_WITH(resolve("host: {workload: {profile: stg_0}}"), Contains("host.workload.profile"));
  CHECK_THROWS_WITH(resolve("host: {workload: {kind: profile, profile: 3}}"),
                    Contains("host.workload.profile: expected"));
  CHECK(workload_of("host: {workload: {kind: profile}}").at("profile") == Value(""));
}

TEST_CASE("profiles can be in another folder") {
  const std::filesystem::path standard = workload_profile_folder();
  const TemporaryFolder folder;
  folder.write("mine.yaml", "# My workload.\nread_percent: 3\n");
  set_workload_profile_folder(folder.path());
  std::filesystem::create_directory(std::filesystem::path(folder.path()) / "volumes");
  folder.write("volumes/mine.yaml", "# My volume.\nread_percent: 4\n");
  const auto profiles = list_workload_profiles();
  const Value workload = workload_of(with_profile("mine"));
  const Value volume = workload_of(with_volume("mine"));
  set_workload_profile_folder(standard);
  REQUIRE(profiles.size() == 2);
  CHECK(profiles[0].kind + " " + profiles[0].name + ": " + profiles[0].comment == "profile mine: My workload.");
  CHECK(profiles[1].kind + " " + profiles[1].name + ": " + profiles[1].comment == "volume mine: My volume.");
  CHECK(workload.at("read_percent") == Value(3.0));
  CHECK(volume.at("read_percent") == Value(4.0));
}
