// SPDX-License-Identifier: Apache-2.0
// The records of a trace file, one after another, without a copy of each: lines of a text, structures of a binary file.
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

  // The next record, false at the end. Its bytes stay valid until the next call. Throws InputError where the file
  // cannot be read or ends within a record.
  virtual bool next(std::string_view& record) = 0;

  // An error that tells what is wrong with the latest record and where it stands.
  virtual InputError error(const std::string& what) const = 0;

  // A record as a message quotes it.
  virtual std::string quoted(std::string_view record) const = 0;
};

// The reader of the records of `format` in the file.
std::unique_ptr<RecordReader> open_records(const std::string& path, TraceFormat& format);

}  // namespace nandscape::host
