// SPDX-License-Identifier: Apache-2.0
// The format oracleGeneral of libCacheSim, which records accesses to the objects of a cache. Each access is a
// little-endian structure of 24 bytes, and there are no gaps between the structures. In block traces, the number of an
// object is its address.
#include "host/workloads/trace/columns.h"
#include "host/workloads/trace/fields.h"
#include "host/workloads/trace/trace_format.h"

namespace nandscape::host {
namespace {

enum class ObjectUnit { sectors, bytes };
enum class ObjectOperation { read, write };

struct OracleGeneralParameters {
  ObjectUnit object_unit = ObjectUnit::sectors;
  ObjectOperation accesses = ObjectOperation::read;
};

void describe(OracleGeneralParameters& p, ParameterVisitor& v) {
  v.choice("object_unit", p.object_unit,
           {{"sectors", "sectors of 512 bytes, as in traces converted from vscsi"}, {"bytes", "bytes"}},
           "unit of the object numbers, which are addresses");
  v.choice("accesses", p.accesses, {{"read", "reads"}, {"write", "writes"}},
           "operation of all accesses, since the trace does not record it");
}

class OracleGeneral final : public TraceFormat {
 public:
  using Parameters = OracleGeneralParameters;
  OracleGeneral(const Parameters& parameters, const std::string&)
      : object_unit_(parameters.object_unit),
        kind_(parameters.accesses == ObjectOperation::read ? RequestKind::read : RequestKind::write) {}

  std::size_t head_bytes() const override { return access_bytes; }

  bool decode(std::string_view bytes, TraceRecord& record) override {
    constexpr std::uint64_t second_ns = 1'000'000'000;
    constexpr std::uint64_t past_sectors = std::uint64_t{1} << 55;
    record.time_ns = number_at<std::uint32_t>(bytes, 0) * second_ns;
    record.offset_bytes = number_at<std::uint64_t>(bytes, 4);
    if (object_unit_ == ObjectUnit::sectors) {
      if (record.offset_bytes >= past_sectors) {
        throw MalformedRecord("the object " + std::to_string(record.offset_bytes) +
                              " is not a valid sector: it is past 2^55; object numbers may be hashes of names");
      }
      record.offset_bytes *= 512;
    }
    record.size_bytes = number_at<std::uint32_t>(bytes, 12);
    record.kind = kind_;
    return true;
  }

  std::string_view expected() const override { return "24 bytes: seconds, object, size, next access"; }

  // Always returns an objection, because any 24 bytes are a valid record of this format.
  std::string objection(const std::vector<std::string>&) override {
    return "its records have no signature; to use this format, set 'format'";
  }

 private:
  static constexpr std::size_t access_bytes = 24;

  ObjectUnit object_unit_;
  RequestKind kind_;
};

}  // namespace

void register_oracle_general(TraceFormatRegistry& formats) {
  formats.add<OracleGeneral>("oracle_general",
                             "binary accesses of libCacheSim: s, address, size in bytes; all reads or all writes");
}

}  // namespace nandscape::host
