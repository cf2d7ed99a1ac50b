// SPDX-License-Identifier: Apache-2.0
// The errors that a user can correct. Each message says what was wrong, where, and what would be right.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/message_text.h"

namespace nandscape {

// A location in a user's input: a file with a line number (0 for the whole file), or the name of another source, for
// example "--set" or "Python".
struct SourceLocation {
  std::string file;
  int line = 0;

  std::string text() const { return line > 0 ? file + ":" + std::to_string(line) : file; }
};

// Base class of all errors that are caused by the input and not by a bug in the program. The command line exits with
// status 2 on these errors.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(message_text(what)) {}
};

// Thrown when a configuration cannot be used, for example because of an unknown key, a value out of range, or values
// that contradict each other.
class ConfigError : public Error {
 public:
  // `path` is the full path of the key, for example "nand.timing.t_prog_us".
  ConfigError(const SourceLocation& where, std::string path, const std::string& what)
      : Error((where.file.empty() ? "" : where.text() + ": ") +
              (path.empty() ? "" : printable(path, longest_path) + ": ") + what),
        where_(where),
        path_(std::move(path)),
        complaint_(what) {}
  const SourceLocation& where() const { return where_; }
  const std::string& path() const { return path_; }
  // The description of the error without the location and the key's path.
  const std::string& complaint() const { return complaint_; }

 private:
  static constexpr std::size_t longest_path = 200;

  SourceLocation where_;
  std::string path_;
  std::string complaint_;
};

// Thrown when a trace or another input file cannot be read. The message gives the line number, the line, and the text
// that was expected.
class InputError : public Error {
 public:
  InputError(const SourceLocation& where, const std::string& what) : Error(where.text() + ": " + what) {}
};

// Thrown when the device cannot carry out a request, for example because the address exceeds the capacity, the buffer
// has the wrong size, or the device failed.
class RequestError : public Error {
 public:
  // `status` is the outcome in one word, for example "refused" if the request never reached the device.
  explicit RequestError(const std::string& what, std::string status = "refused")
      : Error(what), status_(std::move(status)) {}
  const std::string& status() const { return status_; }

 private:
  std::string status_;
};

// Thrown when a caller uses a block in a way that the block's protocol forbids. This is always a bug in the caller.
class ProtocolError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace nandscape
