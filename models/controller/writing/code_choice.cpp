// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/code_choice.h"

#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

void CodeChoice::choose(PageProgram& page, std::uint64_t expected_page) const {
  std::optional<std::uint32_t> type;
  if (by_place() && !page.is_padding()) type = type_of(expected_page);
  set(page, chooser_->coding_for(to_encode(page, false, type)));
}

bool CodeChoice::may_stand(const PageProgram& page, std::uint64_t page_of_block) const {
  if (!by_place() || page.is_padding()) return true;
  return chooser_->may_stand({page.ecc.code, state_map_in(page.command.tag)},
                             to_encode(page, true, type_of(page_of_block)));
}

void CodeChoice::encode_again(PageProgram& page) const {
  set(page, chooser_->coding_for(to_encode(page, true, std::nullopt)));
  io_.encode_again(page);
}

PageToEncode CodeChoice::to_encode(const PageProgram& page, bool encoded, std::optional<std::uint32_t> type) const {
  PageToEncode known{.background = page.moves_data(), .padding = page.is_padding(), .tag = page.command.tag};
  if (io_.path().keeps_data()) known.data = {page.command.data, page.command.bytes};
  known.encoded = encoded;
  known.type = type;
  return known;
}

void CodeChoice::set(PageProgram& page, PageCoding coding) {
  page.ecc.code = coding.code;
  set_coding(page.command.tag, coding.code, coding.state_map);
}

}  // namespace nandscape::controller
