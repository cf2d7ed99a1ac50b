// SPDX-License-Identifier: Apache-2.0
// The slave's side of AXI4-Lite, cycle by cycle. It handles one write and one read at a time, and passes each to its
// owner, which answers in the same cycle or later.
#pragma once

#include <cstdint>

#include "axi_lite.h"

class AxiLiteSlave {
 public:
  class Owner {
   public:
    // Begins an access, which answer() ends. The address is word-aligned. The strobes of a write select bytes of the
    // word; a read returns the whole word.
    virtual void access_begins(const AxiLiteAccess& access) = 0;

   protected:
    ~Owner() = default;
  };

  explicit AxiLiteSlave(Owner& owner) : owner_(owner) {}

  // The values driven in this cycle. They do not depend on the inputs of the cycle.
  AxiLiteSlavePins pins() const;
  // Applies a rising edge; `master` holds the master's outputs just before it.
  void clock(const AxiLiteMasterPins& master);
  // Ends an access with its `response` and, for a read, its `data`.
  void answer(const AxiLiteAccess& access);
  // Drops the accesses in progress; answer() must not be called for them.
  void reset();

 private:
  // Each direction, write or read, waits for a request, then for its owner, then for the master to accept the response.
  enum class Step : std::uint8_t { request, answer, response };

  void clock_write(const AxiLiteMasterPins& master, const AxiLiteSlavePins& shown);
  void clock_read(const AxiLiteMasterPins& master, const AxiLiteSlavePins& shown);

  Owner& owner_;
  Step write_step_ = Step::request;
  Step read_step_ = Step::request;
  bool has_write_address_ = false;
  bool has_write_data_ = false;
  AxiLiteAccess write_;
  AxiLiteAccess read_;
};
