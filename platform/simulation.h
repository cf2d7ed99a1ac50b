// SPDX-License-Identifier: Apache-2.0
// The facade: one simulated SSD with its host. It hides the kernel; bindings and programs see nothing below it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/ticks.h"
#include "core/value.h"
#include "platform/configuration.h"

namespace nandscape {

struct Progress {
  std::uint64_t completed = 0;  // requests
  std::uint64_t expected = 0;   // 0 when not known
  Tick now = 0;
};

// Called a few times per second of wall time; returning false ends the run after the current event.
using ProgressCallback = std::function<bool(const Progress&)>;

enum class RequestStatus : std::uint8_t { ok, unrecovered_read_error, write_fault, refused };

// Completed requests, column by column, in the order of completion.
struct RequestLog {
  std::vector<std::uint64_t> start;      // ticks, when it was put into the submission queue (open loop: its arrival)
  std::vector<std::uint64_t> latency;    // ticks, until the driver saw its completion
  std::vector<std::uint64_t> first_lba;  // sectors of 512 bytes
  std::vector<std::uint32_t> sectors;
  std::vector<std::uint8_t> kind;       // RequestKind
  std::vector<std::uint8_t> status;     // RequestStatus
  std::vector<std::uint16_t> workload;  // which workload it belongs to

  std::size_t size() const { return start.size(); }
};

// Several simulations may live in one process; calls into the kernel take one process-wide lock.
class Simulation {
 public:
  // Builds the platform, preconditions the device and opens the workloads. Throws ConfigError, and InputError on a
  // trace that cannot be read.
  explicit Simulation(Configuration configuration);
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  const Configuration& configuration() const;
  std::uint64_t capacity_bytes() const;
  Tick now() const;

  // Runs the configured workloads to their end; false when the callback ended it early. Throws InputError on a bad
  // trace record and RequestError on an address past the capacity.
  bool run(const ProgressCallback& progress = {});
  // Runs until simulated time `limit`.
  void run_until(Tick limit);

  // One command through the driver and the NVMe queues; simulated time runs until it completes, and its latency is
  // returned. An LBA is 512 bytes. Sizes are whole sectors; throws RequestError otherwise, past the capacity, or when
  // the device reports an error.
  Tick read(std::uint64_t lba, std::span<std::byte> data);
  Tick write(std::uint64_t lba, std::span<const std::byte> data);
  Tick trim(std::uint64_t lba, std::uint64_t sectors);
  Tick flush();

  // Statistics since construction, nested, with units in the names.
  Value statistics() const;
  const RequestLog& requests() const;
  // The wired hierarchy: name, kind and children of each SystemC object.
  Value hierarchy() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace nandscape
