// SPDX-License-Identifier: Apache-2.0
// The contract between the flash scheduler, the channel and the dies: one command to one plane of one die.
//
// On a TLM socket the phases of its payload are the bus:
//   BEGIN_REQ  .. END_REQ     command and address cycles, and data-in of a program
//   END_REQ    .. BEGIN_RESP  the array at work (tR, tPROG, tBERS) and the wait for the bus
//   BEGIN_RESP .. END_RESP    data-out of a read, status cycles of a program or erase
// The initiator ends the response: it sends END_RESP `response_time` after BEGIN_RESP. Commands without data and status
// cycles (suspend, resume, reset, set_feature) answer with BEGIN_RESP at the end of their command cycles, and the
// initiator completes them there; the die takes the next command `response_time` later.
//
// A multi-plane operation is one command per plane, each with its own phases, as on an ONFI bus: all but the last carry
// `more_planes` (confirm cycle 32h, 11h or D1h) and only queue their address; the last one starts the array for all. A
// single-operation multiple-location read (SOML) is made of reads in the same way, each of some subpages of a page: all
// carry `single_operation` and all but the last `more_planes`. Several may be of one plane.
//
// A program with `cache` (ONFI 80h-15h) goes from the cache register to the page register, which takes the die tPCBSY,
// and leaves the cache register to the next program: its BEGIN_REQ may come as soon as the register is free, while the
// array works. That one waits in the register until the array has ended and BEGIN_RESP .. END_RESP have told the status
// of the one before it, each its own; its array time begins where the other's ended. A stream ends with a program
// without `cache`, or with one that nothing follows. A die whose cache register is full cannot be suspended: the reads
// would have to move out through it. Several planes: all commands of the operation carry `cache`.
//
// A reset aborts what its die does. Every command of that die whose response has not begun gets BEGIN_RESP with the
// status `aborted`, before the reset gets its own; the initiator completes it there, and it takes no time on the bus.
// That goes for a program whose status has not been fetched, too: what became of it is not told.
//
// A soft read senses each read level `sensing_levels` times, at so many levels evenly spaced round it: its array time
// and its senses are as many times those of a hard read. Of each bit the die puts out how many of these senses have
// found a 1, ceil(log2(sensing_levels + 1)) bits (sensing_levels.h), so that data-out is as many times as long. That
// finer sensing costs time in the array and on the bus as well is what [Zhao 2013, "LDPC-in-SSD"] starts from. As
// there, a read of a page may go on from one before it, whose senses the controller has kept (`earlier_levels`): then
// only the others are made and put out. Levels that are added are taken to tell as much as evenly spaced ones, round
// which real dies would place them as well as they can.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/ids.h"
#include "core/ticks.h"

namespace tlm {
class tlm_generic_payload;
}

