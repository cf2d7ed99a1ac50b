// SPDX-License-Identifier: Apache-2.0
// NVM Express 1.4 as the host sees it: registers, queue entries, opcodes, status codes and the data structures of the
// admin commands. Names follow the fields of the specification; all structures are little-endian with natural
// alignment.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace nandscape::nvme {

// ---- Controller registers (BAR0) ----

namespace reg {
inline constexpr std::uint32_t cap = 0x00;    // Controller Capabilities, 8 bytes
inline constexpr std::uint32_t vs = 0x08;     // Version
inline constexpr std::uint32_t intms = 0x0c;  // Interrupt Mask Set
inline constexpr std::uint32_t intmc = 0x10;  // Interrupt Mask Clear
inline constexpr std::uint32_t cc = 0x14;     // Controller Configuration
inline constexpr std::uint32_t csts = 0x1c;   // Controller Status
inline constexpr std::uint32_t nssr = 0x20;   // NVM Subsystem Reset
inline constexpr std::uint32_t aqa = 0x24;    // Admin Queue Attributes
inline constexpr std::uint32_t asq = 0x28;    // Admin Submission Queue Base Address, 8 bytes
inline constexpr std::uint32_t acq = 0x30;    // Admin Completion Queue Base Address, 8 bytes
inline constexpr std::uint32_t doorbells = 0x1000;

// The doorbells if CAP.DSTRD is 0: the tail doorbell of submission queue y, and the head doorbell of completion queue
// y.
constexpr std::uint32_t submission_tail(std::uint32_t y) { return doorbells + (2 * y) * 4; }
constexpr std::uint32_t completion_head(std::uint32_t y) { return doorbells + (2 * y + 1) * 4; }

// The MSI-X table has 16 bytes per vector. A device may place it anywhere in a BAR. The pending bit array, with one bit
// per vector, is in a separate page after the table.
inline constexpr std::uint32_t msix_table = 0x3000;
inline constexpr std::uint32_t msix_pending = 0x4000;
inline constexpr std::uint32_t bar_bytes = 0x8000;
}  // namespace reg

inline constexpr std::uint32_t subsystem_reset_signature = 0x4e56'4d65;  // "NVMe", written to NSSR

inline constexpr std::uint32_t version_1_4 = 0x0001'0400;

namespace cc {
inline constexpr std::uint32_t enable = 1u << 0;
constexpr std::uint32_t memory_page_size(std::uint32_t value) { return (value >> 7) & 0xf; }  // 2^(12 + MPS) bytes
constexpr std::uint32_t arbitration(std::uint32_t value) { return (value >> 11) & 0x7; }      // AMS
constexpr std::uint32_t shutdown(std::uint32_t value) { return (value >> 14) & 0x3; }         // SHN
inline constexpr std::uint32_t shutdown_mask = 0x3u << 14;
inline constexpr std::uint32_t shutdown_normal = 1u << 14;
}  // namespace cc

namespace csts {
inline constexpr std::uint32_t ready = 1u << 0;
inline constexpr std::uint32_t fatal = 1u << 1;
inline constexpr std::uint32_t shutdown_mask = 0x3u << 2;
inline constexpr std::uint32_t shutdown_occurring = 1u << 2;
inline constexpr std::uint32_t shutdown_complete = 2u << 2;
inline constexpr std::uint32_t subsystem_reset_occurred = 1u << 4;  // NSSRO, write 1 to clear
}  // namespace csts

// ---- Queue entries ----

struct SubmissionEntry {
  std::uint8_t opcode = 0;
  std::uint8_t flags = 0;  // FUSE in bits 1:0, PSDT in bits 7:6
  std::uint16_t command_id = 0;
  std::uint32_t nsid = 0;
  std::uint32_t cdw2 = 0;
  std::uint32_t cdw3 = 0;
  std::uint64_t metadata = 0;
  std::uint64_t prp1 = 0;
  std::uint64_t prp2 = 0;
  std::uint32_t cdw10 = 0;
  std::uint32_t cdw11 = 0;
  std::uint32_t cdw12 = 0;
  std::uint32_t cdw13 = 0;
  std::uint32_t cdw14 = 0;
  std::uint32_t cdw15 = 0;
};
static_assert(sizeof(SubmissionEntry) == 64 && offsetof(SubmissionEntry, prp1) == 24 &&
              offsetof(SubmissionEntry, cdw10) == 40);

struct CompletionEntry {
  std::uint32_t dw0 = 0;
  std::uint32_t dw1 = 0;
  std::uint16_t sq_head = 0;
  std::uint16_t sq_id = 0;
  std::uint16_t command_id = 0;
  std::uint16_t status_phase = 0;  // phase tag in bit 0, SC in 8:1, SCT in 11:9, M in 14, DNR in 15
};
static_assert(sizeof(CompletionEntry) == 16 && offsetof(CompletionEntry, status_phase) == 14);

