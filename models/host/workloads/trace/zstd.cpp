// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>

#include <new>

#include "host/workloads/trace/archive.h"

namespace nandscape::host {
namespace {

class Zstd {
 public:
  static constexpr const char* name = "zstd";

  Zstd() : stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }

  bool complete() const { return complete_; }

  const char* run(InputWindow& input, OutputWindow& output, bool) {
    ZSTD_inBuffer in{input.data, input.size, 0};
    ZSTD_outBuffer out{output.data, output.size, 0};
    const std::size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
    input = {input.data + in.pos, input.size - in.pos};
    output = {output.data + out.pos, output.size - out.pos};
    complete_ = result == 0;  // 0: a frame has ended, and all of its output has been written
    return ZSTD_isError(result) != 0 ? ZSTD_getErrorName(result) : nullptr;
  }

 private:
  struct Deleter {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };

  std::unique_ptr<ZSTD_DStream, Deleter> stream_;
  bool complete_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> open_zstd(std::unique_ptr<RawFile> file) {
  return std::make_unique<Archive<Zstd>>(std::move(file));
}

}  // namespace nandscape::host
