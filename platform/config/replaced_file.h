// SPDX-License-Identifier: Apache-2.0
// Writes a file atomically. The data are written to a temporary file in the same folder, and keep() renames it to the
// final name. If the path is a symbolic link, the target of the link is replaced. A file that is not regular, for
// example a pipe or a device, is written directly.
#pragma once

#include <cstddef>
#include <string>

namespace nandscape {

class ReplacedFile {
 public:
  // Opens the temporary file. The constructor, write() and keep() throw InputError if the file cannot be written.
  explicit ReplacedFile(std::string path);
  // Removes the temporary file if keep() was not called. An existing file is then unchanged.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  void write(const void* data, std::size_t bytes);
  // Completes the file, which replaces an existing file.
  void keep();

 private:
  [[noreturn]] void fail(int error) const;

  const std::string path_;  // as given, for messages
  std::string target_;
  std::string temporary_;  // empty if there is none
  int file_ = -1;
};

}  // namespace nandscape
