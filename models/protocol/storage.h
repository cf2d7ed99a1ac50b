// SPDX-License-Identifier: Apache-2.0
// The contract between a host front end (NVMe; zoned or CXL ones later) and the controller behind it: accesses to
// logical pages. A front end splits each host command into accesses of at most one logical page and completes the
// command when all of its accesses are done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/ids.h"
#include "core/ticks.h"
#include "protocol/device_health.h"
#include "protocol/priority_class.h"
#include "protocol/time_sheet.h"

namespace nandscape {

inline constexpr std::uint32_t sector_bytes = 512;

enum class AccessKind : std::uint8_t {
  read,   // data comes back in `data`
  write,  // data is in `data`; done when the controller answers for it
  trim,   // `page_count` whole pages hold no data any more and read as zeroes
  flush,  // every write done before is on flash
};

enum class AccessStatus : std::uint8_t {
  ok,
  unrecovered_read_error,  // the stored data could not be corrected
  write_fault,             // no place was left to write to
  write_protected,         // the device has become read-only: it takes no writes and trims any more
};

// One access. Owned by the front end until the device calls completed(); the device links it into its queues.
struct PageAccess {
  AccessKind kind = AccessKind::read;
  AccessStatus status = AccessStatus::ok;
  bool force_unit_access = false;  // write: done only when it is on flash
  bool deallocates = false;        // write: of zeroes, in place of a trim; what holds no data need not be written
  bool gathered = false;     // write: shares a page of the flash with others that come with it, whatever their place
  std::uint16_t stream = 0;  // which workload it serves (the submission queue it came by)
  PriorityClass priority = PriorityClass::medium;  // of that submission queue; what the device asks for itself: medium
  std::uint16_t first_sector = 0;                  // of the page, for reads and writes
  std::uint16_t sector_count = 0;                  // sectors accessed, for reads and writes
  Lpn lpn;
  std::uint64_t page_count = 1;  // trim only
  std::byte* data = nullptr;     // sector_count sectors, or null when the simulation keeps no data; see fail_read
  std::uint64_t request = 0;     // the host's command that it is part of, for who looks on; 0: unknown
  std::uint64_t owner = 0;       // for the front end's own use
  PageAccess* next = nullptr;    // for the device's queues
  TimeSheet* times = nullptr;    // of the front end, to which each stage says what it does; null: nobody asks for that
};

// What stands in the place of data that could not be read back, over and over: nobody takes it for what was written.
inline constexpr std::string_view unrecovered_mark = "UNRECOVERED DATA";

inline void fail_read(PageAccess& read) {
  read.status = AccessStatus::unrecovered_read_error;
  if (read.data == nullptr) return;
  for (std::size_t k = 0; k < std::size_t{read.sector_count} * sector_bytes; ++k) {
    read.data[k] = static_cast<std::byte>(unrecovered_mark[k % unrecovered_mark.size()]);
  }
}

// The front end's side.
class StorageClient {
 public:
  // The access is done, with its status set. Called from a calendar event at time `now`, possibly from within submit().
  virtual void completed(PageAccess& access, Tick now) = 0;

  // What health() says has changed in a way that a host should hear of: little spare left, read-only, less reliable.
  virtual void health_changed(Tick /*now*/) {}

 protected:
  ~StorageClient() = default;
};

// The controller's side. A stage between the two (a cache, firmware) is a device to what is above and a client of what
// is below; it hands down what it does not do itself, health() and health_changed() among it.
class StorageDevice {
 public:
  virtual void set_client(StorageClient& client) = 0;
  virtual void submit(PageAccess& access, Tick now) = 0;

  // The exported address space.
  virtual std::uint64_t logical_pages() const = 0;
  virtual std::uint32_t page_bytes() const = 0;
  // How many gathered writes fill a page of the flash.
  virtual std::uint32_t pages_written_together() const { return 1; }

  // How many more pages than it has taken it could put away, without collection, if the power failed now, and still
  // have what collection needs when the power is back.
  virtual std::uint64_t save_room() const { return ~std::uint64_t{0}; }

  // It takes no writes any more.
  virtual bool read_only() const { return false; }

  // A device that knows nothing of wear is as good as new.
  virtual DeviceHealth health() const { return {}; }

 protected:
  ~StorageDevice() = default;
};

}  // namespace nandscape
