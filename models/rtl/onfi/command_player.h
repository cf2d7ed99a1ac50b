// SPDX-License-Identifier: Apache-2.0
// Decides the order in which a host plays NandCommands to one ONFI target: which cycles are next, when to wait for
// R/B_n or the status byte, and when a command is answered. Time is an argument.
//
// A RESET precedes the first command, as after power-on, and SET FEATURES to the configured timing mode.
//
// A cache program is accepted, with a response_time of 0, when R/B_n has risen again: the register is then free. Its
// result is FAIL in a status with ARDY set, or FAILC once the next cache program has been accepted.
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
  bool poll_status = false;           // detect ready by READ STATUS; otherwise by R/B_n
  Tick poll_interval = microsecond;   // time between two reads of a status that is not ready
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
    // Returns whether the response has ended; if not, response_ended() follows.
    [[nodiscard]] virtual bool begin_response(NandCommand& command) = 0;

   protected:
    ~Surroundings() = default;
  };

  // `geometry` and `surroundings` must outlive the player; `name` is for messages.
  CommandPlayer(std::string name, const Geometry& geometry, const PlayerSettings& settings, Surroundings& surroundings)
      : name_(std::move(name)), settings_(settings), cycles_(geometry, settings.spare), surroundings_(surroundings) {}

  // Throws ProtocolError if the wires cannot carry the command, or if it comes at the wrong time. The request of a
  // cache read ends in the call, others end later.
  void request_begins(NandCommand& command, Tick now);
  void response_ended(Tick now);

  // The cycles of Surroundings::play() have ended.
  void played(Tick now);
  // R/B_n has changed, or a time given to wake() has come. Throws ProtocolError if the target is not ready in time.
  void woken(Tick now);

 private:
  enum class Playing : std::uint8_t {
    nothing,
    reset,
    timing_mode,
    request,
    late_cache_read,  // played as an ordinary read, since it arrived too late
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
    bool chained = false;     // 31h may follow
    bool fetchable = false;   // read: its page is available for data-out
    bool array_done = false;  // program or erase: the array has ended

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
  NandCommand* request_ = nullptr;  // the command whose request is open
  bool request_over_ = false;       // the cycles of request_ have been played
  NandCommand* reset_ = nullptr;
  bool reset_over_ = false;            // the cycles of reset_ have been played
  NandCommand* cache_read_ = nullptr;  // follows the current read
  bool cache_read_confirmed_ = false;
  Operation operation_;
  Operation behind_;         // the next cache program, in the cache registers
  bool responding_ = false;  // a response is open

  bool waiting_ = false;   // for the target to become ready
  Tick not_before_ = 0;    // earliest time of the next cycles
  Tick active_since_ = 0;  // start of the current wait or cycles
  Tick now_ = 0;           // time of the latest call
  bool watching_ = false;  // the watchdog is scheduled
  Tick watchdog_at_ = 0;   // time of the watchdog
  std::byte status_{};
  bool status_fresh_ = false;  // status_ was read from the target, and nothing was played since
};

}  // namespace nandscape::rtl::onfi
