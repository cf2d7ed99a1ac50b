// SPDX-License-Identifier: Apache-2.0
// A memory of 2 KiB behind an AXI4-Lite slave that answers after some cycles. To test error responses, accesses to the
// 2 KiB above the memory fail with SLVERR, and accesses to higher addresses fail with DECERR.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "axi_lite_slave.h"
#include "core/random.h"

class AxiLiteMemory final : private AxiLiteSlave::Owner {
 public:
  static constexpr std::uint32_t bytes = 0x800;
  static constexpr std::uint32_t failing_to_here = 0x1000;

  // Each access takes the slave's minimum number of cycles plus a random number from 0 to `latency`.
  AxiLiteMemory(std::uint64_t seed, std::uint64_t latency) : random_(seed, "memory"), latency_(latency) {}

  AxiLiteSlavePins pins() const { return slave_.pins(); }
  void clock(const AxiLiteMasterPins& master) {
    slave_.clock(master);
    for (std::optional<Pending>* const pending : {&write_, &read_}) {
      if (!*pending || (*pending)->cycles_left-- > 0) continue;
      slave_.answer(accessed((*pending)->access));
      pending->reset();
    }
  }
  void reset() {
    slave_.reset();
    write_.reset();
    read_.reset();
  }

  // Performs the access on the memory at once. Returns the access with its response and, for a read, its data.
  AxiLiteAccess accessed(AxiLiteAccess access) {
    access.response = AxiResponse::okay;
    if (access.address >= failing_to_here) {
      access.response = AxiResponse::decerr;
    } else if (access.address >= bytes) {
      access.response = AxiResponse::slverr;
    } else if (access.write) {
      for (unsigned int k = 0; k < axi_word_bytes; ++k) {
        if ((access.strobes >> k & 1) == 0) continue;
        bytes_[access.address + k] = static_cast<std::uint8_t>(access.data >> 8 * k);
      }
    } else {
      access.data = 0;
      for (unsigned int k = 0; k < axi_word_bytes; ++k)
        access.data |= std::uint32_t{bytes_[access.address + k]} << 8 * k;
    }
    return access;
  }

 private:
  struct Pending {
    AxiLiteAccess access;
    std::uint64_t cycles_left;
  };
  void access_begins(const AxiLiteAccess& access) override {
    (access.write ? write_ : read_) = Pending{access, random_.below(latency_ + 1)};
  }

  AxiLiteSlave slave_{*this};
  nandscape::RandomStream random_;
  const std::uint64_t latency_;
  std::map<std::uint32_t, std::uint8_t> bytes_;
  std::optional<Pending> write_;
  std::optional<Pending> read_;
};

class AxiLiteMemoryDesign final : public ClockedAxiLite {
 public:
  AxiLiteMemoryDesign(std::uint64_t seed, std::uint64_t latency) : memory_(seed, latency) {}

  AxiLiteSlavePins cycle(const AxiLiteMasterPins& inputs, bool reset) override {
    const AxiLiteSlavePins outputs = memory_.pins();
    if (reset) {
      memory_.reset();
    } else {
      memory_.clock(inputs);
    }
    return outputs;
  }

 private:
  AxiLiteMemory memory_;
};
