// SPDX-License-Identifier: Apache-2.0
// Clocks a design with stream ports whenever there are frames for the design. Frames are submitted in batches. The
// batches are processed one after the other. Each batch begins when all frames of the previous batch have left the
// design.
//
// A design needs a reset at the start, so each driver begins with a reset, and frames wait until it ends. If a reset
// interrupts frames, they are sent again after the reset.
#pragma once

#include <deque>
#include <span>
#include <string>

#include "core/calendar.h"
#include "rtl/stream/stream_transfer.h"

namespace nandscape::rtl {

// The clock and the watchdog of a design.
struct StreamTiming {
  double clock_mhz = 400;
  double watchdog_us = 1000;  // longest time in which no word is transferred
};

class StreamDriver {
 public:
  class Client {
   public:
    // Called when all frames of the batch have left the design.
    virtual void frames_moved(Tick now) = 0;

   protected:
    ~Client() = default;
  };

  virtual ~StreamDriver() = default;
  StreamDriver(const StreamDriver&) = delete;
  StreamDriver& operator=(const StreamDriver&) = delete;

  // Submits frames at the calendar's current time. The frames must exist until Client::frames_moved() is called.
  void submit(std::span<StreamFrame> frames, Client& client);
  // Resets the design at the calendar's current time. Frames that are in the design are sent again.
  virtual void reset() = 0;

  bool idle() const { return batches_.empty(); }
  // Returns the number of clock cycles in which the design processed frames.
  std::uint64_t cycles() const { return cycles_; }
  const std::string& design() const { return transfer_.design(); }

 protected:
  StreamDriver(std::string design, Calendar& calendar, const StreamTiming& timing);

  // Begins the oldest batch, either now or when a reset in progress ends.
  virtual void start() = 0;
  // Ends the oldest batch at the calendar's current time. All of its frames must have left the design.
  void end_batch();

  std::span<StreamFrame> frames() const { return batches_.front().frames; }
  const Clock& clock() const { return clock_; }
  Calendar& calendar() const { return calendar_; }
  StreamTransfer& transfer() { return transfer_; }

 private:
  struct Batch {
    std::span<StreamFrame> frames;
    Client* client;
  };

  Calendar& calendar_;
  const Clock clock_;
  StreamTransfer transfer_;
  std::deque<Batch> batches_;  // the first (oldest) batch is in the design
  std::uint64_t cycles_ = 0;
};

}  // namespace nandscape::rtl
