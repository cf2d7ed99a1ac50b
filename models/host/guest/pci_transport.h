// SPDX-License-Identifier: Apache-2.0
// Carries the accesses of a guest to a PCI function, and the function's DMA and interrupts to the guest, in the
// messages of Linux's virtual PCI bus [include/uapi/linux/virtio_pcidev.h]. Queue 0 brings accesses; queue 1 takes
// interrupts.
//
// The guest polls for the answer to a read. It is given when the read ends on the link, so a read costs simulated time,
// in the steps of 1 us in which Linux polls. Writes are posted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/ticks.h"
#include "host/guest/vhost_user.h"
#include "host/pcie/endpoint/pci_function.h"

namespace nandscape::host::guest {

class PciTransport final : public PciHost {
 public:
  static constexpr std::uint32_t queues = 2;

  // `connection` is null until the guest has connected.
  void connect(VhostUser* connection) { connection_ = connection; }
  // The function that the guest accesses. Without one, as without power, reads return ones and writes are lost; reads
  // that were under way end so, too.
  void attach(PciFunction* function);

  // Carries out the accesses that the guest has put into a queue. `now` must be the calendar's current time.
  void kicked(std::uint32_t queue, Tick now);

  // The time of the first read that has not been answered yet, or `never`; and the answers up to a time.
  Tick next_answer() const { return reads_.empty() ? never : reads_.front().ends; }
  void answer_until(Tick now);

  // Whether there is something that the guest can be interrupted for. deliver() does so; the guest must wait then.
  bool wants_delivery();
  void deliver(const VhostUser::AwaitReadable& await);

  // Implementation of PciHost.
  bool dma_read(std::uint64_t address, std::span<std::byte> into, Tick now) override;
  bool dma_write(std::uint64_t address, std::span<const std::byte> from, Tick now) override;
  void message(std::uint64_t address, std::uint32_t data, Tick now) override;
  void set_intx(bool asserted, Tick now) override;

  // Called for each interrupt; ends the run of the calendar, so that the guest is interrupted in time.
  class InterruptListener {
   public:
    virtual void interrupt_arrived() = 0;

   protected:
    ~InterruptListener() = default;
  };
  void listen(InterruptListener* listener) { listener_ = listener; }

  struct Counters {
    std::uint64_t configuration_accesses = 0;
    std::uint64_t register_reads = 0;
    std::uint64_t register_writes = 0;
    std::uint64_t dma_reads = 0;
    std::uint64_t dma_writes = 0;
    std::uint64_t refused_dma = 0;  // outside the guest's shared memory
    std::uint64_t interrupts = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Access {
    std::uint8_t operation;
    std::uint8_t bar;
    std::uint16_t reserved;
    std::uint32_t bytes;
    std::uint64_t address;
  };
  struct Read {
    Tick ends;
    Virtqueue::Buffer buffer;
    std::vector<std::byte> data;
  };

  void carry_out(Virtqueue& queue, Virtqueue::Buffer buffer, Tick now);
  void read(Virtqueue::Buffer buffer, const Access& access, Tick now);
  void write(const Virtqueue::Buffer& buffer, const Access& access, Tick now);
  void interrupt(const Access& message, std::uint32_t data);

  VhostUser* connection_ = nullptr;
  PciFunction* function_ = nullptr;
  InterruptListener* listener_ = nullptr;
  std::deque<Read> reads_;  // not answered yet, by their ends
  std::deque<Virtqueue::Buffer> for_interrupts_;
  std::deque<std::vector<std::byte>> interrupts_;  // not delivered yet
  Counters counters_;
};

}  // namespace nandscape::host::guest
