// SPDX-License-Identifier: Apache-2.0
// Writes a file atomically: the data are written to a temporary file in the same folder, which keep() renames to the
// final name. A symbolic link stays, and its target is replaced. A file that is not regular, such as a pipe or a
// device, is written directly.
#pragma once

#include <cstddef>
#include <string>

namespace nandscape {

class ReplacedFile {
 public:
  // Throws InputError if the file cannot be written, as do write() and keep().
  explicit ReplacedFile(std::string path);
  // Without keep(), removes the temporary file; an existing file is unchanged.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  void write(const void* data, std::size_t bytes);
  // Completes the file and replaces an existing one.
  void keep();

 private:
  [[noreturn]] void fail(int error) const;

  const std::string path_;  // as given, for messages
  std::string target_;
  std::string temporary_;  // empty if there is none
  int file_ = -1;
};

}  // namespace nandscape
