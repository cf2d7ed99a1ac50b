// SPDX-License-Identifier: Apache-2.0
// The slave's side of AXI4-Lite, cycle by cycle. It has one write and one read under way, and hands each to its owner,
// who answers when it likes to: in the same cycle, or later.
#pragma once

#include <cstdint>

#include "rtl/axi/axi_lite.h"

namespace nandscape::rtl {

class AxiLiteSlave {
 public:
  class Owner {
   public:
    // An access has come, which answer() ends. Its address is that of a word. For a write its strobes say which bytes
    // of it; a read is of all of them.
    virtual void access_begins(const AxiLiteAccess& access) = 0;

   protected:
    ~Owner() = default;
  };

  explicit AxiLiteSlave(Owner& owner) : owner_(owner) {}

  // What it drives in this cycle. Depends on no input of it.
  AxiLiteSlavePins pins() const;
  // The rising edge: what the master showed before it.
  void clock(const AxiLiteMasterPins& master);
  // The access has ended; `data` is that of a read.
  void answer(const AxiLiteAccess& access);
  // Forgets what is under way. Answers to that must not come any more.
  void reset();

 private:
  // Of a direction: waits for a request, then for its owner, then for the master to take the response.
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

}  // namespace nandscape::rtl
