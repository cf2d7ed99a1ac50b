// SPDX-License-Identifier: Apache-2.0
// The contract between a host front end (NVMe; zoned namespaces or CXL later) and the controller behind it: accesses to
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
  read,   // returns data in `data`
  write,  // writes `data`; done when the controller has taken responsibility for them
  trim,   // deallocates `page_count` whole pages, which then read as zeroes
  flush,  // done when all writes that were done before it are on flash
};

enum class AccessStatus : std::uint8_t {
  ok,
  unrecovered_read_error,  // the stored data could not be corrected
  write_fault,             // there was no free page to which the data could be written
  write_protected,         // the device has become read-only and rejects writes and trims
};

// The place of an access among the accesses of its host command.
enum class CommandPlace : std::uint8_t {
  first,   // the first access of the command, or its only access
  beside,  // a further access, which does not wait for earlier accesses of the command
  after,   // a further access, submitted when an earlier access of the command has completed
};

// An access to a logical page. The front end owns it, and must not delete it before completed() is called. The device
// uses it as an element of its queues.
struct PageAccess {
  AccessKind kind = AccessKind::read;
  AccessStatus status = AccessStatus::ok;
  bool force_unit_access = false;  // write: done only when the data are on flash
  bool deallocates = false;        // write: contains zeroes and replaces a trim; not needed if the page has no data
  CommandPlace place = CommandPlace::first;
  bool gathered = false;     // write: shares a flash page with the gathered writes next to it, whatever their addresses
  std::uint16_t stream = 0;  // the workload of the access (its submission queue)
  PriorityClass priority = PriorityClass::medium;  // class of that queue; medium for internal accesses
  std::uint16_t first_sector = 0;                  // position in the page, for reads and writes
  std::uint16_t sector_count = 0;                  // number of sectors, for reads and writes
  Lpn lpn;
  std::uint64_t page_count = 1;  // trim only
  std::byte* data = nullptr;     // sector_count sectors; null if the simulation stores no data; see fail_read
  std::uint64_t request = 0;     // the host command of the access, for observers; 0 if unknown
  std::uint64_t owner = 0;       // for the front end's own use
  PageAccess* next = nullptr;    // for the device's queues
  TimeSheet* times = nullptr;    // receives the time that each stage spends; null if the latency is not measured
};

// A string that fills the buffer of data that could not be read. A host that ignores the error can recognise it.
inline constexpr std::string_view unrecovered_mark = "UNRECOVERED DATA";

inline void fail_read(PageAccess& read) {
  read.status = AccessStatus::unrecovered_read_error;
  if (read.data == nullptr) return;
  for (std::size_t k = 0; k < std::size_t{read.sector_count} * sector_bytes; ++k) {
    read.data[k] = static_cast<std::byte>(unrecovered_mark[k % unrecovered_mark.size()]);
  }
}

// The side of the front end. It receives the results of accesses.
class StorageClient {
 public:
  // Called when the access is done and its status is set. The call is made in an event of the calendar at time `now`,
  // possibly from within submit().
  virtual void completed(PageAccess& access, Tick now) = 0;

  // Called when health() has changed in a way that the host must know, for example because the temperature has changed,
  // only little spare capacity is left, or the device has become read-only or unreliable.
  virtual void health_changed(Tick /*now*/) {}

  // Called when the device begins to work in the background, for example to collect garbage, and when it ends.
  virtual void background_work(bool /*under_way*/, Tick /*now*/) {}

 protected:
  ~StorageClient() = default;
};

// The side of the controller. Stages can be inserted between front end and controller, for example a cache or firmware.
// Such a stage is a device to the stage above it and a client of the stage below it. It must pass on every call that it
// does not handle itself, including health(), health_changed() and background_work().
class StorageDevice {
 public:
  virtual void set_client(StorageClient& client) = 0;
  virtual void submit(PageAccess& access, Tick now) = 0;

  // The address space that the device provides to the host.
  virtual std::uint64_t logical_pages() const = 0;
  virtual std::uint32_t page_bytes() const = 0;
  // Returns the number of gathered writes that fill a flash page.
  virtual std::uint32_t pages_written_together() const { return 1; }

  // Returns the number of additional logical pages that the device could save without garbage collection if the power
  // failed now. Pages that it has already accepted are not included. The result takes into account that garbage
  // collection needs some free blocks after power-on.
  virtual std::uint64_t save_room() const { return ~std::uint64_t{0}; }

  // Returns true if the device rejects all writes.
  virtual bool read_only() const { return false; }

  // Returns the state that the host can query. The default is the health of a new device, for devices that do not model
  // wear.
  virtual DeviceHealth health() const { return {}; }

 protected:
  ~StorageDevice() = default;
};

}  // namespace nandscape
