// SPDX-License-Identifier: Apache-2.0
// Formats of recorded traces. A format decodes records, lines of a text or structures of bytes, and knows nothing of
// files, capacities or simulated time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry.h"
#include "host/workloads/workload.h"

namespace nandscape::host {

struct TraceRecord {
  std::uint64_t time_ns = 0;  // on the clock of the recorder; only differences matter
  RequestKind kind = RequestKind::read;
  std::uint64_t offset_bytes = 0;
  std::uint64_t size_bytes = 0;
  std::string_view device;  // as spelt in the trace; valid until the next record is decoded
};

class TraceFormat {
 public:
  virtual ~TraceFormat() = default;

  // Decodes the next record of the file; false when it holds no request: a header, an event of another kind. Throws
  // MalformedRecord. They come in the order of the file, because headers say what follows.
  virtual bool decode(std::string_view bytes, TraceRecord& record) = 0;

  // What a record looks like, for messages.
  virtual std::string_view expected() const = 0;

  // Binary formats: how many bytes at the front of a record tell its length. 0: the trace is text, its records lines.
  virtual std::size_t head_bytes() const { return 0; }

  // The length of the record, not less than head_bytes(), that begins with so many bytes. Throws MalformedRecord on
  // bytes that begin none. Asked of each record before it is decoded.
  virtual std::size_t record_bytes(std::string_view head) { return head.size(); }

  // Whether records carry times, once the first of them was decoded.
  virtual bool has_times() const { return true; }

  // Why `records`, the first of a file, are not of this format; empty when they are. Asked of a new object.
  virtual std::string objection(const std::vector<std::string>& records);

  // Of a trace without a request, once all of it was decoded: what it has in their place, and how to come by requests.
  virtual std::string substitute() const { return {}; }
};

// Formats are made with the path of the file that they are going to decode.
using TraceFormatRegistry = Registry<TraceFormat, const std::string&>;

// msr, spc, ascii, ..., and `auto`, which looks at the file.
const TraceFormatRegistry& trace_formats();

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
