// SPDX-License-Identifier: Apache-2.0
#include <lzma.h>

#include <cstdint>
#include <new>

#include "host/workloads/trace/archive.h"

namespace nandscape::host {
namespace {

class Xz {
 public:
  static constexpr const char* name = "xz";

  Xz() {
    // Limits the memory for decompression. xz needs 65 MiB at its highest setting, but a file may request gigabytes.
    constexpr std::uint64_t most_memory = std::uint64_t{512} << 20;
    if (lzma_stream_decoder(&stream_, most_memory, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~Xz() { lzma_end(&stream_); }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;

  bool complete() const { return complete_; }

  const char* run(InputWindow& input, OutputWindow& output, bool file_ended) {
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(input.data);
    stream_.avail_in = input.size;
    stream_.next_out = reinterpret_cast<std::uint8_t*>(output.data);
    stream_.avail_out = output.size;
    const lzma_ret result = lzma_code(&stream_, file_ended ? LZMA_FINISH : LZMA_RUN);
    input = {reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in};
    output = {reinterpret_cast<char*>(stream_.next_out), stream_.avail_out};
    complete_ = result == LZMA_STREAM_END;
    switch (result) {
      case LZMA_OK:
      case LZMA_STREAM_END:
      case LZMA_BUF_ERROR: return nullptr;
      case LZMA_MEM_ERROR: throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR: return "it needs more than 512 MiB of memory";
      case LZMA_OPTIONS_ERROR: return "its options are not supported";
      default: return "inconsistent data";
    }
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool complete_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> open_xz(std::unique_ptr<RawFile> file) {
  return std::make_unique<Archive<Xz>>(std::move(file));
}

}  // namespace nandscape::host
