// SPDX-License-Identifier: Apache-2.0
// Reads the records of a trace file one after another, without copying them: the lines of a text file or the structures
// of a binary file.
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

  // Gives the next record, or returns false at the end. Its bytes are valid until the next call. Throws InputError if
  // the file cannot be read or ends within a record.
  [[nodiscard]] virtual bool next(std::string_view& record) = 0;

  // Makes an error about the latest record, with its place in the file.
  virtual InputError error(const std::string& what) const = 0;

  // Quotes a record for a message.
  virtual std::string quoted(std::string_view record) const = 0;
};

// Opens a reader for records of `format`, which must outlive it.
std::unique_ptr<RecordReader> open_records(const std::string& path, TraceFormat& format);

}  // namespace nandscape::host
