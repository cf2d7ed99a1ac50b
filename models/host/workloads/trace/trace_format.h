// SPDX-License-Identifier: Apache-2.0
// Interface of trace formats. A format decodes records, which are lines of text or binary structures. Formats do not
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
  std::uint64_t time_ns = 0;  // on the clock of the recorder; only differences of times are used
  RequestKind kind = RequestKind::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  std::string_view device;  // as spelled in the trace; valid until the next record is decoded
};

class TraceFormat {
 public:
  virtual ~TraceFormat() = default;

  // Decodes the next record of the file. Returns false if the record is not a request, for example a header or another
  // event. Throws MalformedRecord if the record does not match the format. Call for all records in the order of the
  // file, because a header describes the records after it.
  [[nodiscard]] virtual bool decode(std::string_view bytes, TraceRecord& record) = 0;

  // Returns a pattern of a valid record, for messages.
  virtual std::string_view expected() const = 0;

  // Returns the number of bytes at the start of a record that determine the length of the record. Returns 0 for text
  // formats, whose records are lines.
  virtual std::size_t head_bytes() const { return 0; }

  // Returns the length of the record that begins with the bytes `head`, at least head_bytes(). `head` contains
  // head_bytes() bytes. Throws MalformedRecord if no record begins with these bytes. Called for each record before
  // decode().
  virtual std::size_t record_bytes(std::string_view head) { return head.size(); }

  // Returns true if the records have times. Valid only after the first record has been decoded.
  virtual bool has_times() const { return true; }

  // Returns the reason why `records`, the first records of a file, are not of this format. Returns an empty string if
  // they are. May be called only on a new object.
  virtual std::string objection(const std::vector<std::string>& records);

  // Returns a message for a trace without requests. The message names the other records that the trace contains, and
  // the setting with which they count as requests. Returns an empty string if there are no other records.
  virtual std::string substitute() const { return {}; }
};

// The registry of formats. The constructor of a format is passed the path of the file that the format will decode.
using TraceFormatRegistry = Registry<TraceFormat, const std::string&>;

// Returns the registry, which contains msr, spc, ascii and others, and `auto`, which detects the format of the file.
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
