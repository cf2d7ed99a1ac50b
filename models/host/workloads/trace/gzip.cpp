// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <new>

#include "host/workloads/trace/archive.h"

namespace nandscape::host {
namespace {

class Gzip {
 public:
  static constexpr const char* name = "gzip";

  Gzip() {
    // Adding 16 makes zlib expect a gzip header and checksum instead of a bare zlib stream.
    if (inflateInit2(&stream_, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();
  }
  ~Gzip() { inflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  bool complete() const { return complete_; }

  const char* run(InputWindow& input, OutputWindow& output, bool) {
    if (complete_) inflateReset(&stream_);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data));
    stream_.avail_in = static_cast<uInt>(input.size);
    stream_.next_out = reinterpret_cast<Bytef*>(output.data);
    stream_.avail_out = static_cast<uInt>(output.size);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    input = {reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in};
    output = {reinterpret_cast<char*>(stream_.next_out), stream_.avail_out};
    complete_ = result == Z_STREAM_END;
    if (result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR) return nullptr;
    return stream_.msg != nullptr ? stream_.msg : "inconsistent data";
  }

 private:
  z_stream stream_{};
  bool complete_ = false;
};

}  // namespace

std::unique_ptr<ByteStream> open_gzip(std::unique_ptr<RawFile> file) {
  return std::make_unique<Archive<Gzip>>(std::move(file));
}

}  // namespace nandscape::host
