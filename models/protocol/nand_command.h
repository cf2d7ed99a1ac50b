// SPDX-License-Identifier: Apache-2.0
// The contract between the flash scheduler, the channel and the dies. A NandCommand is one command to one plane of one
// die.
//
// On a TLM socket, the phases of the payload represent the use of the bus:
//   BEGIN_REQ  .. END_REQ     command and address cycles, and data-in of a program
//   END_REQ    .. BEGIN_RESP  array operation (tR, tPROG, tBERS) and the wait for the bus
//   BEGIN_RESP .. END_RESP    data-out of a read, status cycles of a program or erase
// The initiator ends the response by sending END_RESP at `response_time` after BEGIN_RESP. For commands without data
// and status cycles (suspend, resume, reset, set_feature), the die sends BEGIN_RESP at the end of the command cycles.
// The initiator completes these commands in the call of BEGIN_RESP, and the die accepts the next command
// `response_time` later.
//
// A multi-plane operation consists of one command per plane, each with its own phases, as on an ONFI bus. All commands
// except for the last one set `more_planes` (confirm cycle 32h, 11h or D1h), which means that they only queue their
// address. The last command starts the array operation for all planes. A single-operation multiple-location read (SOML)
// consists of several reads in the same way. Each of them reads some subpages of a page. All of these reads set
// `single_operation`, and all except for the last one set `more_planes`. Several of them may address the same plane.
//
// A read with `independent` occupies only its plane (asynchronous independent plane read). While it is under way, the
// die accepts such reads of its other planes, at any block and page, and no other operation. Each of these reads has
// its own array time and its own phases. The die begins the response of one read at a time, in the order in which the
// arrays have ended. Geometry::independent_plane_reads tells whether dies accept such reads.
//
// A program with `cache` (ONFI 80h-15h) moves its data from the cache register to the page register within tPCBSY. Then
// the cache register is free for the next program, whose BEGIN_REQ may be sent while the array is busy. The data of the
// next program wait in the cache register until the array has finished and BEGIN_RESP .. END_RESP have reported the
// status of the previous program. Each program has its own status, and its array time begins when that of the previous
// program ends. A sequence of cache programs ends with a program without `cache`, or simply with the last program. A
// die whose cache register is full cannot be suspended, because reads need this register for their data-out. In a
// multi-plane operation, all commands set `cache`.
//
// A die whose cells are programmed in two passes (nand.timing.program_passes) is sent the pages of a wordline twice.
// The first pass programs the cells coarsely. The second pass follows the first pass of the next wordline, or of the
// last wordline of the block, so that the next wordline shifts the cells before they get their final voltages. Between
// the passes, the pages cannot be read: about half of their bits are wrong. A wordline whose second pass is left out
// stays so. In SLC mode there is one pass.
//
// A reset aborts all work of its die. For each command whose response has not begun, the die sends BEGIN_RESP with the
// status `aborted`, before it sends BEGIN_RESP for the reset. The initiator completes the aborted commands in this
// call, and they do not use the bus. They include a program that has ended but whose status was not read. Its result is
// not reported.
//
// A soft read senses each read level `sensing_levels` times, at voltages that are evenly spaced around the level. This
// multiplies the array time and the number of senses. For each bit of the page, the die outputs the number of senses
// that read a 1. This number has ceil(log2(sensing_levels + 1)) bits (sensing_levels.h), so the duration of data-out is
// multiplied by this factor. [Zhao 2013, "LDPC-in-SSD"] is based on the same costs of finer sensing in array time and
// bus time. As in that paper, a read may continue an earlier read of the same page whose results the controller has
// stored (`earlier_levels`). Then only the additional senses are made and output. The model assumes that all levels
// together contain as much information as evenly spaced levels. A real die could only place the additional levels as
// well as possible around the earlier ones.
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
  reset,                // aborts all work of the die and discards the data in its registers
  set_feature,          // writes `feature_value` to the feature at address `feature` (see nand_features.h)
  get_feature,          // reads a feature; for external initiators
  read_parameter_page,  // reads the ONFI parameter page (nand/parameter_page.h); for external initiators
  copyback_read,        // reads a page into the page register of its plane; data-out only of `bytes` and a `tag`
  copyback_program,     // programs the page register to a page; data-in of `bytes` and a `tag` replaces a part of it
  adjust_voltage,       // merges states of a wordline; only `valid_pages` stay readable (nand/coding/merging.h)
};

