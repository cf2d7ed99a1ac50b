// SPDX-License-Identifier: Apache-2.0
#include "nand/die.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace nandscape {

DieCounters& DieCounters::operator+=(const DieCounters& other) {
  page_reads += other.page_reads;
  page_programs += other.page_programs;
  block_erases += other.block_erases;
  senses += other.senses;
  suspends += other.suspends;
  return *this;
}

void describe(const DieCounters& c, StatisticsVisitor& v) {
  v.count("page_reads", c.page_reads, "pages read from the arrays");
  v.count("page_programs", c.page_programs, "pages programmed");
  v.count("block_erases", c.block_erases, "blocks erased");
  v.count("senses", c.senses, "senses made to read those pages");
  v.count("suspends", c.suspends, "programs and erases suspended");
}

Die::Die(std::string name, const Geometry& geometry, const NandTiming& timing, PageStore* store)
    : name_(std::move(name)),
      geometry_(geometry),
      timing_(timing),
      store_(store),
      next_page_(std::size_t{geometry.planes_per_die} * geometry.blocks_per_plane) {}

bool Die::accepts(const NandCommand& command, Tick now) const {
  if (now < ready_) return false;
  switch (command.operation) {
    case NandOperation::read:
      if (command.cache) {
        // Until the first page of the read before it has moved out.
        return (state_ == State::busy || state_ == State::responding) && active_.kind == NandOperation::read &&
               active_.released == 0 && cache_read_ == nullptr;
      }
      [[fallthrough]];
    case NandOperation::program:
    case NandOperation::erase:
      if (state_ == State::idle) return suspended_.commands.empty() || command.operation == NandOperation::read;
      return state_ == State::loading && active_.kind == command.operation &&
             std::none_of(active_.commands.begin(), active_.commands.end(),
                          [&](const NandCommand* other) { return other->plane == command.plane; });
    case NandOperation::suspend: return suspended_.commands.empty();
    case NandOperation::resume: return state_ == State::idle && !suspended_.commands.empty();
  }
  return false;
}

Tick Die::issue(NandCommand& command, Tick now) {
  check_address(command);
  if (!accepts(command, now)) refuse(command, "the die cannot take it now");
  if (command.operation == NandOperation::program) check_order(command);
  if (command.operation == NandOperation::read && !suspended_.commands.empty()) check_suspended(command);
  remember(command);
  command.cache_read_confirmed = 0;
  switch (command.operation) {
    case NandOperation::suspend: return suspend(command, now);
    case NandOperation::resume: return resume(now);
    default: break;
  }
  if (command.operation == NandOperation::read && command.cache) {
    cache_read_ = &command;
    command.response_time = timing_.t_rcbsy;
    return never;
  }
  load(command);
  return command.more_planes ? never : start(now);
}

void Die::load(NandCommand& command) {
  if (command.operation == NandOperation::program) ++next_page_[block_index(command)];
  active_.kind = command.operation;
  active_.released = 0;
  active_.commands.push_back(&command);
  state_ = State::loading;
}

void Die::check_order(const NandCommand& program) const {
  const std::uint16_t next = next_page_[block_index(program)];
  if (program.page < next) refuse(program, "the page is programmed already; its block must be erased first");
  if (program.page > next) {
    refuse(program, "pages of a block are programmed in order; page " + std::to_string(next) + " is next");
  }
}

void Die::check_suspended(const NandCommand& read) const {
  for (const NandCommand* c : suspended_.commands) {
    const bool same_page = c->operation == NandOperation::erase || c->page == read.page;
    if (c->plane == read.plane && c->block == read.block && same_page) {
      refuse(read, "what it reads is suspended half-way: " + to_string(*c));
    }
  }
}

Tick Die::start(Tick now) {
  Tick duration = 0;
  switch (active_.kind) {
    case NandOperation::read:
      for (const NandCommand* c : active_.commands) duration = std::max(duration, timing_.read_time(c->page));
      break;
    case NandOperation::program: duration = timing_.t_prog; break;
    case NandOperation::erase: duration = timing_.t_bers; break;
    default: break;
  }
  state_ = State::busy;
  active_.work = duration;
  active_.end = now + duration;
  return active_.end;
}

