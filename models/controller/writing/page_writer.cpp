// SPDX-License-Identifier: Apache-2.0
#include "controller/writing/page_writer.h"

#include <algorithm>
#include <utility>

namespace nandscape::controller {

PageWriter::PageWriter(FlashIo& io, FlashScheduler& scheduler, BlockTable& blocks, BlockPins& pins, PlaneRoom& room,
                       UnitWrites& units, const PowerState& power, Calendar& calendar, const WriterSettings& settings)
    : io_(io),
      blocks_(blocks),
      scheduler_(scheduler),
      pins_(pins),
      room_(room),
      units_(units),
      power_(power),
      calendar_(calendar),
      planes_(io.layout().flash().planes()),
      units_per_page_(io.layout().units_per_page()),
      settings_(settings),
      codes_(io, settings.codes, settings.write_mode),
      pages_(io, *this),
      write_points_(std::size_t{settings.streams.count} * planes_),
      blocked_(planes_),
      frontier_(settings.make_frontier({io, pages_, blocks, pins, calendar, settings_.streams})),
      backlog_(io.layout().mapping().planes()),
      undurable_(power),
      displaced_(settings_.streams, blocks, room, *frontier_, power, calendar, *this) {
  frontier_->connect(*this);
  if (codes_.by_wordline() && frontier_->has_wordlines_for_pairs() && io.path().pages_per_wordline == 2) {
    WordlinePairs::Client& client = *this;
    pairs_.emplace(io, codes_, settings_.streams.count, settings_.wordline_wait, calendar, client);
  }
}

// --- assembly and encoding

PageProgram& PageWriter::make_page(PageOrigin origin, std::uint8_t stream, FtlPlane plane) {
  PageProgram& page = pages_.acquire();
  page.set_origin(origin);
  page.command.operation = NandOperation::program;
  page.command.bytes = io_.layout().flash().page_bytes;
  page.write_stream = stream;
  // With parity, the page gets its member of the stripe set when it is closed.
  io_.set_plane(page, io_.layout().flash_plane(plane, 0));
  ++backlog_[plane];
  return page;
}

void PageWriter::assembled(PageProgram& page) {
  if (io_.keeps_times()) [[unlikely]]
    begin_times(page);
  if (page.mover != nullptr) {
    ++on_their_way(page);
    io_.enqueue(page, calendar_.now());
    return;
  }
  if (!page.is_padding()) frontier_->assign(page);
  ++on_their_way(page);
  write_tag(page);
  frontier_->mark(page);
  page.command.tag = std::span(page.tag).first(2 * units_per_page_);
  if (pairs_ && page.unit_count != 0 && !page.added_by_frontier && !power_.saving &&
      pairs_->take(page, expected_page(page))) {
    return;
  }
  encode_alone(page);
}

// From here on, the page's units wait for the page only.
void PageWriter::begin_times(PageProgram& page) {
  for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
    if (unit->access != nullptr) io_.begin_times(page, *unit->access, calendar_.now());
  }
  if (page.times != nullptr) page.times->enter(LatencyPart::ecc, calendar_.now());
}

void PageWriter::end_times(PageProgram& page, Tick now) {
  for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
    if (unit->access != nullptr) io_.give_times(page, *unit->access, now);
  }
  io_.end_times(page);
}

// The estimate is right if no page overtakes another on the way to its place.
std::uint64_t PageWriter::expected_page(const PageProgram& page) const {
  return frontier_->next(page.write_stream, page.plane) +
         write_point(page.write_stream, page.plane).all_on_their_way() - 1;
}

void PageWriter::encode_alone(PageProgram& page) {
  if (codes_.any()) codes_.choose(page, expected_page(page));
  io_.encode(page);
}

void PageWriter::encode_again(PageProgram& page) {
  ++counters_.changed_codes;
  codes_.encode_again(page);
}

void PageWriter::encoded(PageProgram& page, Tick now) {
  if (page.pair.other != nullptr) return pairs_->coded(page);
  enqueue_page(io_, page, now);
}

void PageWriter::release_held() {
  if (pairs_) pairs_->release_all();
}

