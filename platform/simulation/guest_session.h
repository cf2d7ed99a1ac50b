// SPDX-License-Identifier: Apache-2.0
// A Linux guest on a simulated drive: a GuestMachine (models/host/guest/guest_machine.h) that takes its time and its
// PCI function from a Simulation. The caller starts the guest's kernel.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/value.h"
#include "platform/simulation/simulation.h"

namespace nandscape {

class GuestSession {
 public:
  // The paths of the sockets at which the guest's kernel finds its clock, its PCI bus and its console.
  struct Sockets {
    std::string time;
    std::string pci;
    std::string console;
  };
  enum class End {
    line,   // the guest has sent a line on its console
    limit,  // its clock has reached the limit
    gone,   // its kernel has ended
  };

  // Listens at the sockets. `time_of_day_s` is the guest's time of day at its start, in seconds since 1970. Throws
  // ConfigError unless the simulation's host is `pci_port` (simulation.blocks.host).
  GuestSession(Simulation& simulation, const Sockets& sockets, std::uint64_t time_of_day_s);
  ~GuestSession();
  GuestSession(const GuestSession&) = delete;
  GuestSession& operator=(const GuestSession&) = delete;

  // Runs the guest and the drive. The simulation's other calls may be used between two calls of this function: time
  // that passes in them does not pass for the guest. Throws Error if the guest breaks a protocol.
  End run(std::optional<std::uint64_t> limit_ns);
  void send(const std::string& line);
  std::optional<std::string> take_line();
  // The guest's clock.
  std::uint64_t now_ns() const;
  // The accesses of the guest and the requests of the drive so far.
  Value counters() const;

 private:
  struct Parts;

  const std::unique_ptr<Parts> parts_;
};

}  // namespace nandscape
