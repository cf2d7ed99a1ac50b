// SPDX-License-Identifier: Apache-2.0
// Tests PRP entries: a command with one page, two pages, a list, a list over several pages, offsets, and invalid
// entries.
#include <utility>
#include <vector>

#include "catch.h"
#include "host/nvme/prp_map.h"

using namespace nandscape;
using namespace nandscape::host;
using nvme::Status;

namespace {

constexpr std::uint32_t page = 4096;
using Pieces = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

Pieces pieces(const PrpMap& map, std::uint32_t offset, std::uint32_t bytes) {
  Pieces found;
  for (std::uint32_t done = 0; done < bytes; done += found.back().second) {
    const PrpMap::Piece piece = map.piece_at(offset + done, bytes - done);
    found.emplace_back(piece.address, piece.bytes);
  }
  return found;
}

// Checks the address of the next PRP list read, and supplies the entries that it returns.
Status give(PrpMap& map, std::uint64_t expected_address, const std::vector<std::uint64_t>& entries) {
  const auto read = map.next_list_read();
  CHECK(read.address == expected_address);
  REQUIRE(read.bytes == entries.size() * 8);
  std::copy(entries.begin(), entries.end(), reinterpret_cast<std::uint64_t*>(read.into));
  return map.list_read();
}

}  // namespace

TEST_CASE("data within the page of PRP1 need no second entry") {
  PrpMap map;
  CHECK(map.begin(0x10200, 0, page - 0x200, page) == Status::success);
  CHECK_FALSE(map.list_needed());
  CHECK(pieces(map, 0, page - 0x200) == Pieces{{0x10200, page - 0x200}});
  CHECK(pieces(map, 512, 1024) == Pieces{{0x10400, 1024}});
}

TEST_CASE("data across one page boundary continue at PRP2") {
  PrpMap map;
  CHECK(map.begin(0x10e00, 0x50000, 1024, page) == Status::success);
  CHECK_FALSE(map.list_needed());
  CHECK(pieces(map, 0, 1024) == Pieces{{0x10e00, 512}, {0x50000, 512}});
  CHECK(map.begin(0x10000, 0x11000, 2 * page, page) == Status::success);
  CHECK(pieces(map, 0, 2 * page) == Pieces{{0x10000, 2 * page}});  // neighbours make one piece
}

TEST_CASE("data in more than two pages need a list") {
  PrpMap map;
  CHECK(map.begin(0x10800, 0x90010, 3 * page, page) == Status::success);
  REQUIRE(map.list_needed());
  CHECK(give(map, 0x90010, {0x20000, 0x30000, 0x31000}) == Status::success);
  CHECK_FALSE(map.list_needed());
  CHECK(pieces(map, 0, 3 * page) == Pieces{{0x10800, 0x800}, {0x20000, page}, {0x30000, page + 0x800}});
  CHECK(pieces(map, page, page) == Pieces{{0x20800, 0x800}, {0x30000, 0x800}});
}

TEST_CASE("the last entry of a full list page points to the next list") {
  PrpMap map;
  // The first list page has room for only two entries: the address of one data page, and the pointer to the next list
  // page.
  CHECK(map.begin(0x10000, 0x90ff0, 5 * page, page) == Status::success);
  CHECK(give(map, 0x90ff0, {0x20000, 0xa0000}) == Status::success);
  REQUIRE(map.list_needed());
  CHECK(give(map, 0xa0000, {0x30000, 0x40000, 0x50000}) == Status::success);
  CHECK_FALSE(map.list_needed());
  CHECK(pieces(map, 4 * page, page) == Pieces{{0x50000, page}});
}

TEST_CASE("a list that just fits its page has no pointer") {
  PrpMap map;
  CHECK(map.begin(0x10000, 0x90ff0, 3 * page, page) == Status::success);
  CHECK(give(map, 0x90ff0, {0x20000, 0x30000}) == Status::success);
  CHECK_FALSE(map.list_needed());
}

TEST_CASE("invalid offsets are refused") {
  PrpMap map;
  CHECK(map.begin(0x10002, 0, 512, page) == Status::prp_offset_invalid);
  CHECK(map.begin(0x10000, 0x20200, 2 * page, page) == Status::prp_offset_invalid);
  CHECK(map.begin(0x10000, 0x20004, 3 * page, page) == Status::prp_offset_invalid);
  CHECK(map.begin(0x10000, 0, 3 * page, page) == Status::invalid_field);
  CHECK(map.begin(0x10000, 0x90000, 3 * page, page) == Status::success);
  CHECK(give(map, 0x90000, {0x20000, 0x30200}) == Status::prp_offset_invalid);
}