void PageWriter::write_tag(PageProgram& page) {
  page.tag.fill(~std::uint64_t{0});
  std::size_t word = 0;
  for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
    page.tag[word++] = tag_word(unit->lpn, unit->lost);
    page.tag[word++] = unit->version;
  }
}

// --- placing

bool PageWriter::may_take_block(const PageProgram& page) const {
  const bool reserved = page.moves_data() && page.write_stream == settings_.streams.reserve && !page.displaced;
  const FtlPlane plane = mapping_plane(page);
  return reserved ? blocks_.free_blocks(plane) > 0 : supply_->host_may_take_block(plane);
}

// The plane must be marked as blocked first. Collection that has given the plane up resumes there, or sends the page
// elsewhere, only if a page waits there.
Placement PageWriter::wait_for_block(PageProgram& page, Tick now) {
  blocked_[page.plane][page.moves_data()] = true;
  supply_->check(mapping_plane(page), now);
  return wait_or_withdraw(page);
}

// A full plane will have no place for new data. A plane whose last blocks have failed has no place for the pages that
// its collection moves, and so cannot free a block: other planes take these pages. With parity, moved pages belong to
// rows, and wait if no other plane of the mapping can take them.
Placement PageWriter::wait_or_withdraw(const PageProgram& page) {
  if (!has_room(page)) return Placement::withdraw;
  if (refused(page)) return Placement::withdraw;
  if (page.origin() == PageOrigin::host && !power_.saving) return Placement::wait;
  const FtlPlane plane = mapping_plane(page);
  const bool stuck = power_.saving || (blocks_.free_blocks(plane) == 0 && !supply_->frees_block(plane));
  // Emptied blocks may be pinned until newer versions of their data are durable.
  if (stuck && !power_.saving && undurable_.count() != 0 && settings_.holds_back) complete_wordlines_for(plane);
  if (!stuck && !page.displaced) return Placement::wait;
  if (!frontier_->keeps_pages_together() || (!page.displaced && displaced_.place_for(page))) {
    return Placement::withdraw;
  }
  starve();
  return Placement::wait;
}

// While the power fails, collection goes on for this page, on all planes, since any plane may take the page. Emptied
// blocks are pinned until their data are durable elsewhere.
void PageWriter::starve() {
  if (power_.saving) {
    if (undurable_.count() != 0) complete_wordlines();
    for (const FtlPlane plane : backlog_.places()) supply_->go_on_for_a_block(plane, calendar_.now());
  }
  displaced_.starve();
}

// Completing a wordline must not wait for pages that are queued behind a page without a place. That page may wait for a
// block which only the complete wordline releases.
Placement PageWriter::place(PageProgram& page, Tick now) {
  const Placement placement = find_page(page, now);
  const bool wait = placement == Placement::wait;
  blocked_[page.plane][page.moves_data()] = wait;
  if (wait) {
    for (std::uint8_t stream = 0; stream < settings_.streams.count; ++stream) fill_up(stream, page.plane);
  }
  return placement;
}

bool PageWriter::blocked(FtlPlane plane) const {
  for (std::uint32_t k = 0; k < io_.layout().member_planes(); ++k) {
    if (blocked_[io_.layout().flash_plane(plane, k)][false]) return true;
  }
  return false;
}

// The last page of a pair, for which the next place is reserved; null if there is none.
const PageProgram* PageWriter::owed(const PageProgram& page) const {
  return pairs_ ? pairs_->owed(page.write_stream, page.plane) : nullptr;
}

// The last page is placed behind the first, unless the block has failed meanwhile.
Placement PageWriter::find_last_of_pair(PageProgram& page, Tick now) {
  const Superblock block = page.pair.other->block;
  if (owed(page) != &page || blocks_.failing(block) || !frontier_->writes_to(page.write_stream, block)) {
    return Placement::withdraw;
  }
  take_place(page, now);
  pairs_->last_placed(page);
  return Placement::placed;
}

