// SPDX-License-Identifier: Apache-2.0
// A file that appears under its name when it is whole, and replaces another of that name then: it is written beside its
// place and moved there. Behind a symbolic link it is the link's target that is replaced, and the link stays. What is
// no regular file, such as a pipe or a device, is written to itself.
#pragma once

#include <cstddef>
#include <string>

namespace nandscape {

class ReplacedFile {
 public:
  // Throws InputError, as all else here does, when it cannot be written.
  explicit ReplacedFile(std::string path);
  // Unless keep() was called, nothing has happened.
  ~ReplacedFile();
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;

  void write(const void* data, std::size_t bytes);
  // It is whole.
  void keep();

 private:
  [[noreturn]] void fail(int error) const;

  const std::string path_;  // as it was given, for messages
  std::string target_;
  std::string temporary_;  // empty when there is none
  int file_ = -1;
};

}  // namespace nandscape
