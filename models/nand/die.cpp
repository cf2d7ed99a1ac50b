// SPDX-License-Identifier: Apache-2.0
#include "nand/die.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "nand/parameter_page.h"

namespace nandscape::nand {

namespace {

// Returns whether the operation overwrites the page in the page register of its plane.
constexpr bool overwrites_register(NandOperation operation) {
  return operation == NandOperation::read || operation == NandOperation::program ||
         operation == NandOperation::copyback_read || operation == NandOperation::read_parameter_page;
}

[[noreturn, gnu::noinline]] void refuse_now(const CommandRules& rules, const NandCommand& command) {
  rules.refuse(command, "the die cannot take it now");
}

[[noreturn, gnu::noinline]] void refuse_finish(const std::string& die) {
  throw ProtocolError(die + ": finish() was called, but no array operation ends now");
}

}  // namespace

DieCounters& DieCounters::operator+=(const DieCounters& other) {
  NandArrayCounters::operator+=(other);
  suspends += other.suspends;
  resets += other.resets;
  array += other.array;
  return *this;
}

void describe(const DieCounters& c, StatisticsVisitor& v) {
  v.count("page_reads", c.page_reads, "pages read from the arrays");
  v.count("page_programs", c.page_programs, "pages programmed");
  v.count("block_erases", c.block_erases, "blocks erased");
  v.count("senses", c.senses, "senses made to read those pages");
  v.count("suspends", c.suspends, "programs and erases suspended");
  v.count("resets", c.resets, "resets of a die");
  v.count("failures", c.failures, "programs, erases and voltage adjustments that failed");
}

Die::Die(std::string name, const Geometry& geometry, const NandTiming& timing, PageStore* store, CellArray* cells,
         PageTags* tags)
    : suspended_(geometry.planes_per_die),
      active_(geometry.planes_per_die),
      features_(timing),
      cached_program_(geometry.planes_per_die),
      timing_(timing),
      plane_reads_(geometry.planes_per_die),
      geometry_(geometry),
      name_(std::move(name)),
      array_(geometry, timing, features_, store, cells, tags),
      rules_(name_, geometry, timing, features_, array_) {}

bool Die::accepts(const NandCommand& command, Tick now) const {
  if (now < ready_ && command.operation != NandOperation::reset) return false;
  switch (command.operation) {
    case NandOperation::read:
      if (command.cache) {
        // A cache read is accepted until the first page of the previous read has been transferred out of the die.
        return (state_ == State::busy || state_ == State::responding) && active_.kind == NandOperation::read &&
               active_.released == 0 && cache_read_ == nullptr;
      }
      if (command.independent) return takes_plane_read(command);
      // An idle die accepts every ordinary read, even while another operation is suspended.
      if (state_ == State::idle) return true;
      [[fallthrough]];
    case NandOperation::program:
      if (takes_cached_program(command, now)) return true;
      [[fallthrough]];
    case NandOperation::erase:
    case NandOperation::copyback_read:
    case NandOperation::copyback_program:
    case NandOperation::adjust_voltage:
      if (state_ == State::idle) return suspended_.commands.empty();
      return state_ == State::loading && active_.kind == command.operation && joins(active_, command);
    case NandOperation::set_feature:
    case NandOperation::get_feature:
    case NandOperation::read_parameter_page: return state_ == State::idle;
    case NandOperation::suspend: return suspended_.commands.empty() && cached_program_.commands.empty();
    case NandOperation::resume: return state_ == State::idle && !suspended_.commands.empty();
    case NandOperation::reset: return state_ != State::responding && plane_reads_.response() == nullptr;
  }
  return false;
}

// Returns whether the die can take a program behind the active one. While the array runs a program with `cache`, the
// cache registers are free again and accept the planes of one more program.
bool Die::takes_cached_program(const NandCommand& program, Tick now) const {
  if (program.operation != NandOperation::program || active_.kind != NandOperation::program) return false;
  if (state_ != State::busy && state_ != State::responding) return false;
  if (!active_.commands.back().cache || now < cache_free_) return false;
  return !cached_complete_ && joins(cached_program_, program);
}

bool Die::joins(const Operation& operation, const NandCommand& command) {
  if (operation.commands.full()) return false;
  return std::all_of(operation.commands.begin(), operation.commands.end(), [&](const NandCommand* other) {
    return command.single_operation == other->single_operation &&
           (command.single_operation || command.plane != other->plane);
  });
}

// While planes read on their own, the die takes no other operation.
bool Die::takes_plane_read(const NandCommand& command) const {
  return (state_ == State::idle || state_ == State::planes_read) && !plane_reads_.busy(command.plane);
}

Tick& Die::array_time(ArrayTimes& times, NandOperation operation) {
  if (operation == NandOperation::read) return times.reading;
  if (operation == NandOperation::erase) return times.erasing;
  const bool programming = programs(operation) || operation == NandOperation::adjust_voltage;
  return programming ? times.programming : times.reading;
}

void Die::count_array_time(Tick duration) {
  array_time(times_, active_.kind) += duration * active_.commands.size();
  times_.busy += duration;
}

inline Tick Die::start_array(Tick before, Tick duration, Tick now) {
  state_ = State::busy;
  active_.work = duration;
  cache_free_ = now + before;
  active_.end = cache_free_ + duration;
  return active_.end;
}

inline Tick Die::start(Tick now) {
  if (active_.kind != NandOperation::read && active_.kind != NandOperation::copyback_read) return start_other(now);
  const bool one = active_.commands.size() == 1;
  const Tick duration = one ? array_.read_time(active_.commands.front()) : longest_read();
  count_array_time(duration);
  return start_array(0, duration, now);
}

inline void Die::load(NandCommand& command) {
  active_.kind = command.operation;
  active_.released = 0;
  active_.commands.push_back(command);
}

inline Tick Die::take(NandCommand& command, Tick now) {
  rules_.remember(command);
  if (overwrites_register(command.operation)) array_.registers().overwrite(command.plane);
  if (state_ == State::busy || state_ == State::responding) return queue_cached_program(command, now);
  load(command);
  state_ = State::loading;
  return command.more_planes ? never : start(now);
}

inline Tick Die::begin_read(NandCommand& command, Tick now) {
  const Tick duration = array_.read_time(command);
  rules_.remember(command);
  array_.registers().overwrite(command.plane);
  command.cache_read_confirmed = 0;
  load(command);
  times_.reading += duration;
  times_.busy += duration;
  return start_array(0, duration, now);
}

Tick Die::issue(NandCommand& command, Tick now) {
  rules_.check_address(command);
  if (!reads_at_once(command, now)) return issue_checked(command, now);
  if (!suspended_.commands.empty()) return read_beside_suspended(command, now);
  return begin_read(command, now);
}

Tick Die::read_beside_suspended(NandCommand& command, Tick now) {
  rules_.check_read(command, suspended_.commands, active_.commands);
  return begin_read(command, now);
}

Tick Die::issue_checked(NandCommand& command, Tick now) {
  if (!accepts(command, now)) [[unlikely]]
    refuse_now(rules_, command);
  switch (command.operation) {
    case NandOperation::read:
      if (command.independent) rules_.check_independent(command);
      rules_.check_read(command, suspended_.commands, active_.commands);
      command.cache_read_confirmed = 0;
      if (command.cache) return queue_cache_read(command);
      if (command.independent) return begin_plane_read(command, now);
      break;
    case NandOperation::copyback_read: rules_.check_read(command, suspended_.commands, active_.commands); break;
    case NandOperation::program: rules_.check_program(command); break;
    case NandOperation::copyback_program:
      rules_.check_program(command);
      array_.registers().modify(command);
      break;
    case NandOperation::erase: break;
    case NandOperation::adjust_voltage: rules_.check_adjustment(command); break;
    case NandOperation::get_feature: rules_.check_feature(command); break;
    case NandOperation::read_parameter_page: rules_.check_parameter_page(command); break;
    case NandOperation::set_feature: return set_feature(command, now);
    case NandOperation::suspend: return suspend(command, now);
    case NandOperation::resume: return resume(command, now);
    case NandOperation::reset: return reset(command, now);
  }
  return take(command, now);
}

Tick Die::begin_plane_read(NandCommand& command, Tick now) {
  rules_.remember(command);
  array_.registers().overwrite(command.plane);
  const Tick duration = array_.read_time(command);
  times_.reading += duration;
  times_.busy += plane_reads_.begin(command, duration, now);
  state_ = State::planes_read;
  return never;
}

void Die::finish_plane_reads(Tick now) {
  while (NandCommand* const read = plane_reads_.take_ended(now)) array_.finish(*read, suspended_.commands, now);
}

void Die::release_plane_read() {
  if (plane_reads_.response() == nullptr) refuse_release();
  plane_reads_.release();
  if (plane_reads_.none()) state_ = State::idle;
}

Tick Die::queue_cache_read(NandCommand& command) {
  rules_.remember(command);
  array_.registers().overwrite(command.plane);
  cache_read_ = &command;
  next_waits_ = true;
  command.response_time = timing_.t_rcbsy;
  return never;
}

Tick Die::queue_cached_program(NandCommand& command, Tick now) {
  cached_program_.kind = command.operation;
  cached_program_.commands.push_back(command);
  next_waits_ = true;
  if (command.more_planes) return never;
  cached_complete_ = true;
  cached_issued_ = now;
  cached_program_.work = begin_programs(cached_program_);
  command.response_time = transfer_time(cached_program_);
  return never;
}

// Starts the program that waits in the cache registers, or waits for its remaining planes. Called when the response of
// the previous program has ended.
Tick Die::start_cached_program(Tick now) {
  const Tick free = active_.end;
  std::swap(active_, cached_program_);
  active_.released = 0;
  if (!std::exchange(cached_complete_, false)) {
    state_ = State::loading;
    return never;
  }
  state_ = State::busy;
  count_array_time(active_.work);
  cache_free_ = std::max(free, cached_issued_) + transfer_time(active_);
  active_.end = std::max(cache_free_ + active_.work, now);
  return active_.end;
}

Tick Die::longest_read() const {
  Tick duration = 0;
  for (const NandCommand* c : active_.commands) duration = std::max(duration, array_.read_time(*c));
  return duration;
}

Tick Die::begin_programs(Operation& operation) {
  Tick duration = 0;
  for (const NandCommand* c : operation.commands) {
    array_.begin_program(*c);
    duration = std::max(duration, array_.program_time(*c));
  }
  return duration;
}

Tick Die::start_other(Tick now) {
  Tick duration = 0;
  Tick before = 0;
  switch (active_.kind) {
    case NandOperation::program:
    case NandOperation::copyback_program:
      duration = begin_programs(active_);
      before = transfer_time(active_);
      active_.commands.back().response_time = before;
      break;
    case NandOperation::erase: duration = timing_.t_bers; break;
    case NandOperation::adjust_voltage: duration = timing_.t_adjust; break;
    case NandOperation::get_feature: duration = timing_.t_feat; break;
    case NandOperation::read_parameter_page: duration = timing_.t_read.front(); break;
    default: break;
  }
  count_array_time(duration);
  return start_array(before, duration, now);
}

void Die::finish(Tick now) {
  if (state_ != State::busy || active_.end > now) [[unlikely]]
    refuse_finish(name_);
  state_ = State::responding;
  if (active_.kind != NandOperation::read || active_.commands.size() != 1) return finish_other(now);
  array_.finish(active_.commands.front(), suspended_.commands, now);
}

void Die::finish_other(Tick now) {
  if (active_.kind == NandOperation::get_feature || active_.kind == NandOperation::read_parameter_page) {
    tell(active_.commands.front());
  }
  for (NandCommand* command : active_.commands) array_.finish(*command, suspended_.commands, now);
}

void Die::refuse_release() const {
  throw ProtocolError(name_ + ": release() was called, but no response is under way");
}

void Die::confirm_cache_read(Tick now) {
  if (cache_read_ == nullptr) return;
  // The cache read starts when its cycles have ended, if the channel sent them before this data-out. Otherwise it
  // starts at the end of this data-out, which is now.
  const Tick confirmed = active_.commands.front().cache_read_confirmed;
  active_.work = array_.read_time(*cache_read_);
  active_.end = (confirmed != 0 ? confirmed : now) + timing_.t_rcbsy + active_.work;
  array_time(times_, active_.kind) += active_.work;
  times_.busy += active_.work;
}

Tick Die::start_next(Tick now) {
  next_waits_ = false;
  if (!cached_program_.commands.empty()) return start_cached_program(now);
  active_.released = 0;
  active_.commands.push_back(*std::exchange(cache_read_, nullptr));
  active_.end = std::max(active_.end, now);
  state_ = State::busy;
  return active_.end;
}

void Die::tell(NandCommand& c) const {
  if (c.operation == NandOperation::get_feature) {
    c.feature_value = features_.get(c.feature);
    return;
  }
  if (c.data == nullptr) return;
  std::array<ParameterPage, parameter_page_copies> copies;
  copies.fill(make_parameter_page(geometry_, timing_));
  std::memcpy(c.data + c.first_byte, reinterpret_cast<const std::byte*>(copies.data()) + c.first_byte, c.bytes);
}

}  // namespace nandscape::nand
