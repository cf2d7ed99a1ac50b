// SPDX-License-Identifier: Apache-2.0
// The outstanding DMA transfers of a device on its link. A transfer reserves time on the link for its packets when it
// begins. The bytes of a write are moved when its last byte arrives at host memory, and the bytes of a read are moved
// when its last byte arrives at the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "core/calendar.h"
#include "host/memory/interrupt_sink.h"
#include "host/pcie/dma_port.h"
#include "host/pcie/pcie_link.h"

namespace tlm {
class tlm_generic_payload;
}

namespace nandscape::host {

// A transfer under way. A write uses only `arrival` of its base class, as the time at which it arrives at host memory,
// and `next`, as the write that began after it.
struct DmaTransfer : PcieLink::Read {
  std::uint64_t address = 0;
  std::byte* data = nullptr;  // null: the transfer takes the same time, but no bytes are moved
  DmaTag tag;
  tlm::tlm_generic_payload* payload = nullptr;  // null if the device calls DmaTransfers directly
  std::uint32_t bytes = 0;
  bool read = false;
  bool plain = true;  // the link may copy the bytes itself, without passing the transfer to host memory
  bool moved_by_host = false;
  bool ok = true;
  DmaInterrupt interrupt = DmaInterrupt::none;
  bool message_follows = false;       // `message` follows directly; both are delivered when the message arrives
  DmaPort::InlineBytes inline_bytes;  // bytes of a write that has no buffer of its own
  DmaMessage message;
};

// The functions that a device calls are those of DmaPort.
class DmaTransfers {
 public:
  // A range of host memory. `bytes` points to the memory if the link may copy to and from it directly, and is null
  // otherwise.
  struct Region {
    std::uint64_t start = 1;
    std::uint64_t end = 0;  // address of the last byte of the region
    std::byte* bytes = nullptr;
  };

  class HostSide {
   public:
    // Returns the region of host memory that contains the first byte of the transfer.
    virtual Region region_of(DmaTransfer& transfer) = 0;
    // Moves the bytes of a transfer that the link cannot copy, and sets `moved_by_host` and `ok`. Returns false if host
    // memory needs time to do so. In this case the transfer has a payload afterwards, and the host side calls
    // write_moved() when host memory has finished a write.
    [[nodiscard]] virtual bool move(DmaTransfer& transfer) = 0;
    // Called when a transfer with a payload has ended.
    virtual void ended(DmaTransfer& transfer) = 0;

   protected:
    ~HostSide() = default;
  };

  DmaTransfers(Calendar& calendar, PcieLink& link, HostSide& host) : calendar_(calendar), link_(link), host_(host) {}

  // Sets the device that begins transfers, and the object that handles the device's interrupt messages at host memory.
  // If `interrupts` is null, messages go to host memory like other writes.
  void connect(DmaClient& device, DirectInterrupts* interrupts) {
    client_ = &device;
    interrupts_ = interrupts;
  }

  void read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag);
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag, bool more_follow);
  void write_inline(std::uint64_t address, DmaPort::InlineBytes from);
  void send_message(DmaMessage message);
  void write_and_interrupt(std::uint64_t address, DmaPort::InlineBytes from, DmaMessage message);
  void set_interrupt_line(bool asserted);

  // Begin a transfer at the calendar's current time, and return its description. The caller fills in the fields that
  // address and length do not determine.
  DmaTransfer& begin_read(std::uint64_t address, std::uint32_t bytes);
  DmaTransfer& begin_write(std::uint64_t address, std::uint32_t bytes, bool more_follow);
  // Call when host memory has moved the bytes of the oldest write, after HostSide::move() has returned false.
  void write_moved();
  // Forgets the regions that overlap the addresses from `start` to `end`, because their memory may have moved.
  void invalidate(std::uint64_t start, std::uint64_t end);

 private:
  static constexpr std::uint32_t region_shift = 21;

  // Makes an unused transfer and calls a function of this class again, which has found none. The functions that begin
  // transfers return this call, so they save no registers for it.
  template <auto Function, class... Arguments>
  [[gnu::noinline]] void grow_then(Arguments... arguments) {
    grow();
    (this->*Function)(arguments...);
  }
  void grow() { free_ = &transfers_.emplace_back(); }
  // Takes an unused transfer, which must exist.
  DmaTransfer& take(std::uint64_t address, std::uint32_t bytes, bool read);
  // Takes an unused transfer for a write of `from`.
  DmaTransfer& take_inline(std::uint64_t address, const DmaPort::InlineBytes& from);
  // Makes the transfer an interrupt message.
  static void set_message(DmaTransfer& transfer, DmaMessage message);
  // Reserve time on the link for a new transfer.
  void send_write(DmaTransfer& transfer, bool more_follow);
  void send_read(DmaTransfer& transfer);
  // Adds a write, whose arrival is known, to the writes under way.
  void append(DmaTransfer& write);
  void release(DmaTransfer& transfer) {
    transfer.next = free_;
    free_ = &transfer;
  }
  void writes_arrive();
  // Moves the bytes of a write to host memory and delivers its interrupt. Returns false if host memory needs time to do
  // so.
  bool deliver(DmaTransfer& write);
  static void turn_into_message(DmaTransfer& write);
  void end_oldest_write();
  // Schedules the end of the oldest read, unless it must wait for an earlier write.
  void look_at_oldest_read() {
    if (!looking_ && link_.oldest_read() != nullptr) await_oldest_read();
  }
  void await_oldest_read();
  void oldest_read_may_end();
  void end_oldest_read();
  bool interrupt(DmaTransfer& transfer);
  bool copy(DmaTransfer& transfer);
  static bool copy(const DmaTransfer& transfer, const Region& region);
  // Asks the host side for the region of the transfer, and then copies.
  [[gnu::noinline]] bool copy_in_new_region(DmaTransfer& transfer);
  // Returns the place for the region that contains the first byte of the transfer.
  Region& region_of(const DmaTransfer& transfer) {
    return regions_[(transfer.address >> region_shift) % regions_.size()];
  }

  Calendar& calendar_;
  PcieLink& link_;
  HostSide& host_;
  DmaClient* client_ = nullptr;
  DirectInterrupts* interrupts_ = nullptr;
  PcieLink::Read* oldest_write_ = nullptr;  // the first of the list of writes under way; `link_` has the list of reads
  PcieLink::Read* newest_write_ = nullptr;  // the last of this list; valid if the list is not empty
  PcieLink::Read* free_ = nullptr;          // the first of a list of unused transfers
  bool moving_ = false;                     // host memory moves the bytes of the oldest write
  bool looking_ = false;                    // an event is scheduled that checks whether the oldest read has ended
  std::deque<DmaTransfer> transfers_;
  std::array<Region, 64> regions_;
};

// Implemented by a link that the device may call directly, instead of sending payloads. The device must be bound to the
// link with no other module between them; it finds this interface by a dynamic_cast of the bound target. The transfers
// take the same steps in the same order as with payloads.
class DirectDma {
 public:
  // Returns the object through which the device starts transfers at the current time of `calendar`. Returns null if the
  // device must send payloads. The link notifies `client` when these transfers have ended. Call only after all sockets
  // are bound.
  virtual DmaTransfers* connect(const Calendar& calendar, DmaClient& client) = 0;

 protected:
  ~DirectDma() = default;
};

}  // namespace nandscape::host