// One range of the command Dataset Management.
struct DatasetRange {
  std::uint32_t context_attributes = 0;
  std::uint32_t length = 0;  // logical blocks
  std::uint64_t start = 0;
};
static_assert(sizeof(DatasetRange) == 16);
inline constexpr std::uint64_t most_dataset_ranges = 256;  // per command

// ---- Opcodes ----

enum class AdminOpcode : std::uint8_t {
  delete_io_sq = 0x00,
  create_io_sq = 0x01,
  get_log_page = 0x02,
  delete_io_cq = 0x04,
  create_io_cq = 0x05,
  identify = 0x06,
  abort = 0x08,
  set_features = 0x09,
  get_features = 0x0a,
  async_event_request = 0x0c,
};

enum class IoOpcode : std::uint8_t {
  flush = 0x00,
  write = 0x01,
  read = 0x02,
  write_zeroes = 0x08,
  dataset_management = 0x09,
};

inline constexpr std::uint32_t force_unit_access = 1u << 30;    // CDW12 of Read, Write and Write Zeroes
inline constexpr std::uint32_t deallocate_attribute = 1u << 2;  // CDW11 of Dataset Management

// ---- Status ----

// The Status Code Type is in bits 10:8, the Status Code in bits 7:0.
enum class Status : std::uint16_t {
  success = 0x000,
  invalid_opcode = 0x001,
  invalid_field = 0x002,
  command_id_conflict = 0x003,
  data_transfer_error = 0x004,
  power_loss = 0x005,
  internal_error = 0x006,
  abort_requested = 0x007,
  aborted_sq_deletion = 0x008,
  invalid_namespace = 0x00b,
  command_sequence_error = 0x00c,
  prp_offset_invalid = 0x013,
  namespace_write_protected = 0x020,
  lba_out_of_range = 0x080,

  completion_queue_invalid = 0x100,
  invalid_queue_identifier = 0x101,
  invalid_queue_size = 0x102,
  async_event_limit_exceeded = 0x105,
  invalid_interrupt_vector = 0x108,
  invalid_log_page = 0x109,
  invalid_queue_deletion = 0x10c,
  feature_not_saveable = 0x10d,
  feature_not_changeable = 0x10e,
  feature_not_namespace_specific = 0x10f,

  write_fault = 0x280,
  unrecovered_read_error = 0x281,
};

constexpr Status status_of(const CompletionEntry& entry) {
  return static_cast<Status>((entry.status_phase >> 1) & 0x7ff);
}
constexpr bool phase_of(const CompletionEntry& entry) { return (entry.status_phase & 1) != 0; }
constexpr std::uint16_t status_field(Status status, bool phase, bool do_not_retry) {
  return static_cast<std::uint16_t>((do_not_retry ? 0x8000 : 0) | (static_cast<unsigned>(status) << 1) |
                                    (phase ? 1 : 0));
}

// ---- Features ----

enum class Feature : std::uint8_t {
  arbitration = 0x01,
  power_management = 0x02,
  temperature_threshold = 0x04,
  error_recovery = 0x05,
  volatile_write_cache = 0x06,
  number_of_queues = 0x07,
  interrupt_coalescing = 0x08,
  interrupt_vector_configuration = 0x09,
  write_atomicity = 0x0a,
  async_event_configuration = 0x0b,
  autonomous_power_state_transition = 0x0c,
  host_memory_buffer = 0x0d,
};

// Bits of CDW11 of Set Features, Host Memory Buffer: EHM and MR.
inline constexpr std::uint32_t host_buffer_enable = 1u << 0;
inline constexpr std::uint32_t host_buffer_returned = 1u << 1;

// A range of the host memory buffer.
struct HostBufferDescriptor {
  std::uint64_t badd = 0;   // address
  std::uint32_t bsize = 0;  // in memory pages
  std::uint32_t reserved12 = 0;
};
static_assert(sizeof(HostBufferDescriptor) == 16);

// The data of Get Features, Host Memory Buffer.
struct HostBufferAttributes {
  std::uint32_t hsize = 0;   // in memory pages
  std::uint32_t hmdlal = 0;  // address of the list of descriptors
  std::uint32_t hmdlau = 0;
  std::uint32_t hmdlec = 0;  // entries of the list
  std::array<std::uint8_t, 4080> reserved16{};
};
static_assert(sizeof(HostBufferAttributes) == 4096);

// ---- Data of the admin commands ----

