// SPDX-License-Identifier: Apache-2.0
#include "controller/controller.h"

#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.h"

namespace nandscape {

std::uint64_t exported_pages(const ControllerParameters& p, const Geometry& g) {
  if (p.garbage_collection.reserved_blocks >= p.garbage_collection.start_free_blocks) {
    throw ConfigError({}, "controller.garbage_collection.reserved_blocks",
                      "must be less than start_free_blocks (" + std::to_string(p.garbage_collection.start_free_blocks) +
                          "): else the host stalls before collection starts");
  }
  const auto pages =
      static_cast<std::uint64_t>(std::floor(static_cast<double>(g.pages()) / (1 + p.mapping.over_provisioning)));
  const std::uint64_t kept_back = std::uint64_t{p.garbage_collection.start_free_blocks} + 2;
  const std::uint64_t usable =
      g.blocks_per_plane > kept_back ? (g.blocks_per_plane - kept_back) * g.pages_per_block * g.planes() : 0;
  if (pages == 0 || pages > usable) {
    std::string advice = "give the planes more blocks";
    if (usable > 0) {
      advice = "it must be at least " +
               std::to_string(static_cast<double>(g.pages()) / static_cast<double>(usable) - 1) +
               ", or give the planes more blocks";
    }
    throw ConfigError({}, "controller.mapping.over_provisioning",
                      "leaves too few spare blocks (at 0 the exported would be the raw capacity): of a plane's " +
                          std::to_string(g.blocks_per_plane) + " blocks, " + std::to_string(kept_back) +
                          " are kept back (garbage_collection.start_free_blocks and 2 being written); " + advice);
  }
  return pages;
}

double ControllerCounters::write_amplification() const {
  const double host_bytes = static_cast<double>(host_sectors_written) * sector_bytes;
  return host_bytes == 0 ? 0 : static_cast<double>(programmed_pages) * page_bytes / host_bytes;
}

void describe(const ReadRetryCounters& c, StatisticsVisitor& v) {
  v.count("retried_reads", c.retried_reads, "pages read that took retry steps");
  v.count("failed_reads", c.failed_reads, "pages that could not be corrected at any step");
  v.real("steps", c.reads == 0 ? 0 : static_cast<double>(c.steps) / static_cast<double>(c.reads), "",
         "retry steps of a page read, on average");
}

void describe(const ControllerCounters& c, StatisticsVisitor& v) {
  v.real("write_amplification", c.write_amplification(), "",
         "bytes programmed over bytes the host wrote; 0 without writes");
  v.count("unmapped_reads", c.unmapped_reads, "pages read that held no data");
  v.count("merge_reads", c.merge_reads, "pages read to be merged with a write of a part of them");
  v.count("programmed_pages", c.programmed_pages, "pages programmed for the host and for garbage collection");
  v.group("read_retry", c.read_retry, "pages that had to be read more than once");
  v.group("gc", c.collection, "garbage collection");
}

Controller::Controller(const ControllerParameters& parameters, const Geometry& geometry, const DataPath& path,
                       std::uint64_t seed, Calendar& calendar, FlashScheduler::Port& flash, EccPort& ecc)
    : geometry_(geometry),
      places_(geometry),
      logical_pages_(exported_pages(parameters, geometry)),
      path_(path),
      retry_steps_(parameters.read_retry.policy == ReadRetry::none ? 0 : path.retry_steps),
      order_(parameters.mapping.allocation, geometry_),
      initial_(parameters.precondition, geometry_, order_, logical_pages_, seed),
      mapping_(logical_pages_, geometry_.pages(), initial_),
      blocks_(geometry_, initial_),
      collector_(parameters.garbage_collection, blocks_, *this),
      scheduler_(parameters.scheduler, geometry_, calendar, flash, *this),
      ecc_(ecc),
      host_blocks_(geometry_.planes()),
      gc_blocks_(geometry_.planes()),
      buffers_(path.buffer_bytes(), path.count_codeword_errors ? path.layout.codewords() : 0) {
  counters_.page_bytes = geometry_.page_bytes;
}

ControllerCounters Controller::counters() const {
  ControllerCounters counters = counters_;
  counters.collection = collector_.counters();
  return counters;
}

bool Controller::idle() const {
  bool pinned = false;
  for (std::uint32_t block = 0; block < geometry_.blocks(); ++block) pinned |= blocks_.pinned(BlockId(block));
  return transactions_.in_use() == 0 && writes_.empty() && !pinned;
}

// --- accesses of the front end
// -----------------------------------------------------------------------------------------

void Controller::submit(PageAccess& access, Tick now) {
  switch (access.kind) {
    case AccessKind::read: read(access, now); break;
    case AccessKind::write: write(access, now); break;
    case AccessKind::trim: trim(access, now); break;
    case AccessKind::flush: complete(access, now); break;  // a write is done only when it is on flash
  }
}

void Controller::complete(PageAccess& access, Tick now) { client_->completed(access, now); }

void Controller::read(PageAccess& access, Tick now) {
  const Ppn ppn = mapping_.find(access.lpn);
  if (!ppn.valid()) {
    ++counters_.unmapped_reads;
    if (access.data != nullptr) std::memset(access.data, 0, std::size_t{access.sector_count} * sector_bytes);
    complete(access, now);
    return;
  }
  FlashTransaction& read = make_transaction(Purpose::host_read, access.lpn);
  read.access = &access;
  const std::uint32_t codeword = path_.layout.codeword_bytes;
  const std::uint32_t first = access.first_sector * sector_bytes / codeword * codeword;
  const std::uint32_t end = (access.first_sector + access.sector_count) * sector_bytes;
  read.command.first_byte = first;
  read.command.bytes = (end - first + codeword - 1) / codeword * codeword;
  start_read(read, ppn, now);
}

void Controller::write(PageAccess& access, Tick now) {
  if (FlashTransaction* earlier = writes_.find(access.lpn)) {
    earlier->wait_behind(access);
    return;
  }
  FlashTransaction& write = make_transaction(Purpose::host_write, access.lpn);
  write.access = &access;
  set_plane(write, order_.plane_of(access.lpn));
  writes_.insert(write);

  const bool whole_page = std::uint32_t{access.sector_count} * sector_bytes == geometry_.page_bytes;
  const Ppn old = whole_page ? Ppn() : mapping_.find(access.lpn);
  if (old.valid()) {
    ++counters_.merge_reads;
    FlashTransaction& read = make_transaction(Purpose::merge_read, access.lpn);
    read.access = &access;
    read.merge_into = &write;
    start_read(read, old, now);
    return;
  }
  if (path_.keeps_data() && !whole_page) std::memset(write.command.data, 0, geometry_.page_bytes);
  encode(write, now);
}

void Controller::encode(FlashTransaction& write, Tick) {
  const PageAccess& access = *write.access;
  if (path_.keeps_data() && access.data != nullptr) {
    std::memcpy(write.command.data + std::size_t{access.first_sector} * sector_bytes, access.data,
                std::size_t{access.sector_count} * sector_bytes);
  }
  submit_ecc(write, EccKind::encode);
}

void Controller::trim(PageAccess& access, Tick now) {
  if (forget_pages(access, now)) complete(access, now);
}

bool Controller::forget_pages(PageAccess& trim, Tick now) {
  if (FlashTransaction* earlier = writes_.find(trim.lpn, trim.page_count)) {
    earlier->wait_behind(trim);
    return false;
  }
  for (std::uint64_t k = 0; k < trim.page_count; ++k) {
    const Lpn lpn(trim.lpn.value + k);
    const Ppn ppn = mapping_.find(lpn);
    if (!ppn.valid()) continue;
    blocks_.invalidate(ppn);
    mapping_.unmap(lpn);
    lost_.erase(lpn.value);
    collector_.check(order_.plane_of(lpn), now);
  }
  return true;
}

// --- flash transactions
// ------------------------------------------------------------------------------------------------

FlashTransaction& Controller::make_transaction(Purpose purpose, Lpn lpn) {
  FlashTransaction& transaction = transactions_.acquire();
  transaction.purpose = purpose;
  transaction.lpn = lpn;
  if (buffers_.used()) {
    transaction.buffer = &buffers_.acquire();
    transaction.command.data = transaction.buffer->data.get();
  }
  return transaction;
}

void Controller::free_transaction(FlashTransaction& transaction) {
  if (transaction.buffer != nullptr) buffers_.release(*transaction.buffer);
  transactions_.release(transaction);
}

void Controller::set_address(FlashTransaction& transaction, Ppn ppn) const {
  const Place place = places_.find(ppn);
  transaction.ppn = ppn;
  transaction.channel = place.channel;
  transaction.plane = place.plane;
  transaction.block = place.block;
  transaction.command.die = place.die_of_channel;
  transaction.command.plane = place.plane_of_die;
  transaction.command.block = place.block_of_plane;
  transaction.command.page = place.page_of_block;
}

void Controller::set_plane(FlashTransaction& write, PlaneId plane) const {
  const DieId die = geometry_.die_of(plane);
  write.plane = plane;
  write.channel = geometry_.channel_of(die);
  write.command.die = die.value % geometry_.dies_per_channel();
  write.command.plane = plane.value % geometry_.planes_per_die;
}

void Controller::start_read(FlashTransaction& read, Ppn source, Tick now) {
  set_address(read, source);
  read.command.operation = NandOperation::read;
  if (read.command.bytes == 0) read.command.bytes = geometry_.page_bytes;
  if (path_.count_codeword_errors) {
    const std::uint32_t codewords = read.command.bytes / path_.layout.codeword_bytes;
    read.command.codeword_errors = std::span(read.buffer->codeword_errors).first(codewords);
  }
  // As of now: by the time it is decoded, the page may have moved or been written over.
  read.lost = !lost_.empty() && lost_.contains(read.lpn.value);
  blocks_.pin(read.block);
  scheduler_.enqueue(read, now);
}

void Controller::submit_ecc(FlashTransaction& transaction, EccKind kind) {
  const NandCommand& command = transaction.command;
  EccJob& job = transaction.ecc;
  job.kind = kind;
  // By the logical address: a page is scrambled before it has a physical one.
  job.scrambled = path_.scramble;
  job.scrambler_seed = transaction.lpn.value;
  job.data = command.data;
  job.owner = &transaction;
  if (kind == EccKind::encode) {
    job.bytes = geometry_.page_bytes;
  } else {
    job.first_byte = command.first_byte;
    job.bytes = command.bytes;
    job.transfer_time = command.response_time;
    job.raw_bit_errors = command.raw_bit_errors;
    job.worst_codeword_errors = command.worst_codeword_errors;
    job.codeword_errors = command.codeword_errors;
  }
  ecc_.submit(transaction.channel, job);
}

void Controller::ecc_done(EccJob& job, Tick now) {
  FlashTransaction& transaction = *static_cast<FlashTransaction*>(job.owner);
  switch (transaction.purpose) {
    case Purpose::host_read:
    case Purpose::merge_read:
    case Purpose::gc_read:
      if (!retry(transaction, now)) read_decoded(transaction, now);
      break;
    default:  // encoded
      transaction.command.operation = NandOperation::program;
      transaction.command.bytes = geometry_.page_bytes;
      scheduler_.enqueue(transaction, now);
  }
}

void Controller::done(FlashTransaction& transaction, Tick now) {
  switch (transaction.purpose) {
    case Purpose::host_read:
    case Purpose::merge_read:
    case Purpose::gc_read: submit_ecc(transaction, EccKind::decode); break;
    case Purpose::host_write: host_write_done(transaction, now); break;
    case Purpose::gc_write: moved_page_written(transaction, now); break;
    case Purpose::gc_erase: {
      const BlockId block = transaction.block;
      const PlaneId plane = transaction.plane;
      free_transaction(transaction);
      collector_.block_erased(block, now);
      scheduler_.places_changed(plane, now);
      break;
    }
  }
}

void Controller::unpin(BlockId block, Tick now) {
  blocks_.unpin(block);
  if (!blocks_.pinned(block)) collector_.unpinned(block, now);
}

// Equation 3 of the read-retry paper: every step is a read of its own, which starts when the one before it has failed.
bool Controller::retry(FlashTransaction& read, Tick now) {
  if (!read.ecc.uncorrectable || read.command.retry_step == retry_steps_) return false;
  ++read.command.retry_step;
  read.command.cache = false;
  scheduler_.enqueue(read, now);
  return true;
}

void Controller::read_decoded(FlashTransaction& read, Tick now) {
  ReadRetryCounters& counters = counters_.read_retry;
  ++counters.reads;
  counters.retried_reads += read.command.retry_step > 0;
  counters.steps += read.command.retry_step;
  counters.failed_reads += read.ecc.uncorrectable;
  // Until now the block had to stay for a retry.
  unpin(read.block, now);
  if (read.lost) read.ecc.uncorrectable = true;
  switch (read.purpose) {
    case Purpose::host_read: host_read_decoded(read, now); break;
    case Purpose::merge_read: old_page_decoded(read, now); break;
    default: moved_page_decoded(read, now);
  }
}

void Controller::host_read_decoded(FlashTransaction& read, Tick now) {
  PageAccess& access = *read.access;
  const std::size_t bytes = std::size_t{access.sector_count} * sector_bytes;
  if (read.ecc.uncorrectable) {
    access.status = AccessStatus::unrecovered_read_error;
    if (access.data != nullptr) mark_unrecovered({access.data, bytes});
  } else if (path_.keeps_data() && access.data != nullptr) {
    std::memcpy(access.data, read.command.data + std::size_t{access.first_sector} * sector_bytes, bytes);
  }
  free_transaction(read);
  complete(access, now);
}

void Controller::old_page_decoded(FlashTransaction& read, Tick now) {
  FlashTransaction& write = *read.merge_into;
  const bool unreadable = read.ecc.uncorrectable;
  if (path_.keeps_data()) std::memcpy(write.command.data, read.command.data, geometry_.page_bytes);
  free_transaction(read);
  if (unreadable) {
    // The rest of the page would be made up.
    write.access->status = AccessStatus::unrecovered_read_error;
    end_write(write, now);
  } else {
    encode(write, now);
  }
}

// --- writing
// -----------------------------------------------------------------------------------------------------------

BlockId& Controller::open_block(const FlashTransaction& write) {
  return (write.purpose == Purpose::host_write ? host_blocks_ : gc_blocks_)[write.plane.value];
}

const BlockId& Controller::open_block(const FlashTransaction& write) const {
  return const_cast<Controller*>(this)->open_block(write);
}

std::uint32_t Controller::next_page(const FlashTransaction& write) const {
  const BlockId block = open_block(write);
  return block.valid() && blocks_.state(block) == BlockTable::State::open ? blocks_.next_page(block) : 0;
}

bool Controller::place(FlashTransaction& write, Tick now) {
  BlockId& block = open_block(write);
  if (!block.valid() || blocks_.state(block) != BlockTable::State::open) {
    if (write.purpose == Purpose::host_write && !collector_.host_may_take_block(write.plane)) {
      collector_.check(write.plane, now);
      return false;
    }
    block = blocks_.take_free(write.plane);
    if (!block.valid()) throw std::logic_error("garbage collection has no block to write to");
    collector_.check(write.plane, now);
  }
  set_address(write, blocks_.append(block));
  blocks_.pin(block);
  ++counters_.programmed_pages;
  return true;
}

void Controller::host_write_done(FlashTransaction& write, Tick now) {
  if (const Ppn old = mapping_.find(write.lpn); old.valid()) blocks_.invalidate(old);
  blocks_.hold(write.ppn, write.lpn);
  mapping_.map(write.lpn, write.ppn);
  lost_.erase(write.lpn.value);
  counters_.host_sectors_written += write.access->sector_count;
  end_write(write, now);
}

void Controller::end_write(FlashTransaction& write, Tick now) {
  PageAccess& access = *write.access;
  writes_.erase(write);
  PageAccess* waiting = write.waiting;
  const BlockId block = write.block;
  free_transaction(write);
  if (block.valid()) unpin(block, now);
  // Whoever hears of a completion may send the next access to the page. What has waited goes before it: the first write
  // is now the one in flight, and the others line up behind it.
  access.next = nullptr;
  PageAccess* last_done = &access;
  while (waiting != nullptr) {
    PageAccess& next = *std::exchange(waiting, waiting->next);
    if (next.kind == AccessKind::write) {
      this->write(next, now);
    } else if (forget_pages(next, now)) {
      next.next = nullptr;
      last_done = last_done->next = &next;
    }
  }
  for (PageAccess* done = &access; done != nullptr;) complete(*std::exchange(done, done->next), now);
}

// --- garbage collection
// ------------------------------------------------------------------------------------------------

void Controller::move_page(Ppn source, Lpn lpn, Tick now) {
  FlashTransaction& read = make_transaction(Purpose::gc_read, lpn);
  start_read(read, source, now);
}

void Controller::moved_page_decoded(FlashTransaction& read, Tick) {
  FlashTransaction& write = make_transaction(Purpose::gc_write, read.lpn);
  write.lost = read.ecc.uncorrectable;
  write.source = read.ppn;
  set_plane(write, read.plane);
  std::swap(write.buffer, read.buffer);
  write.command.data = read.command.data;
  free_transaction(read);
  submit_ecc(write, EccKind::encode);
}

void Controller::moved_page_written(FlashTransaction& write, Tick now) {
  const bool overtaken = mapping_.find(write.lpn) != write.source;
  if (!overtaken) {
    blocks_.invalidate(write.source);
    blocks_.hold(write.ppn, write.lpn);
    mapping_.map(write.lpn, write.ppn);
    if (write.lost) lost_.insert(write.lpn.value);
  }
  const PlaneId plane = write.plane;
  const BlockId block = write.block;
  free_transaction(write);
  unpin(block, now);
  collector_.page_moved(plane, overtaken, now);
}

void Controller::erase_block(BlockId block, Tick now) {
  FlashTransaction& erase = make_transaction(Purpose::gc_erase, Lpn());
  set_address(erase, geometry_.page(block, 0));
  erase.command.operation = NandOperation::erase;
  scheduler_.enqueue(erase, now);
}

}  // namespace nandscape