namespace nandscape {

enum class NandOperation : std::uint8_t {
  read,
  program,
  erase,
  suspend,
  resume,
  reset,                // ends whatever the die does, and drops what waits in its registers
  set_feature,          // `feature_value` to the feature at address `feature` (see nand_features.h)
  get_feature,          // and back; for foreign initiators
  read_parameter_page,  // what the die tells of itself (see nand/parameter_page.h); for foreign initiators
  copyback_read,        // a page to the page register of its plane, where it stays; with `bytes` it moves out as well
  copyback_program,     // the page register to a page of the same plane; with `bytes` data-in replaces a part of it
  adjust_voltage,       // merges a wordline's states, but for `valid_pages` (nand/coding/merging.h)
};

enum class NandStatus : std::uint8_t {
  pass,
  fail,     // program, erase, adjust_voltage: the cells did not get there; suspend: there was nothing to suspend
  aborted,  // by a reset
};

constexpr bool programs(NandOperation operation) {
  return operation == NandOperation::program || operation == NandOperation::copyback_program;
}

// How many bits the cells of a block hold. Blocks in SLC mode are for foreign initiators.
enum class ProgramMode : std::uint8_t { native, slc };

// Parts of a page that have bitlines of their own, so that one operation can read them from different rows.
inline constexpr std::uint32_t subpages_per_page = 4;
inline constexpr std::uint8_t all_subpages = (1 << subpages_per_page) - 1;

// As a retry step: the read levels that err least on the page, which no real die knows. For bounds.
inline constexpr std::uint8_t best_levels = 0xff;

struct NandCommand {
  NandOperation operation = NandOperation::read;
  NandStatus status = NandStatus::pass;     // set by the die before BEGIN_RESP
  bool more_planes = false;                 // queue only; a later command of this operation starts the array
  bool cache = false;                       // read: sensed while the page before it moves out (ONFI 00h-31h);
                                            // program: another may be sent while the array works (ONFI 80h-15h)
  bool single_operation = false;            // read: of some subpages, together with others of its die
  std::uint8_t subpages = 0;                // single-operation reads: bit k for subpage k
  std::uint8_t retry_step = 0;              // reads: read levels to use; 0 takes the default ones
  std::uint8_t sensing_levels = 1;          // reads: senses of each of these levels; 1 is a hard read
  std::uint8_t earlier_levels = 0;          // of these, made by reads before
  ProgramMode mode = ProgramMode::native;   // programs: the first one puts its block into this mode until its erase
  std::uint32_t die = 0;                    // of the channel: chip * dies_per_chip + die
  std::uint32_t plane = 0;                  // of the die
  std::uint32_t block = 0;                  // of the plane
  std::uint32_t page = 0;                   // of the block; for adjust_voltage any page of the wordline
  std::uint32_t bytes = 0;                  // moved over the bus, in or out; 0 for commands without data
  std::uint32_t first_byte = 0;             // of the page: where those bytes begin
  std::uint32_t raw_bit_errors = 0;         // reads: in those bytes, set by the die; 0 with ideal cells
  std::uint32_t worst_codeword_errors = 0;  // likewise, of the codeword that has most of them
  double misread_probability = 0;           // soft reads: of a bit in those bytes, set by the die
  Tick response_time = 0;                   // set with BEGIN_RESP: how long the bus is held; for a cache read the die
                                            // sets it to tRCBSY with END_REQ, for a program with `cache` to tPCBSY
  // When a cache read went to the die during this read: the channel sends its cycles before this page's data-out and
  // notes here when they end; 0 when there was none.
  Tick cache_read_confirmed = 0;
  // Of a response that had to wait for the bus: when its die has asked for it. The channel notes that with BEGIN_RESP;
  // what is not after the end of the request is of an earlier trip, or of a channel that does not note it.
  Tick bus_asked = 0;
  // The whole page, with its spare bytes where they are kept; null when the simulation keeps no data. Without spare
  // bytes there is nothing to correct errors with, and the data of a read come without them.
  std::byte* data = nullptr;
  // Reads: raw bit errors of each codeword moved, where they are asked for; copyback_read: of each one of the page.
  // Those of soft reads are errors of the hard decision at the read level itself, which an even number of levels leaves
  // out.
  std::span<std::uint16_t> codeword_errors;
  // Soft reads: by bit of `data`, spare bytes included, how many senses have found a 1; empty: nobody asks for it. Only
  // the codewords moved are filled in.
  std::span<std::uint8_t> sensed_ones;
  // The controller's own words in the spare area of the page, beside its parity: programs store them, reads give back
  // what was stored, cut to the span or filled up with ~0. Pages without any read as ~0, and so does what is damaged.
  // Copyback takes them along; words that come with a copyback_program take their place. The words must stay there
  // until the response.
  std::span<std::uint64_t> tag;
  bool background = false;    // work that the device does of its own accord; for who looks on
  std::uint64_t request = 0;  // likewise: the host's command that it serves first (PageAccess); 0: none
  void* owner = nullptr;      // for the initiator's own use
  tlm::tlm_generic_payload* payload = nullptr;  // that carries the command over sockets

  bool bad_block_mark = false;                  // reads: the block was bad from the factory on; set by the die
  bool erased_page = false;                     // reads: not programmed since its block's erase; set by the die
  bool adjusted_block = false;                  // reads: a wordline of the block has been adjusted; set by the die
  std::uint8_t feature = 0;                     // address of a feature
  std::array<std::uint8_t, 4> feature_value{};  // its bytes P1 to P4
  std::uint8_t valid_pages = 0;                 // adjust_voltage: bit p for the page of type p
  std::uint16_t program_step_mv = 0;            // programs: ISPP step; 0: the device's own

  // Reads: senses that this command makes of each read level.
  std::uint32_t new_levels() const { return sensing_levels - earlier_levels; }
};

// Whether the command is answered at the end of its own cycles, and the initiator completes it there.
constexpr bool answered_at_once(NandOperation operation) {
  return operation == NandOperation::suspend || operation == NandOperation::resume ||
         operation == NandOperation::reset || operation == NandOperation::set_feature;
}

// Goes to the die without cycles of its own: the channel sends them before the data-out of the read before it.
constexpr bool is_cache_read(const NandCommand& command) {
  return command.cache && command.operation == NandOperation::read;
}

// Whether the end of its request is told by itself: a cache read is taken in the call, and of what is answered at once
// the answer is the end.
constexpr bool request_ends_by_itself(const NandCommand& command) {
  return !is_cache_read(command) && !answered_at_once(command.operation);
}

// Whether its initiator completes it in the call that brings its response, which takes no time on the bus.
constexpr bool completed_in_the_call(const NandCommand& command) {
  return answered_at_once(command.operation) || command.status == NandStatus::aborted;
}

// "read die 3 plane 0 block 17 page 5", for histories and messages.
std::string to_string(NandOperation operation);
std::string to_string(const NandCommand& command);

}  // namespace nandscape