Tick Die::suspend(NandCommand& command, Tick now) {
  const bool suspendable = state_ == State::busy && active_.kind != NandOperation::read && active_.end > now;
  if (!suspendable) {
    command.status = NandStatus::fail;
    command.response_time = 0;
    return never;
  }
  ++counters_.suspends;
  command.status = NandStatus::pass;
  command.response_time = timing_.t_suspend;
  ready_ = now + timing_.t_suspend;
  // While it was still resuming, none of the work was done.
  suspended_left_ = std::min(active_.end - now, active_.work);
  std::swap(suspended_, active_);
  state_ = State::idle;
  return never;
}

Tick Die::resume(Tick now) {
  std::swap(suspended_, active_);
  state_ = State::busy;
  active_.work = suspended_left_;
  active_.end = now + timing_.t_resume + suspended_left_;
  return active_.end;
}

void Die::finish(Tick now) {
  if (state_ != State::busy || active_.end > now) {
    throw ProtocolError(name_ + ": finish() is called, but no array operation ends now");
  }
  for (NandCommand* command : active_.commands) finish_page(*command);
  state_ = State::responding;
}

void Die::finish_page(NandCommand& command) {
  command.status = NandStatus::pass;
  switch (command.operation) {
    case NandOperation::read:
      ++counters_.page_reads;
      counters_.senses += timing_.senses[timing_.page_type(command.page)];
      if (store_ != nullptr && command.data != nullptr) store_->read(row(command), command.data);
      break;
    case NandOperation::program:
      ++counters_.page_programs;
      if (store_ != nullptr && command.data != nullptr) store_->write(row(command), command.data);
      break;
    case NandOperation::erase:
      ++counters_.block_erases;
      next_page_[block_index(command)] = 0;
      if (store_ != nullptr) {
        store_->erase(std::uint64_t{block_index(command)} * geometry_.pages_per_block, geometry_.pages_per_block);
      }
      break;
    default: break;
  }
}

NandCommand* Die::response() const {
  return state_ == State::responding ? active_.commands[active_.released] : nullptr;
}

Tick Die::release(Tick now) {
  if (state_ != State::responding) throw ProtocolError(name_ + ": a response ends, but none was begun");
  if (active_.released == 0 && cache_read_ != nullptr) {
    // A cache read that came too late to go before this data-out starts behind it.
    const Tick confirmed = active_.commands.front()->cache_read_confirmed;
    active_.end = (confirmed != 0 ? confirmed : now) + timing_.t_rcbsy + timing_.read_time(cache_read_->page);
  }
  if (++active_.released < active_.commands.size()) return never;
  active_.commands.clear();
  state_ = State::idle;
  if (cache_read_ == nullptr) return never;
  active_.released = 0;
  active_.commands.push_back(std::exchange(cache_read_, nullptr));
  active_.end = std::max(active_.end, now);
  state_ = State::busy;
  return active_.end;
}

void Die::precondition(std::uint32_t plane, std::uint32_t block, std::uint32_t pages) {
  next_page_[plane * geometry_.blocks_per_plane + block] = static_cast<std::uint16_t>(pages);
}

void Die::check_address(const NandCommand& c) const {
  if (c.plane >= geometry_.planes_per_die || c.block >= geometry_.blocks_per_plane ||
      c.page >= geometry_.pages_per_block) {
    refuse(c, "the address is out of range: the die has " + std::to_string(geometry_.planes_per_die) + " planes of " +
                  std::to_string(geometry_.blocks_per_plane) + " blocks of " +
                  std::to_string(geometry_.pages_per_block) + " pages");
  }
}

NandCommand Die::Trace::command() const {
  NandCommand c;
  c.operation = operation;
  c.more_planes = more_planes;
  c.cache = cache;
  c.plane = plane;
  c.block = block;
  c.page = page;
  return c;
}

void Die::remember(const NandCommand& command) {
  history_[history_length_ % history_.size()] = {command.operation, command.more_planes, command.cache,
                                                 command.plane,     command.block,       command.page};
  ++history_length_;
}

void Die::refuse(const NandCommand& command, const std::string& reason) const {
  std::string text = name_ + ": " + to_string(command) + ": " + reason + "\n  before it:";
  const std::size_t known = std::min(history_length_, history_.size());
  if (known == 0) text += " nothing";
  for (std::size_t k = history_length_ - known; k < history_length_; ++k) {
    text += "\n    " + to_string(history_[k % history_.size()].command());
  }
  throw ProtocolError(text);
}

}  // namespace nandscape
