// SPDX-License-Identifier: Apache-2.0
// Errors that a user can act on. Each says what was wrong, where, and what would be right.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/message_text.h"

namespace nandscape {

// A place in a user's input: a file and a line of it (0 for the whole file), or a name such as "--set" or "Python".
struct SourceLocation {
  std::string file;
  int line = 0;

  std::string text() const { return line > 0 ? file + ":" + std::to_string(line) : file; }
};

// Base of every error caused by the input, not by the program; the command line exits with status 2 on it.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what) : std::runtime_error(message_text(what)) {}
};

// A configuration that cannot be used: unknown key, value out of range, values that contradict each other.
class ConfigError : public Error {
 public:
  // `path` is the full path of the key, "nand.timing.t_prog_us".
  ConfigError(const SourceLocation& where, std::string path, const std::string& what)
      : Error((where.file.empty() ? "" : where.text() + ": ") +
              (path.empty() ? "" : printable(path, longest_path) + ": ") + what),
        where_(where),
        path_(std::move(path)),
        complaint_(what) {}
  const SourceLocation& where() const { return where_; }
  const std::string& path() const { return path_; }
  // What is wrong, without the place and the path.
  const std::string& complaint() const { return complaint_; }

 private:
  static constexpr std::size_t longest_path = 200;

  SourceLocation where_;
  std::string path_;
  std::string complaint_;
};

// A trace or another input file that cannot be read. The message gives the line, its text and the text expected.
class InputError : public Error {
 public:
  InputError(const SourceLocation& where, const std::string& what) : Error(where.text() + ": " + what) {}
};

// A request that the device cannot carry out: an address past the capacity, a buffer of the wrong size, a failure of
// the device.
class RequestError : public Error {
 public:
  // `status` is the outcome as a word: "refused" if the request never reached the device.
  explicit RequestError(const std::string& what, std::string status = "refused")
      : Error(what), status_(std::move(status)) {}
  const std::string& status() const { return status_; }

 private:
  std::string status_;
};

// A block was driven in a way that its protocol forbids. This is always a bug in the block that drove it.
class ProtocolError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace nandscape
