// SPDX-License-Identifier: Apache-2.0
// Reads the records of a trace file one after another. A record is a line of a text file or a structure of a binary
// file. Records are not copied.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/error.h"

namespace nandscape::host {

class TraceFormat;

class RecordReader {
 public:
  virtual ~RecordReader() = default;

  // Stores the next record in `record`, or returns false at the end of the file. The bytes are valid until the next
  // call. Throws InputError if the file cannot be read or ends within a record.
  [[nodiscard]] virtual bool next(std::string_view& record) = 0;

  // Makes an error about the latest record, which contains the record's position in the file.
  virtual InputError error(const std::string& what) const = 0;

  // Quotes a record for a message.
  virtual std::string quoted(std::string_view record) const = 0;
};

// Opens a reader for records of `format`. The format must outlive the reader.
std::unique_ptr<RecordReader> open_records(const std::string& path, TraceFormat& format);

}  // namespace nandscape::host