Placement PageWriter::find_page(PageProgram& page, Tick now) {
  const bool padding = page.is_padding();
  if (page.code_must_change) return Placement::withdraw;
  if (page.pair.other != nullptr && !page.pair.first) return find_last_of_pair(page, now);
  // The page for which the place is reserved completes the wordline.
  if (owed(page) != nullptr) return padding ? Placement::withdraw : Placement::wait;
  if (padding && !frontier_->padding_needed(page)) return Placement::withdraw;
  if (page.added_by_frontier) {
    if (!frontier_->place_added(page)) return Placement::withdraw;
    set_step(page);
    ++counters_.programmed_pages;
    return Placement::placed;
  }
  // The page leaves the queue and waits elsewhere, where it blocks no other page, or goes to another plane.
  if (frontier_->stands_aside(page)) return Placement::withdraw;
  if (frontier_->keeps_pages_together() && !padding && !has_room(page)) return Placement::withdraw;
  if (frontier_->stands_alone(page)) {
    leave_way(page);
    frontier_->leave_group(page);
    ++on_their_way(page);
  }
  const FtlPlane plane = mapping_plane(page);
  if (!page.moves_data() && !padding) {
    if (power_.gives_up_writes()) return Placement::wait;
    if (!power_.saving && !supply_->host_may_write(plane)) return Placement::wait;
    // If the host and collection write to the same blocks, the host must leave the last pages to collection.
    if (page.write_stream == settings_.streams.reserve && !supply_->host_may_share_block(plane)) {
      return wait_for_block(page, now);
    }
  }
  if (!has_block(page) && !may_take_block(page)) {
    if (!page.moves_data() || page.write_stream == settings_.streams.reserve || page.displaced) {
      return wait_for_block(page, now);
    }
    if (frontier_->keeps_pages_together()) return Placement::withdraw;
    // Otherwise the last page of the pair would stay behind in the stream.
    if (page.pair.other != nullptr) return Placement::withdraw;
    // Moved pages have to go somewhere, so that the block they come from can be erased.
    leave_way(page);
    page.write_stream = settings_.streams.reserve;
    ++on_their_way(page);
    return find_page(page, now);
  }
  if (!has_block(page)) {
    open_block(page, plane, now);
    supply_->check(plane, now);
  }
  const std::uint64_t next = frontier_->next(page.write_stream, page.plane);
  if (page.pair.other != nullptr) {
    if (!pairs_->begins_wordline(next)) return Placement::withdraw;
    take_place(page, now);
    pairs_->first_placed(page);
    return Placement::placed;
  }
  if (codes_.by_place() && !codes_.may_stand(page, next)) {
    page.code_must_change = true;
    return Placement::withdraw;
  }
  return take_place(page, now);
}

Placement PageWriter::take_place(PageProgram& page, Tick now) {
  frontier_->place(page, now);
  set_step(page);
  pins_.pin(page.block);
  --on_their_way(page);
  ++counters_.programmed_pages;
  if (page.unit_count != 0) {
    counters_.unfilled_units += units_per_page_ - page.unit_count;
    counters_.host_pages += page.origin() == PageOrigin::host;
  }
  if (!page.moves_data() && !page.is_padding()) supply_->host_writes(mapping_plane(page));
  return Placement::placed;
}

void PageWriter::open_block(const PageProgram& page, FtlPlane plane, Tick now) {
  const bool lasts = page.write_stream == settings_.streams.lasting;
  const FreeBlockOrder order = lasts ? FreeBlockOrder::most_worn : settings_.free_block;
  const Superblock block = blocks_.take_free(plane, order, page.write_stream);
  if (settings_.write_mode != nullptr) {
    blocks_.set_write_mode(block, settings_.write_mode->mode_of_block(block, page.origin(), now));
  }
  frontier_->open(page, plane, block);
}

void PageWriter::set_step(PageProgram& page) {
  if (settings_.write_mode == nullptr) return;
  page.command.program_step_mv =
      settings_.write_mode->step_mv({page, page.command.page % io_.path().pages_per_wordline,
                                     blocks_.write_mode(page.block), other_of_wordline(page)});
}

const PageProgram* PageWriter::other_of_wordline(const PageProgram& page) const {
  if (page.pair.other != nullptr) return page.pair.other;
  const std::uint32_t pages = io_.path().pages_per_wordline;
  const std::uint32_t first = page.command.page - page.command.page % pages;
  const PageProgram* other = write_point(page.write_stream, page.plane).wordline;
  while (other != nullptr && (other->block != page.block || other->command.page != first)) {
    other = other->next_in_wordline;
  }
  return other;
}

