// SPDX-License-Identifier: Apache-2.0
#include "ecc/engine_module.h"

#include <utility>

namespace nandscape::ecc {

EccEngineModule::EccEngineModule(sc_core::sc_module_name name, Calendar& calendar, std::span<const PageCode> codes,
                                 const CodeParameters& hardware, std::unique_ptr<PageCoder> coder, std::uint32_t units)
    : sc_module(name),
      calendar_(calendar),
      engine_(codes, hardware, std::move(coder), units),
      decoder_(*this, "decode_socket"),
      encoder_(*this, "encode_socket") {}

RequestAnswer EccEngineModule::Side::request_begins(EccJob& job, Tick now) {
  const Tick room = module.engine_.room(job.kind, now, job.code);
  if (room > now) {
    module.calendar_.schedule<&Side::end_request>(room, *this, job);
    return RequestAnswer::later;
  }
  accept(job, now);
  return RequestAnswer::ended;
}

void EccEngineModule::Side::accept(EccJob& job, Tick now) {
  module.calendar_.schedule<&Side::respond>(module.engine_.accept(job, now), *this, job);
}

void EccEngineModule::Side::end_request(EccJob& job) {
  accept(job, module.calendar_.now());
  port.end_request(job);
}

}  // namespace nandscape::ecc
