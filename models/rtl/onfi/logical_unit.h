// SPDX-License-Identifier: Apache-2.0
// The logical unit of an ONFI target: converts the cycles latched at its pins to commands of a die. Time is an
// argument.
//
// The logical unit holds the state between pins and array: the cache register of each plane, the status, and the
// features of the interface. The die performs array operations. Each operation is a NandCommand that is sent at its
// confirm cycle. The commands of a multi-plane operation are all sent at the last confirm cycle. R/B_n falls with the
// confirm cycle (ONFI allows tWB) and rises when the die answers, so its low time is the array time.
//
// The response of a read is left open until the next array operation: a cache read (31h) must reach the die while the
// previous page is still in the page register.
//
// Illegal actions of the host are recorded (violations.h) and otherwise have no effect, except that a program or erase
// of a reserved address fails. Errors that only the die detects, such as pages programmed out of order, throw the die's
// ProtocolError.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/id_vector.h"
#include "core/ticks.h"
#include "protocol/geometry.h"
#include "protocol/nand_command.h"
#include "rtl/onfi/addresses.h"
#include "rtl/onfi/commands.h"
#include "rtl/onfi/violations.h"

namespace nandscape::rtl::onfi {

class LogicalUnit {
 public:
  // The interface to the die and to the calendar.
  class Die {
   public:
    virtual void begin_request(NandCommand& command) = 0;
    // Ends the response of a command whose response was left open.
    virtual void end_response(NandCommand& command) = 0;
    // Calls woken() at time `at`.
    virtual void wake(Tick at) = 0;

   protected:
    ~Die() = default;
  };

  // The kind of a latched cycle, for timing checks.
  enum class Latched : std::uint8_t { plain, column_changed, interface_set };

  // `read_levels` is the number of read levels of a cell, whose offsets are the features from D0h onward. All
  // references must outlive the unit. Throws ConfigError if the address cycles cannot address all places of the die.
  LogicalUnit(const Geometry& geometry, std::uint32_t read_levels, Violations& violations, Die& die);

  // Cycles at the pins.
  Latched command(std::uint8_t code, Tick now);
  Latched address(std::uint8_t byte, Tick now);
  Latched data_in(std::uint8_t byte, Tick now);
  std::uint8_t data_out(Tick now);
  void write_protect(bool on) { protected_ = on; }
  // CE_n rises: a requested interface is used from now on.
  void deselected();

  // Answers of the die; response_begins() returns whether the response has ended.
  void request_ended(NandCommand& command, Tick now);
  bool response_begins(NandCommand& command, Tick now);
  void job_over(NandCommand& command);
  void woken(Tick now);

  // R/B_n.
  bool ready() const { return ready_; }
  // Whether no array operation is in progress or queued.
  bool idle() const { return operations_.empty() && queued_.empty(); }
  // Whether data-out returns the status, which is available at any time.
  bool puts_out_status() const { return output_ == Output::status; }
  TimingMode timing_mode() const { return mode_; }

 private:
  enum class Output : std::uint8_t { none, status, id, page, parameter_page, feature };
  // A command and its page data.
  struct Slot {
    NandCommand command;
    std::vector<std::byte> data;
    bool used = false;
  };
  struct Operation {
    std::vector<Slot*> planes;
    std::size_t answered = 0;
    bool failed = false;

    const NandCommand& last() const { return planes.back()->command; }
  };
  // Data-in of a program.
  struct Input {
    Slot* slot = nullptr;  // null: no program is open
    RowAddress row;
    std::uint32_t column = 0;
    bool any = false;
  };

  // logical_unit.cpp: cycles.
  void begin_setup(std::uint8_t code);
  void confirm(std::uint8_t code, Tick now);
  void confirm_read(std::uint8_t code, Tick now);
  void confirm_program(std::uint8_t code, Tick now);
  void confirm_erase(std::uint8_t code, Tick now);
  bool confirm_column(Tick now);
  void open_input(bool copyback);
  void take_feature_byte(std::uint8_t byte, Tick now);
  std::uint8_t status_byte() const;
  std::uint8_t id_byte() const;
  bool has(std::uint8_t setup, std::size_t addresses) const { return setup_ == setup && address_.size() == addresses; }
  bool feature_of_die(std::uint8_t address) const;
  void ignore(Tick now, const std::string& what);

  // array_operations.cpp: operations of the array.
  Slot& take_slot(NandOperation operation);
  Slot& take_slot(NandOperation operation, const RowAddress& row);
  bool array_taken(Tick now, const std::string& what);
  void queue_plane(Slot& slot, Tick now);
  void drop_unlike_planes(const Slot& slot, Tick now);
  void start(Slot& slot, Tick now);
  void send(Operation& operation);
  void reset(std::uint8_t code);
  void close_open_read();
  void next_cache_read(std::optional<RowAddress> row, Tick now);
  void turn_cache_registers(Tick now);
  void page_arrived(Slot& slot);
  void add_interface_to_parameter_pages();
  void operation_ended(Tick now);
  void program_ended(const Operation& ended, Tick now);
  void busy_until(Tick at);
  void become_ready();
  void put_out(Output data);

  const Geometry& geometry_;
  const Addresses addresses_;
  const std::uint32_t read_levels_;
  Violations& violations_;
  Die& die_;

  TimingMode mode_;
  std::optional<TimingMode> mode_to_come_;
  bool protected_ = false;

  // The command whose addresses and data are being latched.
  std::optional<std::uint8_t> setup_;
  std::vector<std::uint8_t> address_;
  bool ignoring_ = false;  // the command was recorded as a violation; its further cycles are ignored
  Input input_;
  std::array<std::uint8_t, feature_bytes> feature_value_{};
  std::uint32_t feature_count_ = 0;

  // Data-out.
  Output output_ = Output::none;
  Output data_output_ = Output::none;  // restored by 00h after a status
  PlaneInDie output_plane_{0};
  std::uint32_t output_byte_ = 0;  // column, or index of the byte
  bool output_again_ = false;      // NV-DDR: the byte is output a second time
  std::optional<PlaneInDie> status_plane_;
  std::uint8_t id_address_ = 0;
  IdVector<PlaneInDie, std::vector<std::byte>> registers_;
  std::vector<std::byte> parameter_pages_;

  // The array.
  bool ready_ = true;
  bool array_ready_ = true;
  Tick busy_until_ = never;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> queued_;  // planes of an unconfirmed operation
  std::deque<Operation> operations_;
  Slot* open_read_ = nullptr;  // read whose response is still open
  Slot* turned_ = nullptr;     // read whose response is open until the die has the next cache read
  Tick cache_busy_ = 0;        // tRCBSY, reported by the die
  RowAddress last_read_;
  bool turning_ = false;                  // 31h or 3Fh waits for the page being sensed
  std::optional<RowAddress> cache_read_;  // row of the cache read that is sent to the die after that
  bool fail_ = false;
  bool fail_previous_ = false;
  bool last_was_cached_ = false;  // the last operation was a cache program
  IdVector<PlaneInDie, bool> plane_failed_;
};

}  // namespace nandscape::rtl::onfi
