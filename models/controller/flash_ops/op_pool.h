// SPDX-License-Identifier: Apache-2.0
// A pool of ops of one type. Each op in use has a page buffer if the simulation stores data. An op is constructed again
// for each use. To save this time, op types that are used for every host access have a function renew() instead. It
// resets only those members that a use does not always set.
#pragma once

#include <deque>
#include <memory>

#include "controller/flash_ops/flash_io.h"

namespace nandscape::controller {

// Op must have a constructor Op(Owner&), and may have a function renew().
template <class Op, class Owner>
class OpPool {
 public:
  OpPool(FlashIo& io, Owner& owner) : io_(io), owner_(owner) {}

  Op& acquire() {
    if (free_.empty()) [[unlikely]]
      return make_another();
    Op& op = free_.pop();
    if constexpr (requires { op.renew(); }) {
      op.renew();
    } else {
      // The op is constructed again, but its TLM payloads are preserved for reuse.
      tlm::tlm_generic_payload* const of_command = op.command.payload;
      tlm::tlm_generic_payload* const of_job = op.ecc.payload;
      std::destroy_at(&op);
      std::construct_at(&op, owner_);
      op.command.payload = of_command;
      op.ecc.payload = of_job;
    }
    return prepare(op);
  }

  void release(Op& op) {
    io_.give_buffer_back(op);
    free_.push_front(op);
  }

 private:
  [[gnu::noinline]] Op& make_another() { return prepare(all_.emplace_back(owner_)); }
  Op& prepare(Op& op) {
    io_.lend_buffer(op);
    return op;
  }

  FlashIo& io_;
  Owner& owner_;
  std::deque<Op> all_;
  OpList<Op> free_;
};

}  // namespace nandscape::controller