// Once collection has stopped, no block is freed, and new data have no place.
bool PageWriter::refused(const PageProgram& page) const { return supply_->stopped() && !page.moves_data(); }

void PageWriter::drop_padding(PageProgram& padding) {
  --backlog_[mapping_plane(padding)];
  undurable_.remove(padding);
  pages_.release(padding);
}

// The page goes elsewhere, and other pages have to take its place.
void PageWriter::leave_way(const PageProgram& page) {
  --on_their_way(page);
  fill_up(page.write_stream, page.plane);
  frontier_->left(page.write_stream, page.plane);
}

void PageWriter::withdrawn(PageProgram& page, Tick now) {
  if (page.added_by_frontier) return frontier_->added_withdrawn(page, now);
  if (std::exchange(page.code_must_change, false)) return encode_again(page);
  if (page.pair.other != nullptr) return pairs_->returned(page);
  if (frontier_->keeps_pages_together()) {
    const bool given_up = page.is_padding() ? !frontier_->padding_needed(page) : !has_room(page) || refused(page);
    if (!given_up && frontier_->takes_withdrawn(page, now)) return;
  }
  leave_way(page);
  if (page.is_padding()) {
    drop_padding(page);
    return;
  }
  frontier_->leave_group(page);
  --backlog_[mapping_plane(page)];
  find_place(page, now);
}

bool PageWriter::has_place_again(const PageProgram& page) const {
  return !page.displaced && ((page.moves_data() && has_block(page)) || may_take_block(page));
}

// The page goes to its own plane once that has a block again, or else to a plane that takes it in. Until there is one,
// the page waits where it blocks no other page.
void PageWriter::find_place(PageProgram& page, Tick now) {
  const FtlPlane from = mapping_plane(page);
  FtlPlane plane = refused(page) ? FtlPlane() : room_.with_room(from, page.moves_data());
  if (plane == from && !has_place_again(page)) {
    const std::optional<DisplacedPages::Place> found = displaced_.place_for(page);
    if (!found) {
      displaced_.wait(page);
      starve();
      return;
    }
    plane = found->plane;
    page.displaced |= plane != from;
    page.write_stream = found->stream;
  }
  if (!plane.valid()) {
    give_up(page, now);
    return;
  }
  if (plane != from) room_.set_planes_mixed();
  io_.set_plane(page, io_.layout().flash_plane(plane, 0));
  ++backlog_[plane];
  place_again(page, now);
}

void PageWriter::give_up(PageProgram& page, Tick now) {
  if (page.programmed_order != 0) lost_new_data_ |= page.new_data;
  undurable_.remove(page);
  const Superblock lost_block = page.lost_block;
  if (page.times != nullptr) [[unlikely]]
    end_times(page, now);
  for (UnitWrite* unit = page.units; unit != nullptr;) {
    units_.refused(*std::exchange(unit, unit->next_in_page), now);
  }
  pages_.release(page);
  if (lost_block.valid()) pins_.unpin(lost_block, now);
  listener_->page_durable(now);
}

std::uint32_t PageWriter::next_page(const PageProgram& page) const {
  constexpr std::uint32_t unknown = ~std::uint32_t{0};
  if (page.added_by_frontier) return page.command.page;
  if (page.is_padding() && !frontier_->padding_needed(page)) return unknown;
  const bool needs_block = page.place_in_group != 0 || !has_block(page);
  return frontier_->next_page(page, needs_block && may_take_block(page)).value_or(unknown);
}

// --- after programming

void PageWriter::program_ended(PageProgram& page, Tick now) {
  const std::uint8_t stream = page.write_stream;
  const FlashPlane plane = page.plane;
  listener_->program_ended(page, now);
  programmed(page, now);
  if (units_.take_forced()) complete_wordline(stream, plane);
  // The page that collection waits for may have been programmed just now.
  if (!supply_->waits_for_durable_moves()) return;
  for (const FtlPlane of_mapping : backlog_.places()) {
    if (supply_->waits_for_durable_moves(of_mapping)) complete_wordlines_for(of_mapping);
  }
}

