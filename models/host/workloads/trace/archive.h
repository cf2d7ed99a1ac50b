// SPDX-License-Identifier: Apache-2.0
// Streams that decompress a file while it is read. They use the compression libraries directly, because wrappers tend
// to accept the end of the file as the end of the archive. A truncated trace would then look like a short trace.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "core/error.h"
#include "host/workloads/trace/raw_file.h"

namespace nandscape::host {

std::unique_ptr<ByteStream> open_gzip(std::unique_ptr<RawFile> file);
std::unique_ptr<ByteStream> open_xz(std::unique_ptr<RawFile> file);
std::unique_ptr<ByteStream> open_zstd(std::unique_ptr<RawFile> file);

struct InputWindow {
  const char* data = nullptr;
  std::size_t size = 0;
};

struct OutputWindow {
  char* data = nullptr;
  std::size_t size = 0;
};

// Codec is a class with these members:
//   static constexpr const char* name;
//   bool complete() const    true if every archive begun so far has ended; a file may contain several archives
//   const char* run(InputWindow&, OutputWindow&, bool file_ended)
//                            decompresses, and advances both windows past the bytes that were consumed and produced;
//                            returns null, or a description of the error in the input
template <class Codec>
class Archive final : public ByteStream {
 public:
  explicit Archive(std::unique_ptr<RawFile> file) : file_(std::move(file)) {}

  std::size_t read(char* data, std::size_t size) override {
    OutputWindow output{data, size};
    while (output.size == size) {
      if (input_.size == 0 && !file_ended_) refill();
      if (input_.size == 0 && file_ended_ && codec_.complete()) return 0;
      const std::size_t before = input_.size;
      if (const char* fault = codec_.run(input_, output, file_ended_)) fail(std::string("is damaged: ") + fault);
      const bool stuck = input_.size == before && output.size == size;
      if (stuck && file_ended_ && !codec_.complete()) fail("ends in the middle: the file is truncated");
    }
    return size - output.size;
  }

 private:
  void refill() {
    input_.data = buffer_.data();
    input_.size = file_->read(buffer_.data(), buffer_.size());
    file_ended_ = input_.size == 0;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError({file_->path()}, std::string("the ") + Codec::name + " archive " + what);
  }

  std::unique_ptr<RawFile> file_;
  std::array<char, 1 << 16> buffer_;
  InputWindow input_;
  bool file_ended_ = false;
  Codec codec_;
};

}  // namespace nandscape::host
