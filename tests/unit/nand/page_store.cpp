// SPDX-License-Identifier: Apache-2.0
#include "nand/page_store.h"

#include <algorithm>
#include <array>
#include <vector>

#include "unit/nand/die_harness.h"

namespace nandscape {
namespace {

using Page = std::array<std::byte, 512>;

Page filled(int value) {
  Page page;
  page.fill(static_cast<std::byte>(value));
  return page;
}

TEST_CASE("pages that were not written read as FFh") {
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

TEST_CASE("a die stores what is programmed when the program ends, and forgets it when the erase ends") {
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
  // The same place on the other plane is another page.
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

}  // namespace
}  // namespace nandscape
