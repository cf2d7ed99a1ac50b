// SPDX-License-Identifier: Apache-2.0
#include "host/workloads/trace/raw_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "core/path_check.h"

namespace nandscape::host {
namespace {

constexpr std::size_t head_bytes = 8;

}  // namespace

RawFile::RawFile(const std::string& path) : path_(path), file_(std::fopen(checked_path(path).c_str(), "rb")) {
  if (file_ == nullptr) throw InputError({path}, std::string("cannot be opened: ") + std::strerror(errno));
  // Callers read in large pieces, so a second buffer would only add a copy.
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  char head[head_bytes];
  head_.assign(head, read_file(head, head_bytes));
}

std::size_t RawFile::read(char* data, std::size_t size) {
  if (head_read_ == head_.size()) return read_file(data, size);
  const std::size_t count = std::min(size, head_.size() - head_read_);
  std::memcpy(data, head_.data() + head_read_, count);
  head_read_ += count;
  return count;
}

std::size_t RawFile::read_file(char* data, std::size_t size) {
  const std::size_t count = std::fread(data, 1, size, file_.get());
  if (count < size && std::ferror(file_.get()) != 0) {
    throw InputError({path_}, std::string("cannot be read: ") + std::strerror(errno));
  }
  return count;
}

}  // namespace nandscape::host
