// SPDX-License-Identifier: Apache-2.0
#include "controller/fullpages/parity_donors.h"

#include <utility>

namespace nandscape::controller {

std::optional<CompanionPage> ParityDonors::companion_of(Ppa unit, std::uint32_t first, std::uint32_t end) const {
  const FlashLayout& layout = io_.layout();
  const Superblock block = layout.block_of(unit);
  if (!lie_across(block)) return std::nullopt;
  const Place place = layout.find(unit);
  if (code(place) != more_parity_code) return std::nullopt;
  const std::uint32_t row = place.page_of_block;
  const Ppa page = layout.first_unit(block, row, fullpages_.member(row, FullpagePattern::lending));
  const std::uint32_t quarter = first / layout.unit_bytes();
  if (quarter != (end - 1) / layout.unit_bytes()) return CompanionPage{page, 0, layout.flash().page_bytes};
  const std::uint32_t fullpage = FullpagePattern::fullpage(quarter, FullpagePattern::borrowing);
  const std::uint32_t lending = FullpagePattern::quarter(fullpage, FullpagePattern::lending) * layout.unit_bytes();
  return CompanionPage{page, lending, lending + layout.unit_bytes()};
}

std::optional<Ppa> ParityDonors::borrower_of(Ppa first_unit) const {
  const FlashLayout& layout = io_.layout();
  const Superblock block = layout.block_of(first_unit);
  if (!lie_across(block)) return std::nullopt;
  const Place place = layout.find(first_unit);
  if (code(place) != less_parity_code) return std::nullopt;
  const std::uint32_t row = place.page_of_block;
  return layout.first_unit(block, row, fullpages_.member(row, FullpagePattern::borrowing));
}

bool ParityDonors::start(PageRead& read, std::uint32_t first, std::uint32_t end, Tick now) {
  if (!lie_across(read.block)) return false;
  read.ecc.code = code(io_.layout().find(read.ppa));
  if (read.companion_is_read) return false;
  const std::optional<CompanionPage> donor = companion_of(read.ppa, first, end);
  if (donor) send_with_donor(read, *donor, now);
  return donor.has_value();
}

void ParityDonors::send_with_donor(PageRead& read, const CompanionPage& donor, Tick now) {
  ++lone_reads_;
  DonorRead& page = donors_.acquire();
  page.borrower = &read;
  page.queue = read.queue;
  page.block = read.block;
  page.ppa = donor.first_unit;
  page.priority = read.priority;
  page.stream = read.stream;
  page.expected_round = read.expected_round;
  FlashIo::set_address(page, io_.layout().find(donor.first_unit));
  page.command.first_byte = donor.first;
  page.command.bytes = donor.end - donor.first;
  read.companion = &page;
  page.goes_along = scheduler_.groups(read, page);
  if (page.goes_along) {
    io_.prepare_read(page);
    io_.read(read, now);
  } else {
    io_.read(page, now);
  }
}

void ParityDonors::came(DonorRead& donor, Tick now) {
  PageRead& read = *donor.borrower;
  const bool came_along = donor.goes_along;
  reader_.leave_group(donor, now);
  donors_.release(donor);
  read.companion = nullptr;
  if (!came_along) {
    io_.read(read, now);
  } else if (std::exchange(read.waits_for_companion, false)) {
    io_.decode(read);
  }
}

}  // namespace nandscape::controller
