// SPDX-License-Identifier: Apache-2.0
// Controls how a host sends NandCommands to an ONFI target. The player decides which cycles are sent next, when to wait
// for R/B_n or the status byte, and when to answer a command. The current time is an argument of its functions.
//
// Before the first command, the player sends a RESET, as is necessary after power-on, and SET FEATURES to select the
// configured timing mode.
//
// A cache program is accepted, with a response_time of 0, when R/B_n has risen again, because the cache register is
// then free. Its result is the bit FAIL of a status in which ARDY is set. If the next cache program has been accepted
// in the meantime, the result is the bit FAILC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ticks.h"
#include "protocol/nand_command.h"
#include "rtl/onfi/command_cycles.h"
#include "rtl/onfi/commands.h"

namespace nandscape::rtl::onfi {

struct PlayerSettings {
  TimingMode timing = {};
  SpareUse spare = {};
  bool poll_status = false;           // use READ STATUS to detect that the target is ready, instead of R/B_n
  Tick poll_interval = microsecond;   // time until the status is read again if the target is not ready
  Tick watchdog = 100 * millisecond;  // error if the target is not ready, or sends no strobes, for this long
};

class CommandPlayer {
 public:
  class Surroundings {
   public:
    virtual void play(std::vector<Cycle> cycles) = 0;
    virtual void stop_playing() = 0;
    virtual void use(TimingMode mode) = 0;
    virtual bool pin_ready() const = 0;
    // Calls woken() at time `at`.
    virtual void wake(Tick at) = 0;
    virtual void end_request(NandCommand& command) = 0;
    // Returns true if the response has ended. Otherwise response_ended() is called later.
    [[nodiscard]] virtual bool begin_response(NandCommand& command) = 0;

   protected:
    ~Surroundings() = default;
  };

  // `geometry` and `surroundings` must outlive the player. `name` is the name of the player in messages.
  CommandPlayer(std::string name, const Geometry& geometry, const PlayerSettings& settings, Surroundings& surroundings)
      : name_(std::move(name)), settings_(settings), cycles_(geometry, settings.spare), surroundings_(surroundings) {}

  // Accepts a command. Throws ProtocolError if the command cannot be expressed in ONFI cycles, or if it must not be
  // sent now. The request of a cache read ends within the call. All other requests end later.
  void request_begins(NandCommand& command, Tick now);
  void response_ended(Tick now);

  // Called when all cycles that were passed to Surroundings::play() have been sent.
  void played(Tick now);
  // Called when R/B_n has changed, or at a time that was passed to wake(). Continues with the next action. Throws
  // ProtocolError if the target has not become ready within the time of the watchdog.
  void woken(Tick now);

 private:
  enum class Playing : std::uint8_t {
    nothing,
    reset,
    timing_mode,
    request,
    late_cache_read,  // a cache read that arrived too late and is sent as an ordinary read
    cache_read,       // 31h
    cache_read_end,   // 3Fh
    status,
    plane_status,
    response,
  };
  enum class Start : std::uint8_t { reset, timing_mode, done };

  struct Operation {
    std::vector<NandCommand*> planes;
    std::size_t answered = 0;
    bool confirmed = false;   // the cycles of its last plane have been played
    bool chained = false;     // the command 31h may follow
    bool fetchable = false;   // read: the page is available for data-out
    bool array_done = false;  // program or erase: the array is no longer busy

    bool empty() const { return planes.empty(); }
    NandCommand& next() const { return *planes[answered]; }
    NandOperation kind() const { return planes.front()->operation; }
    bool writes() const { return programs(kind()) || kind() == NandOperation::erase; }
  };

  void advance(Tick now);
  bool wait_is_over(Tick now);
  bool start_up();
  bool go_on_with_reset();
  bool go_on_with_request();
  void go_on_with_read(Tick now);
  void go_on_with_write(Tick now);
  [[nodiscard]] bool takes(const NandCommand& request) const;
  void play(Playing what, std::vector<Cycle> cycles);
  void wait_ready();
  void poll_later(Tick now);
  void watch();
  void watch_until(Tick at);
  void request_played();
  void answer(NandCommand& command, Tick now);
  void abort_all();
  void abort(NandCommand& command);
  [[noreturn]] void target_is_stuck() const;

  const std::string name_;
  const PlayerSettings settings_;
  CommandCycles cycles_;
  Surroundings& surroundings_;
  TimingMode mode_;

  Start start_ = Start::reset;
  Playing playing_ = Playing::nothing;
  NandCommand* request_ = nullptr;  // the command whose request has begun and not ended
  bool request_over_ = false;       // the cycles of request_ have been sent
  NandCommand* reset_ = nullptr;
  bool reset_over_ = false;            // the cycles of reset_ have been sent
  NandCommand* cache_read_ = nullptr;  // follows the current read
  bool cache_read_confirmed_ = false;
  Operation operation_;
  Operation behind_;         // the next cache program, whose data are in the cache registers
  bool responding_ = false;  // a response has begun and not ended

  bool waiting_ = false;   // waiting for the target to become ready
  Tick not_before_ = 0;    // earliest time of the next cycles
  Tick active_since_ = 0;  // time at which the current wait or the current cycles began
  Tick now_ = 0;           // time of the latest call
  bool watching_ = false;  // the watchdog is scheduled
  Tick watchdog_at_ = 0;   // time of the watchdog
  std::byte status_{};
  bool status_fresh_ = false;  // no cycles were sent since status_ was read from the target
};

}  // namespace nandscape::rtl::onfi