void PageWriter::places_changed(FtlPlane plane, Tick now) {
  for (std::uint32_t member = 0; member < io_.layout().member_planes(); ++member) {
    scheduler_.places_changed(io_.layout().flash_plane(plane, member), now);
  }
}

void PageWriter::places_changed_anywhere(Tick now) {
  for (PageQueue displaced = displaced_.take(); !displaced.empty();) find_place(displaced.pop(), now);
  for (const FlashPlane plane : blocked_.places()) scheduler_.places_changed(plane, now);
}

void PageWriter::programmed(PageProgram& page, Tick now) {
  // Pages that were sent to the block before it failed are as good as lost: their wordline will not be completed.
  if (page.command.status != NandStatus::pass || blocks_.failing(page.block)) {
    counters_.failed_programs += page.command.status != NandStatus::pass;
    frontier_->failed(page, now);
    return;
  }
  if (page.added_by_frontier) {
    frontier_->added_programmed(page, now);
    return;
  }
  for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) units_.prefetch(*unit);
  WritePoint& to = write_point(page.write_stream, page.plane);
  page.next_in_wordline = to.wordline;
  to.wordline = &page;
  --backlog_[mapping_plane(page)];
  undurable_.add(page);
  const bool complete = io_.ends_wordline(page);
  const bool wanted = undurable_.wanted(page);
  const std::uint8_t stream = page.write_stream;
  const FlashPlane plane = page.plane;
  const Superblock block = page.block;
  const Superblock lost_block = std::exchange(page.lost_block, Superblock());
  Ppa place = page.ppa;
  if (page.times != nullptr) [[unlikely]]
    end_times(page, now);
  for (UnitWrite* unit = page.units; unit != nullptr; place = Ppa(place.value + 1)) {
    UnitWrite& of_page = *std::exchange(unit, unit->next_in_page);
    of_page.place = place;
    units_.programmed(of_page, now);
  }
  if (complete) {
    wordline_durable(to, now);
  } else if (wanted) {
    complete_wordline(stream, plane);
  }
  pins_.unpin(block, now);
  if (lost_block.valid()) pins_.unpin(lost_block, now);
}

void PageWriter::wordline_durable(WritePoint& to, Tick now) {
  PageProgram* page = std::exchange(to.wordline, nullptr);
  while (page != nullptr) {
    PageProgram& durable = *std::exchange(page, page->next_in_wordline);
    undurable_.remove(durable);
    for (UnitWrite* unit = durable.units; unit != nullptr;) {
      units_.durable(*std::exchange(unit, unit->next_in_page), now);
    }
    pages_.release(durable);
  }
  listener_->page_durable(now);
}

void PageWriter::give_up_block(Superblock block, std::uint32_t pins, Tick now) {
  supply_->block_failed(block, now);
  for (; pins > 0; --pins) pins_.unpin(block, now);
  listener_->page_durable(now);
}

// The cells of a wordline are programmed with its last page. If that program fails, all pages of the wordline are lost.
// If an earlier one fails, they are lost just as well, since the block is not written any further.
void PageWriter::rewrite_wordline(WritePoint& of, Superblock block, Tick now) {
  if (of.wordline == nullptr || of.wordline->block != block) return;
  PageProgram* lost = std::exchange(of.wordline, nullptr);
  while (lost != nullptr) {
    PageProgram& programmed = *std::exchange(lost, lost->next_in_wordline);
    if (programmed.is_padding()) {
      undurable_.remove(programmed);
      pages_.release(programmed);
      continue;
    }
    // Its units stay mapped to the lost place until the page is programmed again. The block must stay that long.
    pins_.pin(block);
    programmed.lost_block = block;
    programmed.set_origin(PageOrigin::migration);  // from now on only the controller wants it written
    // Not behind pages of the host, which are no longer written: rows and blocks would wait for them.
    if (power_.gives_up_writes()) programmed.write_stream = settings_.streams.reserve;
    ++backlog_[mapping_plane(programmed)];
    for (UnitWrite* unit = programmed.units; unit != nullptr; unit = unit->next_in_page) {
      units_.must_be_rewritten(*unit);
    }
    place_again(programmed, now);
  }
}

