// SPDX-License-Identifier: Apache-2.0
// What clocks a design with stream ports while there are frames for it. Frames are submitted in batches, which the
// design sees one after the other, each beginning when the one before it has come out.
//
// A reset is what a design sees at power-on, too: drivers begin with one, and frames wait until it is over. Frames that
// a reset cuts off go in again behind it.
#pragma once

#include <deque>
#include <span>
#include <string>

#include "core/calendar.h"
#include "rtl/stream/stream_transfer.h"

namespace nandscape::rtl {

// How a driver clocks its design.
struct StreamTiming {
  double clock_mhz = 400;
  double watchdog_us = 1000;  // how long a design may move no word
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

  // At the calendar's present. The frames must be there until the client has heard of them.
  void submit(std::span<StreamFrame> frames, Client& client);
  // At the calendar's present.
  virtual void reset() = 0;

  bool idle() const { return batches_.empty(); }
  // In which frames were on their way.
  std::uint64_t cycles() const { return cycles_; }
  const std::string& design() const { return transfer_.design(); }

 protected:
  StreamDriver(std::string design, Calendar& calendar, const StreamTiming& timing);

  // Begins the oldest batch, now or when the reset is over.
  virtual void start() = 0;
  // At the calendar's present: the oldest batch has come out.
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
  std::deque<Batch> batches_;  // the oldest one is with the design
  std::uint64_t cycles_ = 0;
};

}  // namespace nandscape::rtl
