// SPDX-License-Identifier: Apache-2.0
#include "rtl/onfi/command_player.h"

#include "core/error.h"

namespace nandscape::rtl::onfi {

namespace {

bool bit(std::byte value, std::uint8_t mask) { return (std::to_integer<std::uint8_t>(value) & mask) != 0; }

NandStatus outcome(bool failed) { return failed ? NandStatus::fail : NandStatus::pass; }

}  // namespace

void CommandPlayer::request_begins(NandCommand& command, Tick now) {
  cycles_.check(command, settings_.timing.interface, name_);
  if (command.operation == NandOperation::set_feature && command.feature == timing_mode_feature) {
    throw ProtocolError(name_ + ": " + to_string(command) +
                        ": feature 01h, the timing mode, belongs to the player; set PlayerSettings::timing");
  }
  if (command.operation == NandOperation::reset) {
    reset_ = &command;
    reset_over_ = false;
    // The cycles of the reset are sent next, so the player no longer waits until the target is ready.
    if (start_ == Start::done) waiting_ = false;
    not_before_ = 0;
    if (playing_ != Playing::nothing && start_ == Start::done) surroundings_.stop_playing();
  } else if (is_cache_read(command)) {
    const bool follows = !operation_.empty() && operation_.kind() == NandOperation::read &&
                         operation_.planes.size() == 1 && !operation_.next().more_planes && cache_read_ == nullptr;
    if (!follows)
      throw ProtocolError(name_ + ": " + to_string(command) + ": a cache read must follow a read of one plane");
    cache_read_ = &command;
    cache_read_confirmed_ = false;
    command.response_time = 0;
  } else {
    if (!takes(command)) {
      throw ProtocolError(name_ + ": " + to_string(command) + ": the die works on " + to_string(operation_.next()) +
                          ", which must be answered first");
    }
    request_ = &command;
    request_over_ = false;
    // If the player polls the status of a cache program, the new request is sent before the next poll. If the player
    // waits for the target to become ready, it must continue to wait.
    if (!waiting_) not_before_ = now;
  }
  surroundings_.wake(now);
}

bool CommandPlayer::takes(const NandCommand& request) const {
  if (operation_.empty()) return true;
  if (!operation_.confirmed) return operation_.planes.back()->more_planes && operation_.kind() == request.operation;
  const bool cached = operation_.kind() == NandOperation::program && operation_.planes.back()->cache;
  return cached && request.operation == NandOperation::program && !behind_.confirmed;
}

void CommandPlayer::response_ended(Tick now) {
  responding_ = false;
  if (++operation_.answered == operation_.planes.size()) {
    operation_ = std::exchange(behind_, {});
    if (cache_read_ != nullptr) {
      operation_.planes = {std::exchange(cache_read_, nullptr)};
      operation_.confirmed = operation_.chained = cache_read_confirmed_;
    }
  }
  surroundings_.wake(now);
}

void CommandPlayer::woken(Tick now) {
  if (watching_ && now >= watchdog_at_) {
    watching_ = false;
    const bool fetching = !operation_.empty() && operation_.confirmed && !responding_;
    if (waiting_ || fetching || playing_ != Playing::nothing) {
      if (now >= active_since_ + settings_.watchdog) target_is_stuck();
      watch_until(active_since_ + settings_.watchdog);
    }
  }
  advance(now);
}

// Performs the next action, if any is possible now.
void CommandPlayer::advance(Tick now) {
  now_ = now;
  if (playing_ != Playing::nothing || now < not_before_) return;
  if (waiting_ && !wait_is_over(now)) return;
  if (start_up()) return;
  if (responding_ || go_on_with_reset()) return;
  // The request of a cache program ends only when the previous program has been answered, because the initiator may
  // send the next cache program after this.
  if (request_over_ && !behind_.confirmed) {
    NandCommand& command = *std::exchange(request_, nullptr);
    request_over_ = false;
    command.response_time = 0;
    if (answered_at_once(command.operation)) {
      command.status = NandStatus::pass;
      static_cast<void>(surroundings_.begin_response(command));
    } else {
      surroundings_.end_request(command);
    }
  }
  if (go_on_with_request() || operation_.empty()) return;
  if (!operation_.confirmed) {
    // A cache read that arrived after the data-out of the previous page is sent as an ordinary read.
    if (operation_.planes.size() == 1 && is_cache_read(operation_.next())) {
      play(Playing::late_cache_read, cycles_.request(operation_.next(), mode_));
    }
    return;
  }
  if (operation_.writes()) {
    go_on_with_write(now);
  } else {
    go_on_with_read(now);
  }
}

bool CommandPlayer::wait_is_over(Tick now) {
  if (!settings_.poll_status) {
    if (!surroundings_.pin_ready()) return false;
  } else if (!status_fresh_) {
    play(Playing::status, cycles_.status(status_, mode_));
    return false;
  } else if (!bit(status_, status::ready)) {
    poll_later(now);
    return false;
  }
  waiting_ = false;
  return true;
}

bool CommandPlayer::start_up() {
  if (start_ == Start::done || (request_ == nullptr && reset_ == nullptr)) return start_ != Start::done;
  if (start_ == Start::reset) {
    play(Playing::reset, cycles_.reset(opcode::reset, mode_));
    return true;
  }
  if (settings_.timing == mode_) {
    start_ = Start::done;
    return false;
  }
  play(Playing::timing_mode, cycles_.set_timing_mode(settings_.timing, mode_));
  return true;
}

bool CommandPlayer::go_on_with_reset() {
  if (reset_ == nullptr) return false;
  if (!reset_over_) {
    abort_all();
    const bool sdr = mode_.interface == Interface::sdr;
    play(Playing::reset, cycles_.reset(sdr ? opcode::reset : opcode::synchronous_reset, mode_));
    return true;
  }
  NandCommand& command = *std::exchange(reset_, nullptr);
  command.status = NandStatus::pass;
  command.response_time = 0;
  static_cast<void>(surroundings_.begin_response(command));
  return false;
}

bool CommandPlayer::go_on_with_request() {
  if (request_ == nullptr || request_over_) return false;
  play(Playing::request, cycles_.request(*request_, mode_));
  return true;
}

void CommandPlayer::go_on_with_read(Tick now) {
  const bool followed = operation_.chained && cache_read_ != nullptr && !cache_read_confirmed_;
  if (!operation_.fetchable) {
    // Waits until the array is ready. If 31h or 3Fh were sent earlier, the target would be busy until the page has been
    // read, and R/B_n would not show when this happens.
    if (!status_fresh_) return play(Playing::status, cycles_.status(status_, mode_));
    if (!bit(status_, status::array_ready)) return poll_later(now);
    if (!followed) return play(Playing::cache_read_end, cycles_.cache_read_end(mode_));
  }
  if (followed) return play(Playing::cache_read, cycles_.cache_read(*cache_read_, mode_));
  play(Playing::response, cycles_.response(operation_.next(), mode_));
}

void CommandPlayer::go_on_with_write(Tick now) {
  if (operation_.array_done) {
    return play(Playing::plane_status, cycles_.plane_status(operation_.next(), status_, mode_));
  }
  if (!status_fresh_) return play(Playing::status, cycles_.status(status_, mode_));
  // If the target has accepted another cache program, FAILC is the result of this one.
  const bool previous = behind_.confirmed;
  if (!previous && !bit(status_, status::array_ready)) return poll_later(now);
  if (!previous && operation_.planes.size() > 1) {
    operation_.array_done = true;
    return play(Playing::plane_status, cycles_.plane_status(operation_.next(), status_, mode_));
  }
  operation_.next().status = outcome(bit(status_, previous ? status::fail_previous : status::fail));
  answer(operation_.next(), now);
}

void CommandPlayer::play(Playing what, std::vector<Cycle> cycles) {
  playing_ = what;
  status_fresh_ = false;
  // Polling the status does not restart the watchdog, because it is not progress.
  if (what != Playing::status) watch();
  surroundings_.play(std::move(cycles));
}

void CommandPlayer::played(Tick now) {
  now_ = now;
  switch (std::exchange(playing_, Playing::nothing)) {
    case Playing::reset:
      if (start_ == Start::done) {
        reset_over_ = true;
      } else {
        start_ = Start::timing_mode;
      }
      wait_ready();
      break;
    case Playing::timing_mode:
      mode_ = settings_.timing;
      surroundings_.use(mode_);
      not_before_ = now + host_waits(mode_).interface_change;
      surroundings_.wake(not_before_);
      start_ = Start::done;
      wait_ready();
      break;
    case Playing::request: request_played(); break;
    case Playing::late_cache_read:
      operation_.confirmed = operation_.chained = operation_.fetchable = true;
      wait_ready();
      break;
    case Playing::cache_read:
      cache_read_confirmed_ = operation_.fetchable = true;
      wait_ready();
      break;
    case Playing::cache_read_end:
      operation_.fetchable = true;
      operation_.chained = false;
      wait_ready();
      break;
    case Playing::status: status_fresh_ = true; break;
    case Playing::plane_status:
      if (reset_ != nullptr) break;
      operation_.next().status = outcome(bit(status_, status::fail));
      answer(operation_.next(), now);
      break;
    case Playing::response:
      if (reset_ != nullptr) break;
      cycles_.take_response(operation_.next());
      operation_.next().status = NandStatus::pass;
      answer(operation_.next(), now);
      break;
    case Playing::nothing: break;
  }
  advance(now);
}

void CommandPlayer::request_played() {
  NandCommand& command = *request_;
  wait_ready();
  if (answered_at_once(command.operation)) {
    request_over_ = true;
    return;
  }
  Operation& operation = operation_.confirmed ? behind_ : operation_;
  operation.planes.push_back(&command);
  if (command.more_planes) {
    request_over_ = true;
    return;
  }
  operation.confirmed = operation.chained = true;
  operation.fetchable = true;
  if (command.cache) {
    request_over_ = true;
    return;
  }
  request_ = nullptr;
  surroundings_.end_request(command);
}

void CommandPlayer::answer(NandCommand& command, Tick now) {
  command.response_time = 0;
  responding_ = true;
  if (surroundings_.begin_response(command)) response_ended(now);
}

void CommandPlayer::abort_all() {
  Operation aborted = std::exchange(operation_, {});
  for (std::size_t k = aborted.answered; k < aborted.planes.size(); ++k) abort(*aborted.planes[k]);
  aborted = std::exchange(behind_, {});
  for (NandCommand* command : aborted.planes) abort(*command);
  if (cache_read_ != nullptr) abort(*std::exchange(cache_read_, nullptr));
}

void CommandPlayer::abort(NandCommand& command) {
  command.status = NandStatus::aborted;
  command.response_time = 0;
  if (surroundings_.begin_response(command)) return;
  throw ProtocolError(name_ + ": " + to_string(command) +
                      " was aborted, but its response was not completed within the call");
}

void CommandPlayer::wait_ready() {
  waiting_ = true;
  watch();
}

void CommandPlayer::watch() {
  active_since_ = now_;
  if (!watching_) watch_until(now_ + settings_.watchdog);
}

void CommandPlayer::watch_until(Tick at) {
  watching_ = true;
  watchdog_at_ = at;
  surroundings_.wake(at);
}

void CommandPlayer::target_is_stuck() const {
  const NandCommand* const command = reset_ != nullptr     ? reset_
                                     : request_ != nullptr ? request_
                                     : !operation_.empty() ? &operation_.next()
                                                           : nullptr;
  std::string text =
      name_ + ": the ONFI target makes no progress for " + std::to_string(us_from_ticks(settings_.watchdog)) + " us";
  if (command != nullptr) text += " at " + to_string(*command);
  if (start_ != Start::done) text += ", in the RESET or SET FEATURES before it";
  if (playing_ != Playing::nothing && !waiting_) {
    text += ": its DQS does not move, and data-out does not end";
  } else if (settings_.poll_status) {
    text += ": its status is not ready (SR[6], SR[5])";
  } else {
    text += surroundings_.pin_ready() ? ": its array does not become ready (SR[5])" : ": R/B_n stays low";
  }
  throw ProtocolError(text + "; a target that takes longer needs a longer PlayerSettings::watchdog");
}

void CommandPlayer::poll_later(Tick now) {
  status_fresh_ = false;
  not_before_ = now + settings_.poll_interval;
  surroundings_.wake(not_before_);
}

}  // namespace nandscape::rtl::onfi