enum class NandStatus : std::uint8_t {
  pass,
  fail,     // program, erase, adjust_voltage: cells missed their target; suspend: no operation to suspend
  aborted,  // a reset aborted the command
};

constexpr bool programs(NandOperation operation) {
  return operation == NandOperation::program || operation == NandOperation::copyback_program;
}

// The number of bits per cell in a block: that of the native coding, or one. Our controller uses only the native mode.
// SLC mode is for external initiators.
enum class ProgramMode : std::uint8_t { native, slc };

// The pass of a program: the first one, which is the only one on dies that program their cells in one pass, or the
// second one, which programs the wordline again.
enum class ProgramPass : std::uint8_t { first, again };

// The number of subpages in a page. A subpage is a part of a page that has separate bitlines, so one operation can read
// different subpages from different rows.
inline constexpr std::uint32_t subpages_per_page = 4;
inline constexpr std::uint8_t all_subpages = (1 << subpages_per_page) - 1;

// A retry step that stands for the read levels with the fewest errors on the page. No real die knows them; they serve
// to compute bounds.
inline constexpr std::uint8_t best_levels = 0xff;

// Reads use the members up to `tag` more often than the members behind it.
struct NandCommand {
  NandOperation operation = NandOperation::read;
  NandStatus status = NandStatus::pass;        // set by the die before BEGIN_RESP
  bool more_planes = false;                    // only queues the address; a later command starts the array
  bool cache = false;                          // read: sensed during the data-out of the previous page (ONFI 00h-31h);
                                               // program: the next one may be sent while the array is busy (80h-15h)
  bool single_operation = false;               // reads some subpages, in one operation with other reads of the die
  bool independent = false;                    // read: occupies only its plane, beside such reads of the other planes
  std::uint8_t subpages = 0;                   // reads with single_operation: bit k is set for subpage k
  std::uint8_t retry_step = 0;                 // reads: index of a set of read levels; 0 is the default set
  std::uint8_t sensing_levels = 1;             // reads: number of senses at each read level; 1 is a hard read
  std::uint8_t earlier_levels = 0;             // how many of these senses were made by earlier reads
  ProgramMode mode : 4 = ProgramMode::native;  // programs: the first one sets the mode of the block until the erase
  ProgramPass pass : 4 = ProgramPass::first;   // programs
  std::uint8_t feature = 0;                    // address of a feature
  DieInChannel die{0};
  PlaneInDie plane{0};
  BlockInPlane block{0};
  std::uint32_t page = 0;                   // page number in the block; adjust_voltage: any page of the wordline
  std::uint32_t bytes = 0;                  // bytes transferred over the bus, in or out; 0 for commands without data
  std::uint32_t first_byte = 0;             // offset of these bytes in the page
  std::uint32_t raw_bit_errors = 0;         // reads: errors in these bytes, set by the die; 0 with ideal cells
  std::uint32_t worst_codeword_errors = 0;  // reads: errors in the worst codeword, set by the die
  bool bad_block_mark = false;              // reads: the block was bad when the die was made; set by the die
  bool erased_page = false;                 // reads: not programmed since the block was erased; set by the die
  bool adjusted_block = false;              // reads: a wordline of the block was adjusted; set by the die
  bool slc_block = false;                   // reads of tags: the block is in SLC mode; set by the die
  double misread_probability = 0;           // soft reads: probability that a bit is misread, set by the die
  Tick response_time = 0;  // duration for which the response occupies the bus, set with BEGIN_RESP; in END_REQ of a
                           // cache read the die sets it to tRCBSY, in END_REQ of a cache program to tPCBSY
  // The time at which the cycles of a cache read end that was issued during this read, or 0 if there is none. The
  // channel sends these cycles before the data-out of this page, and sets this time.
  Tick cache_read_confirmed = 0;
  // The whole page. It includes the spare bytes if they are stored. The pointer is null if the simulation stores no
  // data. Without the spare bytes, errors could not be corrected, so the data of a read are free of errors in this
  // case.
  std::byte* data = nullptr;
  // Reads: receives the number of raw bit errors of each transferred codeword. copyback_read: of each codeword of the
  // page. The span is empty if the errors are not requested. For soft reads, the errors are those of a hard decision at
  // the read level itself, even if there is no sense at this level because the number of levels is even.
  std::span<std::uint16_t> codeword_errors;
  // Words that the controller stores in the spare area of the page, next to the parity. A program stores them with the
  // page. A read returns the stored words. If their number differs from the size of the span, the rest is dropped or
  // filled with ~0. Pages without a tag, and damaged pages, are read as ~0. A copyback moves the words together with
  // the page, unless the copyback_program contains new words, which may be its only data-in. The words must exist until
  // the response.
  std::span<std::uint64_t> tag;
  // The time at which the die requested the bus for a response that had to wait for the bus. The channel sets it before
  // BEGIN_RESP. If the time is not later than the end of the request, it must be ignored: it is from an earlier use of
  // the command, or the channel does not set the time.
  Tick bus_asked = 0;
  tlm::tlm_generic_payload* payload = nullptr;  // the payload with which the command is sent through sockets
  void* owner = nullptr;                        // for the initiator's own use
  std::uint16_t program_step_mv = 0;            // programs: ISPP step; 0 for the default step of the device
  std::uint8_t valid_pages = 0;                 // adjust_voltage: bit p is set if the page of type p is valid
  std::array<std::uint8_t, 4> feature_value{};  // bytes P1 to P4 of the feature
  bool background = false;                      // work that was started by the device itself; for observers
  std::uint64_t request = 0;                    // number of the first host command that is served, or 0; for observers
  // Soft reads: receives, for each bit of `data` including the spare bytes, the number of senses that read a 1. Only
  // the bits of the transferred codewords are set. The span is empty if these numbers are not requested.
  std::span<std::uint8_t> sensed_ones;

