// SPDX-License-Identifier: Apache-2.0
// Clocks a design with stream ports while there are frames for it. Frames are submitted in batches. The design gets one
// batch after the other: each begins when the one before it has come out.
//
// A design starts with a reset, so drivers begin with one; frames wait until it ends. Frames that a reset cuts off are
// sent again after it.
#pragma once

#include <deque>
#include <span>
#include <string>

#include "core/calendar.h"
#include "rtl/stream/stream_transfer.h"

namespace nandscape::rtl {

// Clock and watchdog of a design.
struct StreamTiming {
  double clock_mhz = 400;
  double watchdog_us = 1000;  // longest time without a word moved
};

class StreamDriver {
 public:
  class Client {
   public:
    // All frames of the batch have come out.
    virtual void frames_moved(Tick now) = 0;

   protected:
    ~Client() = default;
  };

  virtual ~StreamDriver() = default;
  StreamDriver(const StreamDriver&) = delete;
  StreamDriver& operator=(const StreamDriver&) = delete;

  // Submits frames at the calendar's current time. They must exist until Client::frames_moved().
  void submit(std::span<StreamFrame> frames, Client& client);
  // Resets the design at the calendar's current time.
  virtual void reset() = 0;

  bool idle() const { return batches_.empty(); }
  // The number of cycles in which the design held frames.
  std::uint64_t cycles() const { return cycles_; }
  const std::string& design() const { return transfer_.design(); }

 protected:
  StreamDriver(std::string design, Calendar& calendar, const StreamTiming& timing);

  // Begins the oldest batch, now or at the end of the reset.
  virtual void start() = 0;
  // Ends the oldest batch, which has come out, at the calendar's current time.
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
  std::deque<Batch> batches_;  // the oldest one is in the design
  std::uint64_t cycles_ = 0;
};

}  // namespace nandscape::rtl
