// SPDX-License-Identifier: Apache-2.0
// A controller that writes pages one after the other over all dies until the flash is full: no collection, no refresh,
// no cache, one command at a time for each die.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "platform/wiring/controller_drive.h"
#include "protocol/job_port.h"

// A page on its way between the front end and the flash.
struct Operation {
  nandscape::PageAccess* access;
  nandscape::NandCommand command;
  nandscape::EccJob job;
  std::vector<std::byte> page;
  unsigned channel;
  std::uint64_t place;
};

class LogController final : public sc_core::sc_module, public nandscape::StorageDevice {
 public:
  LogController(sc_core::sc_module_name name, nandscape::Calendar& calendar, const nandscape::DeviceFacts& facts);

  void connect(nandscape::FlashMedia& media);

  void set_client(nandscape::StorageClient& client) override { client_ = &client; }
  void submit(nandscape::PageAccess& access, nandscape::Tick now) override;
  std::uint64_t logical_pages() const override { return places_ / 2; }
  std::uint32_t page_bytes() const override { return facts_.geometry.page_bytes; }

 private:
  using Payload = tlm::tlm_generic_payload;

  // The way to a channel. Commands for dies that are at work wait.
  struct Channel {
    Channel(LogController& owner, const char* name, unsigned dies);

    void send(Operation& operation);
    void send_waiting();

    // Of the port.
    void request_ended(nandscape::NandCommand&, nandscape::Tick) { send_waiting(); }
    bool response_begins(nandscape::NandCommand& command, nandscape::Tick now);
    void job_over(Payload& payload);

    void response_ends(Operation& operation);

    LogController& controller;
    nandscape::JobInitiatorPort<nandscape::NandCommand, Channel> port;
    std::deque<Operation*> waiting;
    std::vector<bool> busy;  // by die
  };

  // The way to the encoder or the decoder of an engine.
  struct Unit {
    Unit(LogController& owner, const char* name) : controller(owner), port(name, owner.calendar_, *this) {}

    void send(Operation& operation);
    void send_waiting();

    // Of the port.
    void request_ended(nandscape::EccJob&, nandscape::Tick) { send_waiting(); }
    bool response_begins(nandscape::EccJob& job, nandscape::Tick now);
    void job_over(Payload& payload) { payload.release(); }

    LogController& controller;
    nandscape::JobInitiatorPort<nandscape::EccJob, Unit> port;
    std::deque<Operation*> waiting;
  };

  void read(nandscape::PageAccess& access, nandscape::Tick now);
  void write(nandscape::PageAccess& access, nandscape::Tick now);
  Operation& begin(nandscape::PageAccess& access, std::uint64_t place);
  // Its command has come back from the flash; its job from the engine.
  void from_flash(Operation& operation, nandscape::Tick now);
  void coded(Operation& operation, nandscape::Tick now);
  void end(Operation& operation, nandscape::AccessStatus status, nandscape::Tick now);
  Unit& unit_of(const Operation& operation);

  nandscape::Calendar& calendar_;
  const nandscape::DeviceFacts& facts_;
  const std::uint64_t places_;  // pages of the flash
  nandscape::StorageClient* client_ = nullptr;
  std::vector<std::unique_ptr<Channel>> channels_;
  std::vector<std::unique_ptr<Unit>> decoders_;
  std::vector<std::unique_ptr<Unit>> encoders_;
  nandscape::JobPayloadPool<nandscape::NandCommand> commands_;
  nandscape::JobPayloadPool<nandscape::EccJob> jobs_;
  std::unordered_map<std::uint64_t, std::uint64_t> map_;  // logical page: place
  std::uint64_t next_place_ = 0;
  unsigned writes_ = 0;                                 // under way
  std::vector<nandscape::PageAccess*> flushes_;         // that wait for them
  std::vector<std::unique_ptr<Operation>> operations_;  // free ones
};

class LogDrive final : public nandscape::ControllerDrive {
 public:
  using Parameters = nandscape::NoParameters;
  LogDrive(const Parameters&, const nandscape::DriveContext& context)
      : ControllerDrive(context, {.lookahead = nandscape::never}),
        controller_("controller", context.calendar, facts()) {
    controller_.connect(media());
    serve(controller_);
  }

 private:
  LogController controller_;
};
