// SPDX-License-Identifier: Apache-2.0
// The logical unit of an ONFI target. It converts the cycles that are latched at the pins to commands for a die. The
// current time is an argument of its functions.
//
// The logical unit stores the state of the interface between pins and array: the cache register of each plane, the
// status, and the features of the interface. The array operations are performed by the die. The logical unit sends a
// NandCommand to the die at the confirm cycle of an operation. For a multi-plane operation, it sends all commands at
// the last confirm cycle. R/B_n falls with the confirm cycle (ONFI permits a delay of tWB) and rises when the die
// answers, so it is low for the duration of the array operation.
//
// The response of a read is left open until the next array operation, because a cache read (31h) must reach the die
// while the previous page is still in the page register.
//
// Illegal actions of the host are recorded (see violations.h) and otherwise have no effect, except that a program or
// erase of a reserved address fails. For errors that only the die can detect, for example pages that are programmed out
// of order, the die throws a ProtocolError.
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
  // The interface through which the logical unit uses the die and the calendar.
  class Die {
   public:
    virtual void begin_request(NandCommand& command) = 0;
    // Ends the response of a command for which response_begins() has returned false.
    virtual void end_response(NandCommand& command) = 0;
    // Calls woken() at time `at`.
    virtual void wake(Tick at) = 0;

   protected:
    ~Die() = default;
  };

  // What a latched cycle has changed. Some timing checks begin with such a cycle.
  enum class Latched : std::uint8_t { plain, column_changed, interface_set };

  // `read_levels` is the number of read levels of a cell. Their offsets are the features from D0h on. All references
  // must outlive the unit. Throws ConfigError if the address cycles cannot address all pages of the die.
  LogicalUnit(const Geometry& geometry, std::uint32_t read_levels, Violations& violations, Die& die);

  // Called for each cycle that is latched at the pins.
  Latched command(std::uint8_t code, Tick now);
  Latched address(std::uint8_t byte, Tick now);
  Latched data_in(std::uint8_t byte, Tick now);
  std::uint8_t data_out(Tick now);
  void write_protect(bool on) { protected_ = on; }
  // Called when CE_n rises. If the host has requested another interface, it is used from now on.
  void deselected();

  // Answers of the die. response_begins() returns true if the response has ended within the call.
  void request_ended(NandCommand& command, Tick now);
  bool response_begins(NandCommand& command, Tick now);
  void job_over(NandCommand& command);
  void woken(Tick now);

  // Returns the level of R/B_n.
  bool ready() const { return ready_; }
  // Returns true if no array operation is in progress or queued.
  bool idle() const { return operations_.empty() && queued_.empty(); }
  // Returns true if data-out currently returns the status, which the host may read at any time.
  bool puts_out_status() const { return output_ == Output::status; }
  TimingMode timing_mode() const { return mode_; }

 private:
  enum class Output : std::uint8_t { none, status, id, page, parameter_page, feature };
  // A command for the die together with the data of its page.
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
  // The data of a program that the host is sending.
  struct Input {
    Slot* slot = nullptr;  // null if no program is being received
    RowAddress row;
    std::uint32_t column = 0;
    bool any = false;
  };

  // Functions that handle cycles (logical_unit.cpp).
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

  // Functions that handle array operations (array_operations.cpp).
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

  // The command for which addresses and data are being latched.
  std::optional<std::uint8_t> setup_;
  std::vector<std::uint8_t> address_;
  bool ignoring_ = false;  // the command was recorded as a violation, so its remaining cycles are ignored
  Input input_;
  std::array<std::uint8_t, feature_bytes> feature_value_{};
  std::uint32_t feature_count_ = 0;

  // State of data-out.
  Output output_ = Output::none;
  Output data_output_ = Output::none;  // restored by 00h after a status
  PlaneInDie output_plane_{0};
  std::uint32_t output_byte_ = 0;  // column, or index of the byte
  bool output_again_ = false;      // NV-DDR: the byte must be output a second time
  std::optional<PlaneInDie> status_plane_;
  std::uint8_t id_address_ = 0;
  IdVector<PlaneInDie, std::vector<std::byte>> registers_;
  std::vector<std::byte> parameter_pages_;

  // State of the array.
  bool ready_ = true;
  bool array_ready_ = true;
  Tick busy_until_ = never;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<Slot*> queued_;  // planes of an unconfirmed operation
  std::deque<Operation> operations_;
  Slot* open_read_ = nullptr;  // read whose response is still open
  Slot* turned_ = nullptr;     // read whose response is open until the die has accepted the next cache read
  Tick cache_busy_ = 0;        // tRCBSY, reported by the die
  RowAddress last_read_;
  bool turning_ = false;                  // 31h or 3Fh waits until the die has read the page
  std::optional<RowAddress> cache_read_;  // row of the cache read to be sent to the die when the wait is over
  bool fail_ = false;
  bool fail_previous_ = false;
  bool last_was_cached_ = false;  // the last operation was a cache program
  IdVector<PlaneInDie, bool> plane_failed_;
};

}  // namespace nandscape::rtl::onfi
