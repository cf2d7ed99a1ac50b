// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/code_choice.h"

#include "controller/content/state_mapping.h"
#include "controller/mapping/page_tag.h"

namespace nandscape::controller {

void CodeChoice::choose(PageProgram& page, std::uint64_t expected_page) const {
  std::optional<std::uint32_t> type;
  if (by_place() && !page.is_padding()) type = type_of(expected_page);
  set(page, chooser_->coding_for(to_encode(page, false, type)));
}

void CodeChoice::choose_pair(PageProgram& first, PageProgram& last) const {
  constexpr std::uint32_t first_type = 0, last_type = 1;
  std::array<PageCoding, 2> codings;
  if (any()) codings = chooser_->codings_for(to_encode(first, false, first_type), to_encode(last, false, last_type));
  if (mode_ != nullptr && mode_->maps_states()) {
    codings[0].state_map = codings[1].state_map = mode_->state_map(data_of(first), data_of(last));
  }
  set(first, codings[0]);
  set(last, codings[1]);
  if (codings[0].state_map != 0) StateMapping(codings[0].state_map).apply(data_of(first), data_of(last));
}

void CodeChoice::undo_pair(PageProgram& first, PageProgram& last) const {
  const std::uint8_t map = state_map_in(first.command.tag);
  if (map == 0) return;
  StateMapping(map).undo(data_of(first), data_of(last));
  for (PageProgram* const page : {&first, &last}) set_coding(page->command.tag, page->ecc.code, 0);
}

bool CodeChoice::may_stand(const PageProgram& page, std::uint64_t page_of_block) const {
  if (!by_place() || page.is_padding()) return true;
  return chooser_->may_stand({page.ecc.code, state_map_in(page.command.tag)},
                             to_encode(page, true, type_of(page_of_block)));
}

void CodeChoice::encode_again(PageProgram& page) const {
  if (any()) set(page, chooser_->coding_for(to_encode(page, true, std::nullopt)));
  io_.encode_again(page);
}

PageToEncode CodeChoice::to_encode(const PageProgram& page, bool encoded, std::optional<std::uint32_t> type) const {
  return {.background = page.moves_data(),
          .padding = page.is_padding(),
          .tag = page.command.tag,
          .data = data_of(page),
          .encoded = encoded,
          .type = type};
}

std::span<std::byte> CodeChoice::data_of(const PageProgram& page) const {
  if (!io_.path().keeps_data()) return {};
  return {page.command.data, page.command.bytes};
}

void CodeChoice::set(PageProgram& page, PageCoding coding) {
  page.ecc.code = coding.code;
  set_coding(page.command.tag, coding.code, coding.state_map);
}

}  // namespace nandscape::controller
