// SPDX-License-Identifier: Apache-2.0
// The contract between the flash scheduler, the channel and the dies: one command to one plane of one die.
//
// On a TLM socket the phases of the payload represent the use of the bus:
//   BEGIN_REQ  .. END_REQ     command and address cycles, and data-in of a program
//   END_REQ    .. BEGIN_RESP  array operation (tR, tPROG, tBERS) and the wait for the bus
//   BEGIN_RESP .. END_RESP    data-out of a read, status cycles of a program or erase
// The initiator ends the response: it sends END_RESP `response_time` after BEGIN_RESP. Commands without data and status
// cycles (suspend, resume, reset, set_feature) get BEGIN_RESP at the end of their command cycles. The initiator
// completes them there, and the die takes the next command `response_time` later.
//
// A multi-plane operation is one command per plane, each with its own phases, as on an ONFI bus. All but the last carry
// `more_planes` (confirm cycle 32h, 11h or D1h) and only queue their address; the last one starts the array for all. A
// single-operation multiple-location read (SOML) consists of reads in the same way, each of some subpages of a page.
// All carry `single_operation` and all but the last `more_planes`; several may address the same plane.
//
// A program with `cache` (ONFI 80h-15h) moves its data from the cache register to the page register, in tPCBSY. The
// cache register is then free for the next program, whose BEGIN_REQ may come while the array works. The data of that
// program wait in the cache register until the array has ended and BEGIN_RESP .. END_RESP have reported the status of
// the program before it. Each program has its own status, and its array time begins where that of the program before it
// ended. A stream ends with a program without `cache`, or with a program that no other one follows. A die with a full
// cache register cannot be suspended, since reads need that register for their data-out. In a multi-plane operation all
// commands carry `cache`.
//
// A reset aborts the work of its die. Every command of the die whose response has not begun gets BEGIN_RESP with the
// status `aborted`, before the reset gets its own. The initiator completes it there, and it takes no time on the bus.
// This includes a program whose status has not been fetched; its outcome is not reported.
//
// A soft read senses each read level `sensing_levels` times, at voltages evenly spaced around it; array time and senses
// are multiplied by that number. For each bit the die outputs the number of senses that found a 1. That number has
// ceil(log2(sensing_levels + 1)) bits (sensing_levels.h), which multiply the time of data-out. [Zhao 2013,
// "LDPC-in-SSD"] starts from these costs of finer sensing, in array time and in bus time. As there, a read may continue
// an earlier read of the page whose senses the controller has kept (`earlier_levels`): only the additional senses are
// then made and output. Added levels are assumed to carry as much information as evenly spaced ones; real dies would
// place them around the earlier ones as well as they can.
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
  reset,                // aborts the work of the die, and drops the data in its registers
  set_feature,          // writes `feature_value` to the feature at address `feature` (see nand_features.h)
  get_feature,          // reads it; for foreign initiators
  read_parameter_page,  // reads the die's description of itself (nand/parameter_page.h); for foreign initiators
  copyback_read,        // reads a page into its plane's page register and keeps it there; with `bytes` also data-out
  copyback_program,     // programs the page register to a page of the plane; with `bytes`, data-in replaces part of it
  adjust_voltage,       // merges the states of a wordline and keeps `valid_pages` (nand/coding/merging.h)
};

enum class NandStatus : std::uint8_t {
  pass,
  fail,     // program, erase, adjust_voltage: cells missed their target; suspend: nothing to suspend
  aborted,  // by a reset
};

constexpr bool programs(NandOperation operation) {
  return operation == NandOperation::program || operation == NandOperation::copyback_program;
}

// The number of bits per cell of a block: the device's own, or one. SLC mode is for foreign initiators.
enum class ProgramMode : std::uint8_t { native, slc };

// Subpages: parts of a page with bitlines of their own, so that one operation can read them from different rows.
inline constexpr std::uint32_t subpages_per_page = 4;
inline constexpr std::uint8_t all_subpages = (1 << subpages_per_page) - 1;

// A retry step that stands for the read levels with the fewest errors on the page. No real die knows them; they serve
// to compute bounds.
inline constexpr std::uint8_t best_levels = 0xff;

