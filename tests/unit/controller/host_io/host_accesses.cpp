// SPDX-License-Identifier: Apache-2.0
#include "controller/host_io/host_accesses.h"

#include "catch.h"
#include "unit/controller/host_side.h"

namespace nandscape::controller {
namespace {

TEST_CASE("a write waits for an earlier trim of its unit, and a trim for an earlier write") {
  HostSide b;
  const PageAccess& first = b.submit(AccessKind::write, 2);
  const PageAccess& trim = b.submit(AccessKind::trim, 0, 4);
  const PageAccess& second = b.submit(AccessKind::write, 2);
  const PageAccess& elsewhere = b.submit(AccessKind::write, 5);
  CHECK_FALSE(b.accesses.idle());
  b.run();
  for (const PageAccess* const access : {&first, &trim, &second, &elsewhere}) CHECK(b.done(*access));
  CHECK(b.host.time_of(first).value() < b.host.time_of(trim).value());
  CHECK(b.host.time_of(trim).value() < b.host.time_of(second).value());
  CHECK(b.place(2).valid());
  CHECK(b.flash.count(NandOperation::program) == 3);
  CHECK(b.accesses.idle());
}

TEST_CASE("a trim waits for an earlier write whose mapping entry is being loaded") {
  ControllerParameters p = small_controller();
  p.mapping.cache = {.cache_bytes = 4096, .entry_bytes = 8};
  HostSide b(p);
  const PageAccess& write = b.submit(AccessKind::write, 2);
  const PageAccess& trim = b.submit(AccessKind::trim, 0, 4);
  b.run();
  CHECK(b.host.time_of(write).value() < b.host.time_of(trim).value());
  CHECK_FALSE(b.place(2).valid());
}

TEST_CASE("a read during a write of its unit returns the old data, and writes of one unit follow each other") {
  HostSide b;
  b.write(3, 7);
  b.submit(AccessKind::write, 3);
  b.submit(AccessKind::write, 3);
  FakeDrive::Bytes data(4096);
  PageAccess read = make_access(AccessKind::read, 3, 0, 8, data.data());
  b.accesses.submit(read, b.calendar.now());
  b.run();
  CHECK(data == b.bytes(7));
  CHECK(b.host.done.size() == 4);  // with the first write
  CHECK(b.flash.count(NandOperation::program) == 3);
}

TEST_CASE("a read-only drive refuses writes and trims, and answers reads and flushes") {
  HostSide b;
  b.end_of_life.stop_writing(0);
  for (const AccessKind kind : {AccessKind::write, AccessKind::trim}) {
    const PageAccess& access = b.submit(kind, 1);
    CHECK(b.done(access));
    CHECK(access.status == AccessStatus::write_protected);
  }
  for (const AccessKind kind : {AccessKind::read, AccessKind::flush}) {
    const PageAccess& access = b.submit(kind, 1);
    CHECK(b.done(access));
    CHECK(access.status == AccessStatus::ok);
  }
}

TEST_CASE("accesses wait for the recovery of the mapping, and reads fail if it is lost") {
  HostSide b(small_controller(), StartUp::from_flash);
  b.flash.dead = GENERATE(false, true);
  b.power_cycle.recover(0, [] {});
  const PageAccess& read = b.submit(AccessKind::read, 1);
  CHECK_FALSE(b.done(read));
  b.run();
  CHECK(b.done(read));
  CHECK(read.status == (b.flash.dead ? AccessStatus::unrecovered_read_error : AccessStatus::ok));
}

TEST_CASE("accesses that are given up fail once, and leave no unit behind") {
  HostSide b(without_capacitor());
  b.write(9);
  const PageAccess& flush = b.submit(AccessKind::flush, 0);
  const PageAccess& write = b.submit(AccessKind::write, 3);
  CHECK(b.accesses.wait_for_programs());
  b.accesses.give_up(b.calendar.now());
  CHECK_FALSE(b.accesses.wait_for_programs());
  b.run();
  for (const PageAccess* const access : {&flush, &write}) {
    CHECK(access->status == AccessStatus::write_fault);
    CHECK(std::ranges::count(b.host.done, access, [](const auto& end) { return end.first; }) == 1);
  }
  CHECK_FALSE(b.place(3).valid());
}

}  // namespace
}  // namespace nandscape::controller
