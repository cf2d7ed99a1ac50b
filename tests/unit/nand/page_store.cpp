// SPDX-License-Identifier: Apache-2.0
#include "nand/page_store.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "unit/nand/die_harness.h"

namespace nandscape::nand {
namespace {

using Page = std::array<std::byte, 512>;

Page filled(int value) {
  Page page;
  page.fill(static_cast<std::byte>(value));
  return page;
}

TEST_CASE("unwritten pages read as FFh") {
  PageStore store(PageLayout::sharing_spare(512, 0, 512), PageStore::Spare::left_out);
  Page page = filled(0);
  store.read(123456789012, true, page.data());
  CHECK(page == filled(0xff));
  CHECK(store.pages() == 0);
}

TEST_CASE("pages are kept until their block is erased") {
  PageStore store(PageLayout::sharing_spare(512, 0, 512), PageStore::Spare::left_out);
  for (int row = 0; row < 20; ++row) store.write(static_cast<std::uint64_t>(row), filled(row).data());
  store.write(7, filled(99).data());
  CHECK(store.pages() == 20);
  store.erase(5, 10);
  CHECK(store.pages() == 10);
  for (int row = 0; row < 20; ++row) {
    Page page;
    store.read(static_cast<std::uint64_t>(row), true, page.data());
    CHECK(page == (row >= 5 && row < 15 ? filled(0xff) : filled(row)));
  }
}

// A page has two codewords of 256 bytes with 8 bytes of parity each. One spare byte is unused.
constexpr PageLayout with_parity{512, 17, 256, 8, 8 * 264};

// Initial pages in which all bytes, including the spare bytes, are the row number of the page.
class NumberedPages final : public InitialPages {
 public:
  void read(std::uint64_t row, std::byte* page) const override {
    std::fill_n(page, with_parity.total_bytes(), static_cast<std::byte>(row));
  }
};

TEST_CASE("a part of a page consists of whole codewords with their parity") {
  PageStore store(with_parity, PageStore::Spare::kept, std::make_unique<NumberedPages>());
  CHECK(store.page_bytes() == 529);
  std::vector<std::byte> written(529);
  for (std::size_t k = 0; k < written.size(); ++k) written[k] = static_cast<std::byte>(k % 251 + 1);
  store.write(3, written.data());
  for (const std::uint64_t row : {3u, 9u}) {
    for (const std::uint32_t codeword : {0u, 1u}) {
      std::vector<std::byte> page(529);
      store.read(row, true, 256 * codeword, 256, page.data());
      for (std::size_t k = 0; k < page.size(); ++k) {
        const bool inside = k / 256 == codeword || (k >= 512 && k < 528 && (k - 512) / 8 == codeword);
        const std::byte there = row == 3 ? written[k] : std::byte{9};
        REQUIRE(page[k] == (inside ? there : std::byte{0}));
      }
    }
  }
}

TEST_CASE("without spare bytes, no byte behind the page is touched") {
  PageStore store(with_parity, PageStore::Spare::left_out);
  CHECK(store.page_bytes() == 512);
  store.write(0, filled(7).data());
  std::vector<std::byte> page(529);
  store.read(0, true, page.data());
  store.read(0, true, 256, 256, page.data());
  CHECK(std::count(page.begin(), page.end(), std::byte{7}) == 512);
}

TEST_CASE("pages hold their initial content until they are written") {
  PageStore store(with_parity, PageStore::Spare::kept, std::make_unique<NumberedPages>());
  std::vector<std::byte> page(529);
  store.read(5, true, page.data());
  CHECK(std::count(page.begin(), page.end(), std::byte{5}) == 529);
  store.read(5, false, page.data());
  CHECK(std::count(page.begin(), page.end(), std::byte{0xff}) == 529);
  store.write(5, std::vector(529, std::byte{1}).data());
  store.read(5, true, page.data());
  CHECK(std::count(page.begin(), page.end(), std::byte{1}) == 529);
}

TEST_CASE("a die stores data when the program ends, and deletes them when the erase ends") {
  DieHarness h;
  Page data = filled(0x5a), out = filled(0);
  NandCommand& program = h.make(NandOperation::program, 1, 2, 0);
  program.data = data.data();
  const Tick programmed = h.issue(program, 0);
  CHECK(h.store.pages() == 0);
  h.die.finish(programmed);
  CHECK(h.store.pages() == 1);
  h.release(program, programmed);

  NandCommand& read = h.make(NandOperation::read, 1, 2, 0);
  read.data = out.data();
  h.complete(read, second);
  CHECK(out == data);
  // The same block and page on the other plane is a different page, which is still erased.
  NandCommand& elsewhere = h.make(NandOperation::read, 0, 2, 0);
  elsewhere.data = out.data();
  h.complete(elsewhere, 2 * second);
  CHECK(out == filled(0xff));

  NandCommand& erase = h.make(NandOperation::erase, 1, 2);
  const Tick erased = h.issue(erase, 3 * second);
  CHECK(h.store.pages() == 1);
  h.die.finish(erased);
  CHECK(h.store.pages() == 0);
}

TEST_CASE("an erase removes a block's initial content for good") {
  FakeCells cells;
  DieHarness h(&cells);
  PageStore store(with_parity, PageStore::Spare::kept, std::make_unique<NumberedPages>());
  Die die("die", h.geometry, h.timing, &store, &cells);
  die.precondition(PlaneInDie(0), BlockInPlane(1), 9);
  std::vector<std::byte> page(529);
  const auto complete = [&](NandCommand& command, Tick now) {
    command.data = page.data();
    const Tick end = die.issue(command, now);
    die.finish(end);
    die.release(end);
  };
  complete(h.make(NandOperation::read, 0, 1, 0), 0);
  CHECK(std::count(page.begin(), page.end(), std::byte{9}) == 529);
  complete(h.make(NandOperation::erase, 0, 1), second);
  // A failed program must leave noise in the page, and must not bring the initial content back.
  cells.succeed = false;
  complete(h.make(NandOperation::program, 0, 1, 0), 2 * second);
  complete(h.make(NandOperation::read, 0, 1, 0), 3 * second);
  CHECK(h.commands.back().raw_bit_errors == 512 * 8 / 2);
  CHECK(std::count(page.begin(), page.end(), std::byte{9}) != 529);
}

}  // namespace
}  // namespace nandscape::nand
