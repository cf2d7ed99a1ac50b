// SPDX-License-Identifier: Apache-2.0
// The DMA transfers of a device that are under way on its link. Each books its packets when it begins. A write moves
// its bytes when the last one arrives at host memory, a read when the last one arrives at the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/calendar.h"
#include "core/ring.h"
#include "host/memory/interrupt_sink.h"
#include "host/pcie/dma_port.h"
#include "host/pcie/pcie_link.h"

namespace tlm {
class tlm_generic_payload;
}

namespace nandscape::host {

struct DmaTransfer {
  std::uint64_t address = 0;
  std::byte* data = nullptr;  // null: the bytes take their time, but are not moved
  std::uint32_t bytes = 0;
  bool read = false;
  bool holds_bytes = false;  // `inline_bytes` are the data
  bool plain = true;         // the bytes may be copied without host memory seeing the transfer
  bool moved_by_host = false;
  bool ok = true;
  DmaInterrupt interrupt = DmaInterrupt::none;
  DmaTag tag;
  tlm::tlm_generic_payload* payload = nullptr;  // null if the device calls DmaTransfers directly
  Tick arrival = 0;                             // of a write, at host memory
  DmaPort::InlineBytes inline_bytes;

  std::byte* buffer() { return holds_bytes ? inline_bytes.data() : data; }
  // Describes another transfer, which is an ordinary one.
  void reset(std::uint64_t to, std::uint32_t count) {
    address = to;
    data = nullptr;
    bytes = count;
    read = holds_bytes = moved_by_host = false;
    plain = ok = true;
    interrupt = DmaInterrupt::none;
    tag = {};
    payload = nullptr;
  }
};

class DmaTransfers final : public DmaPort {
 public:
  // A range of host memory that can be copied to and from directly, or cannot (`bytes` null).
  struct Region {
    std::uint64_t start = 1;
    std::uint64_t end = 0;  // its last address
    std::byte* bytes = nullptr;
  };

  class HostSide {
   public:
    // Returns the region that contains the first byte of the transfer.
    virtual Region region_of(DmaTransfer& transfer) = 0;
    // Moves the bytes of a transfer that cannot be copied, and sets `moved_by_host` and `ok`. Returns false if host
    // memory takes its time; the transfer then has a payload, and a write ends with write_moved().
    [[nodiscard]] virtual bool move(DmaTransfer& transfer) = 0;
    // A transfer with a payload has ended.
    virtual void ended(DmaTransfer& transfer) = 0;

   protected:
    ~HostSide() = default;
  };

  DmaTransfers(Calendar& calendar, PcieLink& link, HostSide& host) : calendar_(calendar), link_(link), host_(host) {}

  // Sets the device that calls the port, and the handler of its messages at host memory; null: host memory takes them
  // like other writes.
  void connect(DmaClient& device, DirectInterrupts* interrupts) {
    client_ = &device;
    interrupts_ = interrupts;
  }

  // DmaPort
  void read(std::uint64_t address, std::byte* into, std::uint32_t bytes, DmaTag tag) override;
  void write(std::uint64_t address, const std::byte* from, std::uint32_t bytes, DmaTag tag, bool more_follow) override;
  void write_inline(std::uint64_t address, const InlineBytes& from, std::uint32_t bytes, bool more_follow) override;
  void send_message(std::uint64_t address, std::uint32_t data) override;
  void set_interrupt_line(bool asserted) override;

  // Begin a transfer at the calendar's present. The caller completes the description that they return.
  DmaTransfer& begin_read(std::uint64_t address, std::uint32_t bytes);
  DmaTransfer& begin_write(std::uint64_t address, std::uint32_t bytes, bool more_follow);
  // Host memory has moved the bytes of the oldest write.
  void write_moved();
  // Forgets what is known about the memory from `start` to `end`.
  void invalidate(std::uint64_t start, std::uint64_t end);

 private:
  static constexpr std::uint32_t region_shift = 21;

  void writes_arrive(std::uint64_t);
  void look_at_oldest_read();
  void read_ends(std::uint64_t);
  void end_oldest_read();
  bool interrupt(DmaTransfer& transfer);
  bool copy(DmaTransfer& transfer);
  void end(DmaTransfer& transfer);
  const Region& region_of(DmaTransfer& transfer) {
    Region& region = regions_[(transfer.address >> region_shift) % regions_.size()];
    if (transfer.address < region.start || transfer.address > region.end) [[unlikely]]
      region = host_.region_of(transfer);
    return region;
  }

  Calendar& calendar_;
  PcieLink& link_;
  HostSide& host_;
  DmaClient* client_ = nullptr;
  DirectInterrupts* interrupts_ = nullptr;
  Ring<DmaTransfer> writes_;
  Ring<DmaTransfer> reads_;  // in the order of PcieLink's reads
  bool moving_ = false;      // host memory has not finished the first of `writes_`
  bool looking_ = false;     // an event that checks whether the oldest read has ended is scheduled
  std::array<Region, 64> regions_;
};

// A link to which a device's DMA socket is bound with nothing between them. A dynamic_cast of the bound target finds
// it. The device then calls the link instead of sending payloads: the same steps in the same order.
class DirectDma {
 public:
  // Returns the link's side of transfers that begin at the present of `calendar`, or null if the device must send
  // payloads. The link notifies `client` of the ends of these transfers. Call once all sockets are bound.
  virtual DmaTransfers* connect(const Calendar& calendar, DmaClient& client) = 0;

 protected:
  ~DirectDma() = default;
};

}  // namespace nandscape::host
