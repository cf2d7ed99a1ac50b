// SPDX-License-Identifier: Apache-2.0
// Formats of recorded traces. A format decodes lines and knows nothing of files, capacities or simulated time.
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
  std::string_view device;  // as spelt in the trace; valid as long as the line is
};

class TraceFormat {
 public:
  virtual ~TraceFormat() = default;

  // Decodes the next line of the file; false when it holds no request: a header, an event of another kind. Throws
  // MalformedLine. Lines come in the order of the file, because headers say what follows.
  virtual bool decode(std::string_view line, TraceRecord& record) = 0;

  // What a line looks like, for messages.
  virtual std::string_view expected() const = 0;

  // Whether records carry times, once the first of them was decoded.
  virtual bool has_times() const { return true; }

  // Why `lines`, the first of a file, are not of this format; empty when they are. Asked of a new object.
  virtual std::string objection(const std::vector<std::string>& lines);
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

}  // namespace nandscape::host
