// SPDX-License-Identifier: Apache-2.0
// The contract between the flash scheduler, the channel and the dies: one command to one plane of one die.
//
// On a TLM socket the phases of its payload are the bus:
//   BEGIN_REQ  .. END_REQ     command and address cycles, and data-in of a program
//   END_REQ    .. BEGIN_RESP  the array at work (tR, tPROG, tBERS) and the wait for the bus
//   BEGIN_RESP .. END_RESP    data-out of a read, status cycles of a program or erase
// The initiator ends the response: it sends END_RESP `response_time` after BEGIN_RESP. Commands without data and status
// cycles (suspend, resume) answer with BEGIN_RESP at the end of their command cycles, and the initiator completes them
// there; the die takes the next command `response_time` later.
//
// A multi-plane operation is one command per plane, each with its own phases, as on an ONFI bus: all but the last carry
// `more_planes` (confirm cycle 32h, 11h or D1h) and only queue their address; the last one starts the array for all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/ids.h"
#include "core/ticks.h"

namespace tlm {
class tlm_generic_payload;
}

namespace nandscape {

enum class NandOperation : std::uint8_t { read, program, erase, suspend, resume };

enum class NandStatus : std::uint8_t { pass, fail };

struct NandCommand {
  NandOperation operation = NandOperation::read;
  NandStatus status = NandStatus::pass;  // set by the die before BEGIN_RESP
  bool more_planes = false;              // queue only; a later command of this operation starts the array
  bool cache = false;                    // read: sensed while the page before it moves out (ONFI 00h-31h)
  std::uint32_t die = 0;                 // of the channel: chip * dies_per_chip + die
  std::uint32_t plane = 0;               // of the die
  std::uint32_t block = 0;               // of the plane
  std::uint32_t page = 0;                // of the block
  std::uint32_t bytes = 0;               // moved over the bus, in or out; 0 for commands without data
  Tick response_time = 0;                // set with BEGIN_RESP: how long the bus is held; for a cache read the die sets
                                         // it to tRCBSY with END_REQ
  // When a cache read went to the die during this read: the channel sends its cycles before this page's data-out and
  // notes here when they end; 0 when there was none.
  Tick cache_read_confirmed = 0;
  std::byte* data = nullptr;                    // the whole page, or null when the simulation keeps no data
  void* owner = nullptr;                        // for the initiator's own use
  tlm::tlm_generic_payload* payload = nullptr;  // that carries the command over sockets
};

// "read die 3 plane 0 block 17 page 5", for histories and messages.
std::string to_string(NandOperation operation);
std::string to_string(const NandCommand& command);

}  // namespace nandscape
