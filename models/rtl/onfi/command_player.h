// SPDX-License-Identifier: Apache-2.0
// The order in which a host plays NandCommands to one ONFI target: which cycles go next, when R/B_n or the status byte
// is waited for, and when a command is answered. Time is an argument.
//
// A RESET goes before the first command, as after power-on, and SET FEATURES to the timing mode that is wanted.
//
// A cache program is accepted when R/B_n has risen again, so that the register is free, and its response_time is 0. Of
// what becomes of it, FAIL of a status with ARDY tells, or FAILC behind the cache program after it.
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
  bool poll_status = false;           // READ STATUS tells when the target is ready; else R/B_n does
  Tick poll_interval = microsecond;   // between two reads of a status that is not what it should become
  Tick watchdog = 100 * millisecond;  // a target that is not ready, or sends no strobes, for so long is an error
};

class CommandPlayer {
 public:
  class Surroundings {
   public:
    virtual void play(std::vector<Cycle> cycles) = 0;
    virtual void stop_playing() = 0;
    virtual void use(TimingMode mode) = 0;
    virtual bool pin_ready() const = 0;
    // Calls woken() at that time.
    virtual void wake(Tick at) = 0;
    virtual void end_request(NandCommand& command) = 0;
    // Returns whether the response is over with that; else response_ended() follows.
    virtual bool begin_response(NandCommand& command) = 0;

   protected:
    ~Surroundings() = default;
  };

  // Geometry and surroundings must outlive the player; `name` is for messages.
  CommandPlayer(std::string name, const Geometry& geometry, const PlayerSettings& settings, Surroundings& surroundings)
      : name_(std::move(name)), settings_(settings), cycles_(geometry, settings.spare), surroundings_(surroundings) {}

  // Throws ProtocolError for what the wires do not carry, and for a command that has no place. The request of a cache
  // read is over with that, others end later.
  void request_begins(NandCommand& command, Tick now);
  void response_ended(Tick now);

  // What was played is over.
  void played(Tick now);
  // R/B_n has moved, or a time that was asked for has come. Throws ProtocolError when the target is not ready in time.
  void woken(Tick now);

 private:
  enum class Playing : std::uint8_t {
    nothing,
    reset,
    timing_mode,
    request,
    late_cache_read,  // one that came too late to be one
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
    bool fetchable = false;   // of a read: data-out gives its page
    bool array_done = false;  // of a program or erase

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
  bool takes(const NandCommand& request) const;
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
  NandCommand* request_ = nullptr;  // its BEGIN_REQ is open
  bool request_over_ = false;       // and its cycles have been played
  NandCommand* reset_ = nullptr;
  bool reset_over_ = false;            // its cycles have been played
  NandCommand* cache_read_ = nullptr;  // behind the read that is going on
  bool cache_read_confirmed_ = false;
  Operation operation_;
  Operation behind_;         // cache programs: in the cache registers
  bool responding_ = false;  // a response is open

  bool waiting_ = false;   // for the target to become ready
  Tick not_before_ = 0;    // nothing is played sooner
  Tick active_since_ = 0;  // it has been waited for, or played, since
  Tick now_ = 0;           // of the latest call
  bool watching_ = false;  // the watchdog will call
  Tick watchdog_at_ = 0;   // then
  std::byte status_{};
  bool status_fresh_ = false;  // of the target, and nothing has been played since
};

}  // namespace nandscape::rtl::onfi
