// SPDX-License-Identifier: Apache-2.0
// Formats of recorded traces. A format decodes records, which are lines of text or binary structures. It does not
// depend on files, capacities or simulated time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry.h"
#include "host/workloads/workload.h"

namespace nandscape::host {

struct TraceRecord {
  std::uint64_t time_ns = 0;  // on the recorder's clock; only differences matter
  RequestKind kind = RequestKind::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  std::string_view device;  // as spelt in the trace; valid until the next record is decoded
};

class TraceFormat {
 public:
  virtual ~TraceFormat() = default;

  // Decodes the next record of the file. Returns false if the record is not a request, but a header or another event.
  // Throws MalformedRecord. Call in the order of the file, since headers describe the records after them.
  [[nodiscard]] virtual bool decode(std::string_view bytes, TraceRecord& record) = 0;

  // A pattern of a record, for messages.
  virtual std::string_view expected() const = 0;

  // Binary formats: the number of bytes at the front of a record that determine its length. Text formats: 0, since a
  // record is a line.
  virtual std::size_t head_bytes() const { return 0; }

  // Length of the record that begins with `head`, which has head_bytes() bytes; at least head_bytes(). Throws
  // MalformedRecord if no record begins with these bytes. Called for each record before decode().
  virtual std::size_t record_bytes(std::string_view head) { return head.size(); }

  // Whether records have times; valid after the first record was decoded.
  virtual bool has_times() const { return true; }

  // The reason why `records`, the first of a file, are not of this format; empty if they are. Call on a new object.
  virtual std::string objection(const std::vector<std::string>& records);

  // For a trace without requests: a message that says which records the trace has instead, and with which setting they
  // count as requests. Empty if it has no other records.
  virtual std::string substitute() const { return {}; }
};

// Formats are made with the path of the file that they will decode.
using TraceFormatRegistry = Registry<TraceFormat, const std::string&>;

// msr, spc, ascii, ..., and `auto`, which detects the format of the file.
TraceFormatRegistry& trace_formats();

void register_automatic(TraceFormatRegistry& formats);
void register_msr(TraceFormatRegistry& formats);
void register_spc(TraceFormatRegistry& formats);
void register_ascii(TraceFormatRegistry& formats);
void register_disksim(TraceFormatRegistry& formats);
void register_fio(TraceFormatRegistry& formats);
void register_blkparse(TraceFormatRegistry& formats);
void register_csv(TraceFormatRegistry& formats);
void register_alibaba(TraceFormatRegistry& formats);
void register_tencent(TraceFormatRegistry& formats);
void register_systor17(TraceFormatRegistry& formats);
void register_fiu(TraceFormatRegistry& formats);
void register_vscsi(TraceFormatRegistry& formats);
void register_oracle_general(TraceFormatRegistry& formats);
void register_blktrace(TraceFormatRegistry& formats);

}  // namespace nandscape::host