enum class LogPage : std::uint8_t { error_information = 0x01, smart = 0x02, firmware_slot = 0x03 };

// Command Set Identifier (CSI) of the NVM command set. It was introduced by NVM Express 2.0.
inline constexpr std::uint8_t nvm_command_set = 0x00;

// Values of the field CNS of the command Identify. The values from command_set_namespace on were introduced by NVM
// Express 2.0. For these, CDW11 contains the CSI in bits 31:24.
enum class IdentifyWhat : std::uint8_t {
  identify_namespace = 0x00,
  controller = 0x01,
  active_namespaces = 0x02,
  namespace_descriptors = 0x03,
  command_set_namespace = 0x05,
  command_set_controller = 0x06,
  command_set_combinations = 0x1c,
};

struct PowerStateDescriptor {
  std::uint16_t mp = 0;
  std::uint8_t reserved2 = 0;
  std::uint8_t flags = 0;   // MXPS in bit 0, NOPS in bit 1
  std::uint32_t enlat = 0;  // us
  std::uint32_t exlat = 0;  // us
  std::uint8_t rrt = 0;
  std::uint8_t rrl = 0;
  std::uint8_t rwt = 0;
  std::uint8_t rwl = 0;
  std::uint16_t idlp = 0;
  std::uint8_t ips = 0;  // IPS in bits 7:6
  std::uint8_t reserved19 = 0;
  std::uint16_t actp = 0;
  std::uint8_t aps = 0;  // APW in bits 2:0, APS in bits 7:6
  std::array<std::uint8_t, 9> reserved23{};
};
static_assert(sizeof(PowerStateDescriptor) == 32 && offsetof(PowerStateDescriptor, idlp) == 16);
inline constexpr std::size_t most_power_states = 32;

struct IdentifyController {
  std::uint16_t vid = 0;
  std::uint16_t ssvid = 0;
  std::array<char, 20> serial_number{};
  std::array<char, 40> model_number{};
  std::array<char, 8> firmware_revision{};
  std::uint8_t rab = 0;
  std::array<std::uint8_t, 3> ieee{};
  std::uint8_t cmic = 0;
  std::uint8_t mdts = 0;
  std::uint16_t cntlid = 0;
  std::uint32_t ver = 0;
  std::array<std::uint8_t, 27> reserved84{};
  std::uint8_t cntrltype = 0;
  std::array<std::uint8_t, 144> reserved112{};
  std::uint16_t oacs = 0;
  std::uint8_t acl = 0;
  std::uint8_t aerl = 0;
  std::uint8_t frmw = 0;
  std::uint8_t lpa = 0;
  std::uint8_t elpe = 0;
  std::uint8_t npss = 0;
  std::uint8_t avscc = 0;
  std::uint8_t apsta = 0;
  std::uint16_t wctemp = 0;
  std::uint16_t cctemp = 0;
  std::uint16_t mtfa = 0;
  std::uint32_t hmpre = 0;
  std::uint32_t hmmin = 0;
  std::array<std::uint64_t, 2> tnvmcap{};
  std::array<std::uint64_t, 2> unvmcap{};
  std::array<std::uint8_t, 200> reserved312{};
  std::uint8_t sqes = 0;
  std::uint8_t cqes = 0;
  std::uint16_t maxcmd = 0;
  std::uint32_t nn = 0;
  std::uint16_t oncs = 0;
  std::uint16_t fuses = 0;
  std::uint8_t fna = 0;
  std::uint8_t vwc = 0;
  std::uint16_t awun = 0;
  std::uint16_t awupf = 0;
  std::array<std::uint8_t, 238> reserved530{};
  std::array<char, 256> subnqn{};
  std::array<std::uint8_t, 1024> reserved1024{};
  std::array<PowerStateDescriptor, most_power_states> power_states{};
  std::array<std::uint8_t, 1024> vendor_specific{};
};
static_assert(sizeof(IdentifyController) == 4096 && offsetof(IdentifyController, mdts) == 77 &&
              offsetof(IdentifyController, cntrltype) == 111 && offsetof(IdentifyController, oacs) == 256 &&
              offsetof(IdentifyController, hmpre) == 272 && offsetof(IdentifyController, tnvmcap) == 280 &&
              offsetof(IdentifyController, sqes) == 512 && offsetof(IdentifyController, vwc) == 525 &&
              offsetof(IdentifyController, subnqn) == 768 && offsetof(IdentifyController, power_states) == 2048);