struct NandCommand {
  NandOperation operation = NandOperation::read;
  NandStatus status = NandStatus::pass;    // set by the die before BEGIN_RESP
  bool more_planes = false;                // only queues its address; a later command of the operation starts the array
  bool cache = false;                      // read: sensed during the data-out of the page before it (ONFI 00h-31h);
                                           // program: the next may be sent while the array works (ONFI 80h-15h)
  bool single_operation = false;           // read: of some subpages, in one operation with other reads of its die
  std::uint8_t subpages = 0;               // single-operation reads: bit k for subpage k
  std::uint8_t retry_step = 0;             // reads: number of a set of read levels; 0 is the default
  std::uint8_t sensing_levels = 1;         // reads: senses of each read level; 1 is a hard read
  std::uint8_t earlier_levels = 0;         // number of these senses made by earlier reads
  ProgramMode mode = ProgramMode::native;  // programs: the first one sets the mode of its block until the erase
  DieInChannel die{0};
  PlaneInDie plane{0};
  BlockInPlane block{0};
  std::uint32_t page = 0;                   // within the block; adjust_voltage: any page of the wordline
  std::uint32_t bytes = 0;                  // transferred over the bus, in or out; 0 for commands without data
  std::uint32_t first_byte = 0;             // offset of these bytes within the page
  std::uint32_t raw_bit_errors = 0;         // reads: errors in these bytes, set by the die; 0 with ideal cells
  std::uint32_t worst_codeword_errors = 0;  // reads: errors in the worst codeword, set by the die
  double misread_probability = 0;           // soft reads: misread probability of a bit, set by the die
  Tick response_time = 0;  // how long the response holds the bus, set with BEGIN_RESP; with END_REQ the
                           // die sets it to tRCBSY for a cache read, tPCBSY for a `cache` program
  // When the cycles of a cache read issued during this read end; 0 if there was none. The channel sends them before
  // this page's data-out, and sets this time.
  Tick cache_read_confirmed = 0;
  // When the die requested the bus, for a response that had to wait for it; set by the channel before BEGIN_RESP.
  // Ignore a time not later than the end of the request: it is left from an earlier use, or the channel sets none.
  Tick bus_asked = 0;
  // The whole page, with its spare bytes if they are kept; null if the simulation keeps no data. Without spare bytes
  // errors cannot be corrected, so the data of a read are then free of errors.
  std::byte* data = nullptr;
  // Reads: raw bit errors of each transferred codeword; copyback_read: of each codeword of the page. Empty if not
  // requested. For soft reads the errors are those of a hard decision at the read level itself, even if no sense is
  // made there because the number of levels is even.
  std::span<std::uint16_t> codeword_errors;
  // Soft reads: for each bit of `data`, spare bytes included, the number of senses that found a 1; empty if not
  // requested. Only the transferred codewords are filled in.
  std::span<std::uint8_t> sensed_ones;
  // The controller's own words in the spare area of the page, beside its parity. Programs store them. Reads return the
  // stored words, cut to the span or padded with ~0; pages without any, and damaged ones, read as ~0. Copyback carries
  // them along, and words given with a copyback_program replace them. The words must exist until the response.
  std::span<std::uint64_t> tag;
  bool background = false;    // work that the device started itself; for observers
  std::uint64_t request = 0;  // first host command that it serves (PageAccess), 0 if none; for observers
  void* owner = nullptr;      // for the initiator's own use
  tlm::tlm_generic_payload* payload = nullptr;  // the payload that carries the command over sockets

  bool bad_block_mark = false;                  // reads: the block is factory-bad; set by the die
  bool erased_page = false;                     // reads: not programmed since its block's erase; set by the die
  bool adjusted_block = false;                  // reads: a wordline of the block was adjusted; set by the die
  std::uint8_t feature = 0;                     // address of a feature
  std::array<std::uint8_t, 4> feature_value{};  // bytes P1 to P4 of the feature
  std::uint8_t valid_pages = 0;                 // adjust_voltage: bit p for the page of type p
  std::uint16_t program_step_mv = 0;            // programs: ISPP step; 0 for the device's own

  // Reads: the number of senses of each read level that this command makes.
  std::uint32_t new_levels() const { return sensing_levels - earlier_levels; }
};

// Whether BEGIN_RESP comes at the end of the command's own cycles, where the initiator completes it.
constexpr bool answered_at_once(NandOperation operation) {
  return operation == NandOperation::suspend || operation == NandOperation::resume ||
         operation == NandOperation::reset || operation == NandOperation::set_feature;
}

// Whether the command is a cache read. Its BEGIN_REQ reaches the die at once and takes no bus time; the channel sends
// the command's cycles later, just before the data-out of the previous read.
constexpr bool is_cache_read(const NandCommand& command) {
  return command.cache && command.operation == NandOperation::read;
}

// Whether the request ends with a separate END_REQ. A cache read is accepted in the call of BEGIN_REQ; for a command
// answered at once, BEGIN_RESP implies the end.
constexpr bool request_ends_by_itself(const NandCommand& command) {
  return !is_cache_read(command) && !answered_at_once(command.operation);
}

// Whether the initiator completes the command in the call of BEGIN_RESP, so that the response takes no time on the bus.
constexpr bool completed_in_the_call(const NandCommand& command) {
  return answered_at_once(command.operation) || command.status == NandStatus::aborted;
}

// Returns text such as "read die 3 plane 0 block 17 page 5", for histories and messages.
std::string to_string(NandOperation operation);
std::string to_string(const NandCommand& command);

}  // namespace nandscape
