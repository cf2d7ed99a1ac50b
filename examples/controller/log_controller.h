// SPDX-License-Identifier: Apache-2.0
// A simple controller that writes pages to all dies in turn until the flash is full. It has no garbage collection, no
// refresh and no cache, and it sends only one command at a time to each die.
#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>
#include <vector>

#include "platform/wiring/back_end_queues.h"
#include "platform/wiring/controller_drive.h"

class LogController final : public nandscape::StorageDevice, private nandscape::BackEndQueues::Client {
 public:
  LogController(nandscape::Calendar& calendar, const nandscape::DeviceFacts& facts, nandscape::FlashBackEnd& back_end)
      : facts_(facts), queues_("controller", calendar, facts, back_end, *this) {}

  void set_client(nandscape::StorageClient& client) override { client_ = &client; }
  void submit(nandscape::PageAccess& access, nandscape::Tick now) override;
  std::uint64_t logical_pages() const override { return facts_.geometry.pages() / 2; }
  std::uint32_t page_bytes() const override { return facts_.geometry.page_bytes; }

 private:
  // The state of an access while its page is transferred between the front end and the flash.
  struct Operation {
    nandscape::PageAccess& access;
    std::uint64_t place;
    std::vector<std::byte> page;
    nandscape::ChannelId channel{};
    nandscape::NandCommand command{};
    nandscape::EccJob job{};
  };

  void read(nandscape::PageAccess& access, nandscape::Tick now);
  void write(nandscape::PageAccess& access, nandscape::Tick now);
  Operation& begin(nandscape::PageAccess& access, std::uint64_t place);
  void command_ended(nandscape::NandCommand& command, nandscape::Tick now) override;
  void job_ended(nandscape::EccJob& job, nandscape::Tick now) override;
  void end(Operation& operation, nandscape::AccessStatus status, nandscape::Tick now);

  const nandscape::DeviceFacts& facts_;
  nandscape::StorageClient* client_ = nullptr;
  std::list<Operation> operations_;                       // in flight
  std::unordered_map<std::uint64_t, std::uint64_t> map_;  // logical page: place
  std::uint64_t next_place_ = 0;
  unsigned writes_ = 0;                          // in flight
  std::vector<nandscape::PageAccess*> flushes_;  // flushes that wait for these writes
  nandscape::BackEndQueues queues_;
};

class LogDrive final : public nandscape::ControllerDrive {
 public:
  using Parameters = nandscape::NoParameters;
  LogDrive(const Parameters&, const nandscape::DriveContext& context)
      : ControllerDrive(context, {.lookahead = nandscape::never}), controller_(context.calendar, facts(), back_end()) {
    serve(controller_);
  }

 private:
  LogController controller_;
};