  // Returns whether the command neither is a part of an operation of several commands, nor overlaps another command.
  bool alone() const { return (more_planes | cache | single_operation | independent) == 0; }
  // Reads: returns the number of senses at each read level that this command makes.
  std::uint32_t new_levels() const { return sensing_levels - earlier_levels; }
};

// Returns true if the die sends BEGIN_RESP at the end of the command's own cycles. The initiator completes such a
// command in this call.
constexpr bool answered_at_once(NandOperation operation) {
  return operation == NandOperation::suspend || operation == NandOperation::resume ||
         operation == NandOperation::reset || operation == NandOperation::set_feature;
}

// Returns true if the command is a cache read. Its BEGIN_REQ reaches the die at once and does not use the bus. The
// channel sends the cycles of the command later, just before the data-out of the previous read.
constexpr bool is_cache_read(const NandCommand& command) {
  return command.cache && command.operation == NandOperation::read;
}

// Returns true if a separate END_REQ ends the request. A cache read is accepted in the call of BEGIN_REQ. For the
// commands of answered_at_once(), BEGIN_RESP also ends the request.
constexpr bool request_ends_by_itself(const NandCommand& command) {
  return !is_cache_read(command) && !answered_at_once(command.operation);
}

// Returns true if the initiator completes the command in the call of BEGIN_RESP. The response of such a command does
// not use the bus.
constexpr bool completed_in_the_call(const NandCommand& command) {
  return answered_at_once(command.operation) || command.status == NandStatus::aborted;
}

// Returns a description for histories and messages, for example "read die 3 plane 0 block 17 page 5".
std::string to_string(NandOperation operation);
std::string to_string(const NandCommand& command);

}  // namespace nandscape
