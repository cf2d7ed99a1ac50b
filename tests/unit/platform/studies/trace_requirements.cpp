// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <string>

#include "catch.h"
#include "core/error.h"
#include "platform/studies/retention_requirements/trace_requirements.h"
#include "unit/platform/temporary_folder.h"

using namespace nandscape;

namespace {

const std::string header = "time_s,operation,lba,sectors\n";

TraceRequirements requirements_of(const std::string& lines, std::uint64_t skip_s = 0, std::uint64_t capacity = 0) {
  const TemporaryFolder folder;
  host::TraceFile file;
  file.path = folder.write("trace.csv", lines);
  return study_requirements(file, skip_s * RequirementHistogram::second_ns, capacity);
}

std::string refusal_of(const std::string& lines, std::uint64_t skip_s = 0, std::uint64_t capacity = 0) {
  try {
    requirements_of(lines, skip_s, capacity);
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

// Reproduces Figure 8 of the paper: writes to a, b, b, a, c, a at times 0 to 5 s.
TEST_CASE("the example of the paper", "[retention]") {
  const TraceRequirements found = requirements_of(
      header + "100,write,0,1\n101,write,1,1\n102,write,1,1\n103,write,0,1\n104,write,2,1\n105,write,0,1\n");
  CHECK(found.writes == 6);
  CHECK(found.written_sectors == 6);
  CHECK(found.distinct_sectors == 3);
  CHECK(found.capacity_sectors == 3);
  CHECK(found.span_ns == 5 * RequirementHistogram::second_ns);
  // Three writes are overwritten later, so three retention requirements are known: 3 s, 1 s and 2 s.
  CHECK(found.requirements.within() == std::array<std::uint64_t, 5>{1, 3, 3, 3, 3});
  const auto& bins = found.requirements.bins();
  CHECK(std::accumulate(bins.begin(), bins.end(), std::uint64_t{0}) == 3);
}

TEST_CASE("marks and edges include equal times", "[retention]") {
  RequirementHistogram histogram;
  for (const std::uint64_t mark : RequirementHistogram::marks_ns) {
    histogram.add(1, mark);
    histogram.add(10, mark + 1);
  }
  CHECK(histogram.within() == std::array<std::uint64_t, 5>{1, 12, 23, 34, 45});
  RequirementHistogram binned;
  binned.add(1, 0);
  binned.add(2, 1000);
  binned.add(4, 1001);
  binned.add(8, RequirementHistogram::edges_ns().back());
  binned.add(16, RequirementHistogram::edges_ns().back() + 1);
  CHECK(binned.bins()[0] == 3);
  CHECK(binned.bins()[1] == 4);
  CHECK(binned.bins()[binned.bins().size() - 2] == 8);
  CHECK(binned.bins().back() == 16);
}

TEST_CASE("reads, trims and flushes do not change the requirements; reads extend the disk", "[retention]") {
  const TraceRequirements found =
      requirements_of(header + "0,write,0,8\n1,trim,0,8\n2,read,90,10\n3,flush,0,0\n10,write,4,8\n20,read,0,1\n");
  CHECK(found.written_sectors == 16);
  CHECK(found.distinct_sectors == 12);
  CHECK(found.capacity_sectors == 100);
  CHECK(found.span_ns == 20 * RequirementHistogram::second_ns);
  CHECK(found.requirements.within()[1] == 4);
}

TEST_CASE("records within the skipped time are left out", "[retention]") {
  const std::string lines = header + "0,write,500,1\n9,write,0,1\n10,write,0,1\n12,write,0,1\n";
  const TraceRequirements found = requirements_of(lines, 10);
  CHECK(found.writes == 2);
  CHECK(found.distinct_sectors == 1);
  CHECK(found.span_ns == 2 * RequirementHistogram::second_ns);
  CHECK(found.capacity_sectors == 501);
  CHECK_THAT(refusal_of(lines, 13), ContainsSubstring("writes nothing after the skipped time"));
}

TEST_CASE("records out of order take the time of the one before them", "[retention]") {
  const TraceRequirements found = requirements_of(header + "5,write,0,1\n3,write,0,1\n7,write,0,1\n");
  CHECK(found.reordered == 1);
  CHECK(found.requirements.bins()[0] == 1);
  CHECK(found.span_ns == 2 * RequirementHistogram::second_ns);
}

TEST_CASE("errors name the line", "[retention]") {
  CHECK_THAT(refusal_of(header + "0,write,0,1\n1,write,x,1\n"), ContainsSubstring("trace.csv:3"));
  CHECK_THAT(refusal_of(header + "0,write,0,8\n1,read,95,8\n", 0, 100),
             ContainsSubstring("trace.csv:3") && ContainsSubstring("past the capacity of 100 sectors"));
  CHECK_THAT(refusal_of(header + "0,read,0,8\n"), ContainsSubstring("writes nothing"));
  CHECK_THAT(refusal_of("nothing\n"), ContainsSubstring("trace.csv"));
}