void PageWriter::place_again(PageProgram& page, Tick now) {
  page.command.status = NandStatus::pass;
  frontier_->leave_group(page);
  if (page.mover != nullptr) {
    page.set_origin(PageOrigin::migration);
    page.mover->lost(page, now);
    return;
  }
  frontier_->assign(page);
  ++on_their_way(page);
  if (page.pair.other != nullptr) return pairs_->returned(page);
  encoded(page, now);
}

void PageWriter::persist(Archive& archive) {
  archive.section("page writer");
  archive.expect("write points", write_points_.size());
  undurable_.persist(archive);
  archive(lost_new_data_);
  frontier_->persist(archive);
  if (!archive.loading()) return;
  std::size_t open = 0;
  for (const Superblock block : blocks_.geometry().every_block()) {
    const std::uint8_t stream = blocks_.stream(block);
    archive.require(stream < settings_.streams.count, "a block has a stream that does not exist");
    archive.require(settings_.write_mode != nullptr || blocks_.write_mode(block) == 0,
                    "a block has a write mode that does not exist");
    if (blocks_.state(block) != BlockTable::State::open) continue;
    ++open;
    archive.require(frontier_->writes_to(stream, block), "a block is open, but no stream writes to it");
  }
  archive.require(frontier_->writes_to_all(open), "a block that is being written is not open");
}

// --- filling up

void PageWriter::complete_wordlines() {
  release_held();
  undurable_.want_all();
  undurable_.for_each([&](const PageProgram& page) {
    if (undurable_.is_new(page)) complete_wordline(page.write_stream, page.plane);
  });
  frontier_->complete_groups(power_.saving);
}

void PageWriter::complete_wordlines_for(FtlPlane plane) {
  const auto on_plane = [&](Superblock block) {
    return block.valid() && io_.layout().mapping().plane_of(block) == plane;
  };
  undurable_.for_each([&](const PageProgram& page) {
    bool holds_back = on_plane(page.lost_block);
    for (const UnitWrite* unit = page.units; unit != nullptr; unit = unit->next_in_page) {
      holds_back |= on_plane(unit->held_back);
    }
    if (holds_back) complete_wordline(page.write_stream, page.plane);
  });
}

void PageWriter::complete_wordline(std::uint8_t stream, FlashPlane plane) { frontier_->complete(stream, plane); }

std::uint64_t PageWriter::open_units() const { return frontier_->open_to_all() * units_per_page_; }

void PageWriter::send_held(FtlPlane plane) { frontier_->send_held(plane); }

void PageWriter::send_held() {
  for (const FtlPlane plane : backlog_.places()) send_held(plane);
}

// Pages that wait for a place serve as well as padding, as long as nothing blocks them.
void PageWriter::fill_up(std::uint8_t stream, FlashPlane plane) {
  const WritePoint& to = write_point(stream, plane);
  if (frontier_->next(stream, plane) >= to.complete_to || !frontier_->has_block(stream, plane)) return;
  if (pairs_) {
    if (pairs_->owed(stream, plane) != nullptr) return;
    pairs_->release(stream, plane);
  }
  const std::uint64_t missing = frontier_->missing(stream, plane, to.complete_to);
  std::uint64_t coming = to.padding;
  for (const bool moved : {false, true}) coming += blocked_[plane][moved] ? 0 : to.on_their_way[moved];
  for (; coming < missing; ++coming) pad(stream, plane);
}

void PageWriter::pad(std::uint8_t stream, FlashPlane plane) {
  // Padding must not wait for collection where collection itself writes, or where the host waits for it.
  const FtlPlane of_mapping = io_.layout().mapping_plane(plane);
  const bool reserved = stream == settings_.streams.reserve ||
                        frontier_->pads_with_reserve(stream, supply_->host_may_take_block(of_mapping));
  PageProgram& page = make_page(reserved ? PageOrigin::migration : PageOrigin::host, stream, of_mapping);
  frontier_->assign_padding(page, plane);
  if (io_.path().keeps_data()) std::fill_n(page.command.data, page.command.bytes, std::byte{0});
  ++counters_.padding_pages;
  assembled(page);
}

}  // namespace nandscape::controller
