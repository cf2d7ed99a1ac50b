// SPDX-License-Identifier: Apache-2.0
#include "core/archive.h"

#include <array>

#include "catch.h"
#include "core/latency_histogram.h"
#include "core/random.h"

namespace nandscape {
namespace {

struct Wheel {
  std::uint32_t spokes = 0;
  std::vector<double> loads;

  void persist(Archive& archive) { archive(spokes, loads); }
  bool operator==(const Wheel&) const = default;
};

// One of everything that an archive knows.
struct Vehicle {
  double weight = 0;
  std::array<std::int16_t, 3> size{};
  std::string name;
  std::vector<Wheel> wheels;
  std::vector<bool> flags;
  std::vector<std::vector<std::byte>> rows;
  std::optional<Wheel> spare;
  std::optional<std::uint32_t> seats;
  std::unique_ptr<Wheel> steering;
  std::unique_ptr<std::uint64_t[]> log;
  std::unordered_map<std::uint64_t, Wheel> parts;
  std::unordered_map<std::uint64_t, std::unique_ptr<std::uint16_t[]>> pages;
  RandomStream random{0, ""};
  LatencyHistogram latencies;

  void persist(Archive& archive) {
    archive.section("vehicle");
    archive.expect("log words", 5);
    archive(weight, size, name, wheels, flags, rows, spare, seats, steering);
    archive.array(log, 5);
    archive(parts);
    archive.map(pages, [&](std::unique_ptr<std::uint16_t[]>& page) { archive.array(page, 2); });
    archive(random, latencies);
  }
};

Vehicle loaded_vehicle() {
  Vehicle v;
  v.weight = 1.5;
  v.size = {1, -2, 3};
  v.name = "van";
  v.wheels = {{1, {2, 3}}, {4, {}}};
  for (int k = 0; k < 130; ++k) v.flags.push_back(k % 3 == 0);
  v.rows = {{std::byte{1}}, {}, {std::byte{2}, std::byte{3}}};
  v.spare = Wheel{7, {8}};
  v.seats = 9;
  v.steering = std::make_unique<Wheel>(Wheel{10, {11}});
  v.log = std::make_unique<std::uint64_t[]>(5);
  v.log[4] = 44;
  for (std::uint64_t k = 0; k < 100; ++k) v.parts[mix64(k)] = {static_cast<std::uint32_t>(k), {}};
  v.pages[3] = std::make_unique<std::uint16_t[]>(2);
  v.pages[3][1] = 31;
  v.pages[2] = nullptr;
  v.random = RandomStream(17, "vehicle");
  for (Tick t = 1; t < 1000; ++t) v.latencies.record(t * t);
  return v;
}

std::vector<std::byte> saved(Vehicle& v) {
  Archive archive;
  v.persist(archive);
  return archive.take();
}

TEST_CASE("what was saved is what is loaded, whatever was there before") {
  Vehicle original = loaded_vehicle();
  const std::vector<std::byte> bytes = saved(original);
  Vehicle copy;
  if (GENERATE(false, true)) {
    copy = loaded_vehicle();
    copy.parts[5] = {};
    copy.wheels.emplace_back();
  }
  Archive archive(bytes);
  CHECK(archive.loading());
  copy.persist(archive);
  archive.finish();
  CHECK(copy.weight == 1.5);
  CHECK(copy.size == original.size);
  CHECK(copy.name == "van");
  CHECK(copy.wheels == original.wheels);
  CHECK(copy.flags == original.flags);
  CHECK(copy.rows == original.rows);
  CHECK(copy.spare == original.spare);
  CHECK(copy.seats == 9u);
  CHECK(*copy.steering == *original.steering);
  CHECK(copy.log[4] == 44);
  CHECK(copy.parts == original.parts);
  CHECK(copy.pages.at(2) == nullptr);
  CHECK(copy.pages.at(3)[1] == 31);
  CHECK(copy.random() == original.random());
  CHECK(copy.latencies.quantile(0.5) == original.latencies.quantile(0.5));
  CHECK(copy.latencies.mean() == original.latencies.mean());
}

TEST_CASE("equal states are equal bytes, however their maps came about") {
  Vehicle first = loaded_vehicle();
  Vehicle other = loaded_vehicle();
  other.parts.clear();
  other.parts.rehash(1000);
  for (std::uint64_t k = 100; k-- > 0;) other.parts[mix64(k)] = {static_cast<std::uint32_t>(k), {}};
  CHECK(saved(first) == saved(other));
}

TEST_CASE("what is absent stays absent") {
  Vehicle empty;
  const std::vector<std::byte> bytes = saved(empty);
  Vehicle copy = loaded_vehicle();
  Archive archive(bytes);
  copy.persist(archive);
  archive.finish();
  CHECK_FALSE(copy.spare.has_value());
  CHECK_FALSE(copy.seats.has_value());
  CHECK(copy.steering == nullptr);
  CHECK(copy.log == nullptr);
  CHECK(copy.parts.empty());
  CHECK(copy.flags.empty());
}

TEST_CASE("state that ends early is refused, wherever it ends") {
  Vehicle original = loaded_vehicle();
  const std::vector<std::byte> bytes = saved(original);
  const std::size_t step = bytes.size() / 199;
  for (std::size_t length = 0; length < bytes.size(); length += step) {
    Vehicle copy;
    const auto load = [&] {
      Archive archive{std::span(bytes).first(length)};
      copy.persist(archive);
    };
    REQUIRE_THROWS_AS(load(), ArchiveError);
  }
}

TEST_CASE("a count that cannot be asks for no memory") {
  Archive out;
  std::uint64_t huge = std::uint64_t{1} << 60;
  out(huge);
  const std::vector<std::byte> bytes = out.take();
  const auto load = [&](auto value) {
    Archive in(bytes);
    in(value);
  };
  CHECK_THROWS_AS(load(std::vector<double>()), ArchiveError);
  CHECK_THROWS_AS(load(std::vector<bool>()), ArchiveError);
  CHECK_THROWS_AS(load(std::vector<std::string>()), ArchiveError);
  CHECK_THROWS_AS(load(std::string()), ArchiveError);
}

TEST_CASE("sections and figures of the configuration have to match") {
  Archive out;
  out.section("die 0");
  out.expect("blocks", 12);
  double value = 3;
  out(value);
  const std::vector<std::byte> bytes = out.take();

  Archive other_section(bytes);
  CHECK_THROWS_WITH(other_section.section("channel"),
                    ContainsSubstring(R"(expected section "channel", found "die 0")"));
  Archive other_figure(bytes);
  other_figure.section("die 0");
  CHECK_THROWS_WITH(other_figure.expect("blocks", 14), ContainsSubstring("with blocks 12, and is read with 14"));
  Archive slipped(bytes);
  slipped.section("die 0");
  CHECK_THROWS_WITH(slipped.section("die 1"), ContainsSubstring(R"(still belongs to section "die 0")"));
  Archive incomplete(bytes);
  incomplete.section("die 0");
  incomplete.expect("blocks", 12);
  CHECK_THROWS_WITH(incomplete.finish(), ContainsSubstring("8 bytes are left over"));
}

TEST_CASE("bytes from elsewhere are no state") {
  const std::vector<std::byte> zeros(100);
  CHECK_THROWS_WITH(Archive{zeros}, ContainsSubstring("no saved state"));
  Archive out;
  std::vector<std::byte> bytes = out.take();
  bytes[4] = std::byte{99};
  CHECK_THROWS_WITH(Archive{bytes}, ContainsSubstring("format 99"));
}

}  // namespace
}  // namespace nandscape