struct IdentifyNamespace {
  std::uint64_t nsze = 0;
  std::uint64_t ncap = 0;
  std::uint64_t nuse = 0;
  std::uint8_t nsfeat = 0;
  std::uint8_t nlbaf = 0;
  std::uint8_t flbas = 0;
  std::array<std::uint8_t, 6> reserved27{};
  std::uint8_t dlfeat = 0;
  std::array<std::uint8_t, 14> reserved34{};
  std::array<std::uint64_t, 2> nvmcap{};
  std::uint16_t npwg = 0;
  std::uint16_t npwa = 0;
  std::uint16_t npdg = 0;
  std::uint16_t npda = 0;
  std::uint16_t nows = 0;
  std::array<std::uint8_t, 30> reserved74{};
  std::array<std::uint8_t, 16> nguid{};
  std::array<std::uint8_t, 8> eui64{};
  std::array<std::uint32_t, 16> lbaf{};  // MS in 15:0, LBADS in 23:16
  std::array<std::uint8_t, 3904> reserved192{};
};
static_assert(sizeof(IdentifyNamespace) == 4096 && offsetof(IdentifyNamespace, dlfeat) == 33 &&
              offsetof(IdentifyNamespace, npwg) == 64 && offsetof(IdentifyNamespace, nguid) == 104 &&
              offsetof(IdentifyNamespace, lbaf) == 128);

struct ErrorInformation {
  std::uint64_t error_count = 0;
  std::uint16_t sq_id = 0;
  std::uint16_t command_id = 0;
  std::uint16_t status_field = 0;
  std::uint16_t parameter_error_location = 0xffff;
  std::uint64_t lba = 0;
  std::uint32_t nsid = 0;
  std::array<std::uint8_t, 36> reserved28{};
};
static_assert(sizeof(ErrorInformation) == 64);

// 128-bit counters, low half first.
using Counter128 = std::array<std::uint64_t, 2>;

#pragma pack(push, 1)
struct SmartLog {
  std::uint8_t critical_warning = 0;
  std::uint16_t composite_temperature = 0;  // kelvin
  std::uint8_t available_spare = 100;
  std::uint8_t available_spare_threshold = 10;
  std::uint8_t percentage_used = 0;
  std::array<std::uint8_t, 26> reserved6{};
  Counter128 data_units_read{};  // thousands of 512-byte units, rounded up
  Counter128 data_units_written{};
  Counter128 host_read_commands{};
  Counter128 host_write_commands{};
  Counter128 controller_busy_minutes{};
  Counter128 power_cycles{};
  Counter128 power_on_hours{};
  Counter128 unsafe_shutdowns{};
  Counter128 media_errors{};
  Counter128 error_log_entries{};
  std::array<std::uint8_t, 24> reserved192{};
  // How often the drive began to throttle at the thermal management temperatures TMT1 and TMT2, and for how many
  // seconds it throttled.
  std::uint32_t thermal_1_transitions = 0;
  std::uint32_t thermal_2_transitions = 0;
  std::uint32_t thermal_1_seconds = 0;
  std::uint32_t thermal_2_seconds = 0;
  std::array<std::uint8_t, 280> reserved232{};
};
#pragma pack(pop)
static_assert(sizeof(SmartLog) == 512 && offsetof(SmartLog, data_units_read) == 32 &&
              offsetof(SmartLog, thermal_1_transitions) == 216 && offsetof(SmartLog, reserved232) == 232);

struct FirmwareSlotLog {
  std::uint8_t active = 0;
  std::array<std::uint8_t, 7> reserved1{};
  std::array<std::array<char, 8>, 7> revisions{};
  std::array<std::uint8_t, 448> reserved64{};
};
static_assert(sizeof(FirmwareSlotLog) == 512);

// Returns dword 0 of the completion of an Asynchronous Event Request.
constexpr std::uint32_t async_event(std::uint32_t type, std::uint32_t information, LogPage page) {
  return type | (information << 8) | (static_cast<std::uint32_t>(page) << 16);
}
inline constexpr std::uint32_t async_error = 0;  // types of events
inline constexpr std::uint32_t async_smart = 1;
inline constexpr std::uint32_t error_invalid_doorbell_register = 0;  // information of events, by type
inline constexpr std::uint32_t error_invalid_doorbell_value = 1;
inline constexpr std::uint32_t smart_reliability = 0;
inline constexpr std::uint32_t smart_temperature_threshold = 1;
inline constexpr std::uint32_t smart_spare_below_threshold = 2;

// Bits of the critical warning in the SMART log. The same bits of the Asynchronous Event Configuration enable events
// for these warnings.
namespace warning {
inline constexpr std::uint8_t spare_below_threshold = 1u << 0;
inline constexpr std::uint8_t temperature = 1u << 1;
inline constexpr std::uint8_t reliability_degraded = 1u << 2;
inline constexpr std::uint8_t read_only = 1u << 3;
}  // namespace warning

}  // namespace nandscape::nvme
