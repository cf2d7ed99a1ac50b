// SPDX-License-Identifier: Apache-2.0
// A small NVMe driver. It initialises the controller in the same order as Linux does (drivers/nvme/host/pci.c), writes
// and reads a few blocks, one command at a time, and shuts the controller down. It communicates with the device only
// through registers, memory and interrupts.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "dma_memory.h"
#include "processor.h"
#include "protocol/nvme.h"

class NvmeDriver final : public sc_core::sc_module {
 public:
  NvmeDriver(sc_core::sc_module_name name, Processor& processor, DmaMemory& memory);

  // The time in which the host's software builds a command.
  static sc_core::sc_time command_time() { return sc_core::sc_time(2, sc_core::SC_US); }

  // A completed step of the driver, and the time at which it ended.
  struct Event {
    std::string what;
    sc_core::sc_time at;
  };
  const std::vector<Event>& events() const { return events_; }
  // The latencies of the commands of io(), each from the doorbell write to the interrupt.
  const std::vector<sc_core::sc_time>& latencies() const { return latencies_; }
  bool finished() const { return finished_; }
  bool data_right() const { return data_right_; }

 private:
  // A submission queue with its completion queue. Each of them occupies one page.
  struct Queue {
    std::uint16_t id;
    std::uint32_t entries;
    std::uint64_t submissions;
    std::uint64_t completions;
    std::uint32_t tail = 0;
    std::uint32_t head = 0;
    bool phase = true;
  };

  void run();
  void bring_up();
  void create_io_queues();
  void io();
  void shut_down();

  void wait_status(std::uint32_t mask, std::uint32_t value);
  Queue make_queue(std::uint16_t id, std::uint32_t entries);
  nandscape::nvme::CompletionEntry command(Queue& queue, nandscape::nvme::SubmissionEntry entry);
  sc_core::sc_time access(nandscape::nvme::IoOpcode opcode, std::uint64_t lba, std::uint32_t bytes);
  void note(const std::string& what);

  Processor& processor_;
  DmaMemory& memory_;
  Queue admin_{};
  Queue io_{};
  std::uint64_t buffer_;  // address of a data buffer of two pages
  std::uint16_t next_id_ = 0;
  sc_core::sc_time last_latency_;
  std::vector<Event> events_;
  std::vector<sc_core::sc_time> latencies_;
  bool finished_ = false;
  bool data_right_ = true;
};
