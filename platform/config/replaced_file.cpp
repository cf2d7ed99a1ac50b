// SPDX-License-Identifier: Apache-2.0
#include "platform/config/replaced_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.h"

namespace nandscape {

namespace fs = std::filesystem;

namespace {

// Follows symbolic links and returns the path of their target, which need not exist.
fs::path behind_links(const fs::path& path) {
  constexpr int most_links = 40;  // limit of the Linux kernel
  fs::path target = path;
  std::error_code error;
  for (int k = 0; k < most_links && fs::is_symlink(fs::symlink_status(target, error)); ++k) {
    const fs::path next = fs::read_symlink(target, error);
    if (error) break;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

// Returns a file name in the target's folder that no other file being written has.
std::string temporary_beside(const fs::path& target) {
  static std::atomic<unsigned> files = 0;
  const std::string name = "." + target.filename().string() + "." + std::to_string(getpid()) + "." +
                           std::to_string(files.fetch_add(1)) + ".partial";
  return (target.parent_path() / name).string();
}

}  // namespace

ReplacedFile::ReplacedFile(std::string path) : path_(std::move(path)), target_(behind_links(path_).string()) {
  struct stat there {};
  const bool exists = stat(target_.c_str(), &there) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (exists && S_ISDIR(there.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(there.st_mode)) {
    file_ = open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fail(errno);
    return;
  }
  if (exists && access(target_.c_str(), W_OK) != 0) fail(errno);
  std::string temporary = temporary_beside(target_);
  file_ = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) fail(errno);
  temporary_ = std::move(temporary);
  // Gives the new file the permissions of the old file. If this fails, the file has the default permissions of a new
  // file.
  if (exists) static_cast<void>(fchmod(file_, there.st_mode & 07777));
}

ReplacedFile::~ReplacedFile() {
  if (file_ >= 0) close(file_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void ReplacedFile::write(const void* data, std::size_t bytes) {
  const auto* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(file_, next, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    next += written;
    bytes -= static_cast<std::size_t>(written);
  }
}

void ReplacedFile::keep() {
  if (close(std::exchange(file_, -1)) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
}

void ReplacedFile::fail(int error) const {
  const char* const advice = error == EISDIR ? "; give the name of a file" : "";
  throw InputError({path_}, "cannot be written: " + std::generic_category().message(error) + advice);
}

}  // namespace nandscape
