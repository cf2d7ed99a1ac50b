// SPDX-License-Identifier: Apache-2.0
// The slave's side of AXI4-Lite, one clock cycle per call. It handles up to one write and one read at a time. It passes
// each access to its owner, which answers in the same cycle or later.
#pragma once

#include <cstdint>

#include "axi_lite.h"

class AxiLiteSlave {
 public:
  class Owner {
   public:
    // Called when a request has been accepted. The owner must call answer() at once or later. The address is
    // word-aligned. The strobes of a write select bytes of the word; a read returns the whole word.
    virtual void access_begins(const AxiLiteAccess& access) = 0;

   protected:
    ~Owner() = default;
  };

  explicit AxiLiteSlave(Owner& owner) : owner_(owner) {}

  // Returns the values driven in this cycle. They do not depend on the master's outputs in this cycle.
  AxiLiteSlavePins pins() const;
  // Applies a rising clock edge. `master` holds the master's outputs just before the edge.
  void clock(const AxiLiteMasterPins& master);
  // Ends an access in progress and sends its response to the master. `access` holds the response and read data.
  void answer(const AxiLiteAccess& access);
  // Discards the accesses in progress. The owner must not call answer() for them.
  void reset();

 private:
  // A write or a read waits for a request, then for the owner's answer, then for the master to accept the response.
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
