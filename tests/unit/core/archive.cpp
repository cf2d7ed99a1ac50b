// SPDX-License-Identifier: Apache-2.0
#include "core/archive.h"

#include <array>
#include <bit>
#include <limits>

#include "catch.h"
#include "core/ids.h"
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

// A struct with a member of every type that an archive supports.
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
    archive.array_or_none(log, 5);
    archive.map(parts, ~std::uint64_t{0}, "a part", [&](Wheel& part) { archive(part); });
    archive.map(pages, 4, "a page", [&](std::unique_ptr<std::uint16_t[]>& page) { archive.array_or_none(page, 2); });
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

TEST_CASE("saved state is loaded exactly, whatever the object held before") {
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

TEST_CASE("equal states have equal bytes, whatever the history of their maps") {
  Vehicle first = loaded_vehicle();
  Vehicle other = loaded_vehicle();
  other.parts.clear();
  other.parts.rehash(1000);
  for (std::uint64_t k = 100; k-- > 0;) other.parts[mix64(k)] = {static_cast<std::uint32_t>(k), {}};
  CHECK(saved(first) == saved(other));
}

TEST_CASE("absent values stay absent") {
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

TEST_CASE("truncated state is refused, wherever it ends") {
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

TEST_CASE("an impossible count allocates no memory") {
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

TEST_CASE("sections and values of the configuration must match") {
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
  CHECK_THROWS_WITH(other_figure.expect("blocks", 14), ContainsSubstring("with blocks 12, but is read with 14"));
  Archive slipped(bytes);
  slipped.section("die 0");
  CHECK_THROWS_WITH(slipped.section("die 1"), ContainsSubstring(R"(found more of section "die 0")"));
  Archive incomplete(bytes);
  incomplete.section("die 0");
  incomplete.expect("blocks", 12);
  CHECK_THROWS_WITH(incomplete.finish(), ContainsSubstring("8 bytes are left over"));
}

enum class Gear : std::uint8_t { first, second, reverse };

// Writes `written` to an archive and reads it back into `read`. Returns the error message, or an empty string if there
// is no error.
template <class Written, class Read>
std::string complaint(Written written, Read read) {
  Archive out;
  out.section("vehicle");
  out(written);
  const std::vector<std::byte> bytes = out.take();
  Archive in(bytes);
  try {
    in.section("vehicle");
    read(in);
    in.finish();
  } catch (const ArchiveError& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("values out of range are refused by name") {
  std::uint32_t number = 0;
  const auto index = [&](Archive& in) { in.index(number, 5, "the wheel"); };
  CHECK(complaint(4u, index).empty());
  CHECK(complaint(5u, index) == "section \"vehicle\": the wheel is 5, and must be below 5");

  PlaneId plane;
  const auto plane_or_none = [&](Archive& in) { in.index_or_none(plane, 2, "the plane"); };
  CHECK(complaint(PlaneId(1), plane_or_none).empty());
  CHECK(complaint(PlaneId(), plane_or_none).empty());
  CHECK_THAT(complaint(PlaneId(2), plane_or_none), ContainsSubstring("the plane is 2, and must be below 2"));

  const auto at_most = [&](Archive& in) { in.number(number, 5, "the seats"); };
  CHECK(complaint(5u, at_most).empty());
  CHECK_THAT(complaint(6u, at_most), ContainsSubstring("the seats is 6, and must be at most 5"));

  Gear gear{};
  const auto enumeration = [&](Archive& in) { in.enumeration(gear, Gear::reverse, "the gear"); };
  CHECK(complaint(std::uint8_t{2}, enumeration).empty());
  CHECK(gear == Gear::reverse);
  CHECK_THAT(complaint(std::uint8_t{3}, enumeration), ContainsSubstring("the gear is 3"));

  double weight = 0;
  const auto real = [&](Archive& in) { in.real(weight, 0, 10, "the weight"); };
  CHECK(complaint(10.0, real).empty());
  CHECK_THAT(complaint(10.5, real), ContainsSubstring("the weight is 10.5"));
  const std::uint64_t not_a_number = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
  CHECK_THAT(complaint(not_a_number, real), ContainsSubstring("infinite or not a number"));

  bool lights = false;
  const auto flag = [&](Archive& in) { in(lights); };
  CHECK(complaint(std::uint8_t{1}, flag).empty());
  CHECK_THAT(complaint(std::uint8_t{2}, flag), ContainsSubstring("must be 0 or 1"));

  CHECK_THAT(complaint(1u, [&](Archive& in) { in(number), in.require(number == 2, "there is no second gear"); }),
             ContainsSubstring("section \"vehicle\": there is no second gear"));
}

TEST_CASE("tables, lists and maps are refused when they are too long, too short or out of order") {
  const std::vector<std::uint32_t> three{1, 2, 3};
  std::vector<std::uint32_t> read;
  CHECK(complaint(three, [&](Archive& in) { in.table(read, 3, "wheels"); }).empty());
  CHECK(read == three);
  CHECK_THAT(complaint(three, [&](Archive& in) { in.table(read, 4, "wheels"); }),
             ContainsSubstring("there are 3 wheels, and must be 4"));
  const auto list = [&](std::size_t most) {
    return [&read, most](Archive& in) { in.list(read, most, "wheels", [&](std::uint32_t& wheel) { in(wheel); }); };
  };
  CHECK(complaint(three, list(3)).empty());
  CHECK_THAT(complaint(three, list(2)), ContainsSubstring("the number of wheels is 3, and must be at most 2"));

  std::unordered_map<std::uint32_t, std::uint8_t> map;
  const auto keys = [&](Archive& in) { in.map(map, 10, "the key", [&](std::uint8_t& value) { in(value); }); };
  const auto written = [](std::uint32_t first, std::uint32_t second) {
    std::vector<std::byte> bytes(8 + 2 * 5);
    std::uint64_t count = 2;
    std::memcpy(bytes.data(), &count, 8);
    std::memcpy(bytes.data() + 8, &first, 4);
    std::memcpy(bytes.data() + 13, &second, 4);
    return bytes;
  };
  const auto map_of = [&](std::uint32_t first, std::uint32_t second) {
    Archive out;
    std::vector<std::byte> bytes = out.take();
    const std::vector<std::byte> entries = written(first, second);
    bytes.insert(bytes.end(), entries.begin(), entries.end());
    Archive in(bytes);
    keys(in);
    in.finish();
  };
  CHECK_NOTHROW(map_of(3, 9));
  CHECK(map.size() == 2);
  CHECK_THROWS_WITH(map_of(3, 10), ContainsSubstring("the key is 10, and must be below 10"));
  CHECK_THROWS_WITH(map_of(3, 3), ContainsSubstring("ascending order"));
}

TEST_CASE("a random stream at zero is refused") {
  CHECK_THAT(complaint(std::array<std::uint64_t, 4>{},
                       [](Archive& in) {
                         RandomStream random(1, "");
                         in(random);
                       }),
             ContainsSubstring("random stream"));
}

// These types must not be copied byte by byte: types with padding, bools, enumerations, floating-point numbers and
// pointers.
struct Padded {
  std::uint8_t small = 0;
  std::uint32_t large = 0;
};
static_assert(!PlainData<Padded>);
static_assert(!PlainData<bool>);
static_assert(!PlainData<Gear>);
static_assert(!PlainData<double>);
static_assert(!PlainData<int*>);
static_assert(!PlainData<std::array<bool, 2>>);
static_assert(PlainData<PlaneId>);

TEST_CASE("foreign bytes are not accepted as state") {
  const std::vector<std::byte> zeros(100);
  CHECK_THROWS_WITH(Archive{zeros}, ContainsSubstring("not a saved state"));
  Archive out;
  std::vector<std::byte> bytes = out.take();
  bytes[4] = std::byte{99};
  CHECK_THROWS_WITH(Archive{bytes}, ContainsSubstring("format 99"));
}

}  // namespace
}  // namespace nandscape
