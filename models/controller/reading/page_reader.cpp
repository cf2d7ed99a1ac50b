// SPDX-License-Identifier: Apache-2.0
#include "controller/reading/page_reader.h"

#include <algorithm>
#include <string>
#include <utility>

namespace nandscape {

void describe(const SensingLevelCounters& c, StatisticsVisitor& v) {
  for (std::size_t k = 0; k < c.reads.size(); ++k) {
    v.count("levels_" + std::to_string(k + 1), c.reads[k],
            k == 0 ? "hard reads" : "soft reads with so many sensing levels");
  }
}

void describe(const ReadRetryCounters& c, StatisticsVisitor& v) {
  v.count("retried_reads", c.retried_reads, "pages read that took retry steps");
  v.count("failed_reads", c.failed_reads, "pages that could not be corrected at any step");
  v.real("steps", c.reads == 0 ? 0 : static_cast<double>(c.steps) / static_cast<double>(c.reads), "",
         "retry steps of a page read, on average");
  v.group("sensing_levels", c.sensing_levels, "reads that were decoded, retries among them, by their sensing levels");
  v.count("needless_steps", c.held.needless_steps, "retry steps that were begun when the page was already decoded");
  v.count("shortened", c.held.shortened, "retries with shortened precharge");
  v.count("fallbacks", c.held.fallbacks, "of those that had to be done once more at the default timing");
}

PageReader::PageReader(const ReadRetryParameters& parameters, SubpageReads subpage_reads,
                       const FullpagePattern* fullpages, FlashIo& io, FlashScheduler& scheduler, BlockTable& blocks,
                       Client& client)
    : io_(io),
      subpage_operations_(scheduler),
      blocks_(blocks),
      client_(client),
      subpage_reads_(subpage_reads),
      fullpages_(fullpages),
      ideal_(parameters.policy == ReadRetry::none),
      most_levels_(
          static_cast<std::uint8_t>(parameters.policy == ReadRetry::soft ? parameters.most_sensing_levels : 1)),
      keep_senses_(parameters.keep_senses) {
  const DataPath& path = io.path();
  if (parameters.pipelined() || parameters.adapts_timing()) {
    const ReadTimingTable* const timing = parameters.adapts_timing() ? path.read_timing.get() : nullptr;
    HeldRetries::Client& client_of_retries = *this;
    held_.emplace(io, scheduler, client_of_retries, counters_.held, parameters.pipelined(), timing);
  }
  if (parameters.pso) recent_.emplace(blocks.geometry().blocks(), path.layers);
  // Retries that hold their die go by themselves.
  if (subpage_reads == SubpageReads::srs && !ideal_ && !held_)
    recent_rounds_.emplace(blocks.geometry().blocks(), path.layers);
  if (io.layout().has_parity()) rebuild_.emplace(io);
}

std::uint32_t PageReader::layer_of(const FlashTransaction& read) const {
  const std::uint64_t layers = io_.path().layers;
  const std::uint64_t up = read.command.page * layers / io_.layout().flash().pages_per_block;
  const std::uint64_t begin = io_.path().first_layer_by_block ? read.command.block % layer_quarters : 0;
  return static_cast<std::uint32_t>((up + begin * layers / layer_quarters) % layers);
}

RetryOrder PageReader::order_for(const FlashTransaction& read) const {
  const auto last = static_cast<std::uint8_t>(io_.path().retry_steps);
  return {recent_ ? recent_->likely(read.block, layer_of(read)) : std::uint8_t{0}, last, most_levels_};
}

void PageReader::prepare(FlashTransaction& read) const {
  const ReadAttempt attempt = read.retry_order.next();
  // Levels beyond the first are tried at the step of the read before.
  const bool goes_on = keep_senses_ && attempt.sensing_levels > 1;
  read.command.retry_step = attempt.step;
  io_.set_sensing_levels(read, attempt.sensing_levels, goes_on ? read.command.sensing_levels : 0);
  if (recent_rounds_) read.expected_round = std::max(read.expected_round, read.retry_order.tried());
}

void PageReader::subpages_gathered(std::span<FlashTransaction* const> reads) {
  if (subpage_reads_ == SubpageReads::soml) return subpage_operations_.start(reads);
  // The array works for so long anyway.
  std::uint8_t levels = 1;
  for (const FlashTransaction* read : reads) levels = std::max(levels, read->command.sensing_levels);
  for (FlashTransaction* read : reads) {
    if (read->rebuilds != nullptr || read->lends_to != nullptr) continue;  // they are read hard
    while (read->command.sensing_levels < levels) {
      io_.set_sensing_levels(*read, read->retry_order.next().sensing_levels, read->command.earlier_levels);
    }
  }
}

void PageReader::remember(const FlashTransaction& read) {
  if (recent_) recent_->succeeded(read.block, layer_of(read), read.command.retry_step);
  if (!recent_rounds_ || read.rebuilds != nullptr) return;
  // Of what was read with more levels than it has asked for, it is not known whether it needed them.
  const std::uint16_t round = std::min({read.expected_round, read.retry_order.tried(), RecentSteps::highest});
  recent_rounds_->succeeded(read.block, layer_of(read), static_cast<std::uint8_t>(round));
}

void PageReader::persist(Archive& archive) {
  archive.variant(recent_ ? "pso" : "", [this](Archive& state) { recent_->persist(state, io_.path().retry_steps); });
  archive.variant(recent_rounds_ ? "srs" : "",
                  [this](Archive& state) { recent_rounds_->persist(state, RecentSteps::highest); });
}

void PageReader::start(FlashTransaction& read, Ppn source, std::uint32_t first, std::uint32_t end, Tick now) {
  const FlashLayout& layout = io_.layout();
  const std::uint32_t codeword = io_.path().layout.codeword_bytes;
  read.ppn = source;
  read.block = layout.block_of(source);
  FlashIo::set_address(read, layout.find(source));
  read.command.first_byte = first / codeword * codeword;
  read.command.bytes = (end - read.command.first_byte + codeword - 1) / codeword * codeword;
  if (ideal_) {
    read.command.retry_step = best_levels;
  } else {
    read.retry_order = order_for(read);
    if (recent_rounds_) read.expected_round = recent_rounds_->likely(read.block, layer_of(read));
    prepare(read);
  }
  blocks_.pin(read.block);
  if (!lie_across(read.block)) return io_.read(read, now);
  read.ecc.parity_share = parity_share(layout.find(source));
  const std::optional<Lender> lender = read.lent_at_once ? std::nullopt : lender_of(source, first, end);
  if (lender) {
    send_with_lender(read, *lender, now);
  } else {
    io_.read(read, now);
  }
}

// --- parity that is lent
// ------------------------------------------------------------------------------------------------

ParityShare PageReader::parity_share(const Place& place) const {
  return fullpages_->parity_share(place.page_of_block, place.block_of_plane % layer_quarters);
}

std::optional<PageReader::Lender> PageReader::lender_of(Ppn unit, std::uint32_t first, std::uint32_t end) const {
  const FlashLayout& layout = io_.layout();
  const BlockId block = layout.block_of(unit);
  if (!lie_across(block)) return std::nullopt;
  const Place place = layout.find(unit);
  if (parity_share(place) != ParityShare::borrows) return std::nullopt;
  const std::uint32_t row = place.page_of_block;
  const Ppn page = layout.first_unit(block, row, fullpages_->member(row, FullpagePattern::lending));
  const std::uint32_t quarter = first / layout.unit_bytes();
  if (quarter != (end - 1) / layout.unit_bytes()) return Lender{page, 0, layout.flash().page_bytes};
  const std::uint32_t fullpage = FullpagePattern::fullpage(quarter, FullpagePattern::borrowing);
  const std::uint32_t lending = FullpagePattern::quarter(fullpage, FullpagePattern::lending) * layout.unit_bytes();
  return Lender{page, lending, lending + layout.unit_bytes()};
}

void PageReader::send_with_lender(FlashTransaction& read, const Lender& lender, Tick now) {
  ++lone_reads_;
  FlashTransaction& page = io_.acquire(read.purpose);
  page.lends_to = &read;
  page.block = read.block;
  page.ppn = lender.first_unit;
  page.priority = read.priority;
  page.stream = read.stream;
  page.expected_round = read.expected_round;
  FlashIo::set_address(page, io_.layout().find(lender.first_unit));
  page.command.first_byte = lender.first;
  page.command.bytes = lender.end - lender.first;
  read.lender = &page;
  if (subpage_operations_.reads_subpage(read) && subpage_operations_.reads_subpage(page)) {
    io_.prepare_read(page);
    io_.read(read, now);
  } else {
    io_.read(page, now);
  }
}

void PageReader::lender_read(FlashTransaction& lender, Tick now) {
  FlashTransaction& read = *lender.lends_to;
  const bool came_along = lender.command.single_operation;
  if (lender.operation != nullptr) subpage_operations_.leave(lender, now);
  io_.release(lender);
  read.lender = nullptr;
  if (!came_along) {
    io_.read(read, now);
  } else if (std::exchange(read.waits_for_lender, false)) {
    io_.decode(read);
  }
}

// --- reads that come back
// -----------------------------------------------------------------------------------------------

void PageReader::done(FlashTransaction& command, Tick now) {
  if (command.lends_to != nullptr) {
    lender_read(command, now);
  } else if (command.lender != nullptr) {
    command.waits_for_lender = true;
  } else if (command.retry != nullptr) {
    held_->done(command, now);
  } else {
    io_.decode(command);
  }
}

void PageReader::decoded(FlashTransaction& read, Tick now) {
  ++counters_.sensing_levels.reads[read.command.sensing_levels - 1u];
  if (read.retry != nullptr) return held_->decoded(read, now);
  // What the mapping knows was programmed: its wordline was not completed, and has gone with the power.
  const bool gone = read.command.erased_page;
  read.ecc.uncorrectable |= gone;
  const bool again = !ideal_ && read.ecc.uncorrectable && !gone && !read.rebuilt && !read.retry_order.exhausted();
  if (read.operation != nullptr && (!again || held_)) subpage_operations_.leave(read, now);
  if (!again) return over(read, now);
  ++read.retries;
  if (held_) return held_->start(read, now);
  prepare(read);
  read.command.cache = false;
  if (read.operation != nullptr) {
    subpage_operations_.again(read, now);
  } else if (read.command.single_operation) {
    io_.enqueue_again(read, now);
  } else {
    io_.enqueue(read, now);
  }
}

void PageReader::over(FlashTransaction& read, Tick now) {
  if (!read.ecc.uncorrectable) remember(read);
  if (rebuild_ && (read.ecc.uncorrectable || read.rebuilt || read.rebuilds != nullptr)) {
    rebuild_page(read, now);
  } else {
    end(read, now);
  }
}

void PageReader::rebuild_page(FlashTransaction& read, Tick now) {
  if (read.rebuilds != nullptr) {
    FlashTransaction& lost = *read.rebuilds;
    if (rebuild_->page_read(read)) end(lost, now);
  } else if (read.rebuilt) {
    rebuild_->decoded(read);
    end(read, now);
  } else if (read.purpose == Purpose::scrub_read) {
    end(read, now);  // nobody wants to know what it holds
  } else {
    rebuild_->start(read, now);
  }
}

void PageReader::end(FlashTransaction& read, Tick now) {
  ++counters_.reads;
  counters_.retried_reads += read.retries > 0;
  counters_.steps += read.retries;
  counters_.failed_reads += read.ecc.uncorrectable;
  const BlockId block = read.block;
  const bool rebuilt = read.rebuilt;
  client_.unpin(block, now);
  if (read.lost) read.ecc.uncorrectable = true;
  client_.page_read(read, now);
  if (rebuilt) client_.page_rebuilt(block, now);
}

}  // namespace nandscape
