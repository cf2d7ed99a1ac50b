// SPDX-License-Identifier: Apache-2.0
// What the stages of writing share: the parts of the drive that they work on, their settings, counts and counters.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "controller/flash_ops/flash_io.h"
#include "controller/mapping/allocation_order.h"
#include "controller/mapping/block_pins.h"
#include "controller/mapping/block_table.h"
#include "controller/mapping/plane_room.h"
#include "controller/mapping/power_state.h"
#include "controller/writing/block_supply.h"
#include "controller/writing/code_choice.h"
#include "controller/writing/page_program.h"
#include "controller/writing/unit_writes.h"
#include "controller/writing/write_mode.h"
#include "controller/writing/write_points.h"
#include "controller/writing/write_streams.h"
#include "controller/writing/writer_counters.h"
#include "core/calendar.h"

namespace nandscape::controller {

struct WritingState;
class WriteFrontier;

using FrontierFactory = std::function<std::unique_ptr<WriteFrontier>(WritingState&)>;

struct WriterSettings {
  WriteStreams streams;
  FrontierFactory make_frontier;
  FreeBlockOrder free_block = FreeBlockOrder::fifo;
  WriteModePolicy* write_mode = nullptr;  // null: all pages are written alike
  bool holds_back = false;                // blocks with older versions are kept until newer ones are durable
  CodeChooser* codes = nullptr;           // null: all pages use the ordinary code
  Tick wordline_wait = 0;                 // how long a page waits for the other page of its wordline
};

class DurabilityListener {
 public:
  // Pages have become durable, or will never be.
  virtual void page_durable(Tick now) = 0;

 protected:
  ~DurabilityListener() = default;
};

class ProgramListener {
 public:
  // A program has ended; for observers of dies.
  virtual void program_ended(const PageProgram& page, Tick now) = 0;
  // No plane can be collected: from now on no plane has room.
  virtual void no_place_left(Tick now) = 0;

 protected:
  ~ProgramListener() = default;
};

// The parts of the drive that writing works on.
struct WritingContext {
  FlashIo& io;
  FlashScheduler& scheduler;
  BlockTable& blocks;
  BlockPins& pins;
  PlaneRoom& room;
  UnitWrites& units;
  const PowerState& power;
  Calendar& calendar;
  BlockSupply& supply;
  DurabilityListener& durability;
  ProgramListener& programs;
};

struct WritingState : WritingContext {
  WritingState(const WritingContext& context, const WriterSettings& writer_settings)
      : WritingContext(context), settings(writer_settings), points(io.layout(), settings.streams.count) {}

  const FlashLayout& layout() const { return io.layout(); }

  const WriterSettings settings;
  WritePoints points;
  WriterCounters counters;
};

}  // namespace nandscape::controller
