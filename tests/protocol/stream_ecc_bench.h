// SPDX-License-Identifier: Apache-2.0
// A test bench for an ECC engine of one of three kinds. Senders submit jobs to the encoder and decoder sockets.
#pragma once

#include <memory>
#include <vector>

#include "ecc/engine_module.h"
#include "ecc/page_coders/bit_true_coder.h"
#include "kernel.h"
#include "platform/wiring/calendar_module.h"
#include "protocol/protocol_checker.h"
#include "rtl/stream/stream_ecc_module.h"
#include "rtl_stand_ins.h"
#include "stream_wires.h"

namespace nandscape::rtl {

// Sends jobs to a socket, each as soon as the request of the previous job has ended, and accepts the responses.
class JobSender final : public sc_core::sc_module {
 public:
  struct Sent {
    EccJob job;
    Tick at = 0;
    Tick ended = never;  // time at which the request ended
    Tick done = never;
  };

  JobSender(const sc_core::sc_module_name& name, Calendar& calendar)
      : sc_module(name), port("socket", calendar, *this), calendar_(calendar) {}

  // Schedules each job at its time `at`. The jobs are sent in their order.
  void send(std::vector<Sent>& jobs) {
    for (Sent& sent : jobs) {
      sent.job.owner = &sent;
      calendar_.schedule<&JobSender::come>(sent.at, *this, sent);
    }
  }

  // Callbacks of the port.
  void request_ended(EccJob& job, Tick now) {
    static_cast<Sent*>(job.owner)->ended = now;
    next();
  }
  bool response_begins(EccJob& job, Tick now) {
    static_cast<Sent*>(job.owner)->done = now;
    return true;
  }
  void job_over(tlm::tlm_generic_payload& payload) { payload.release(); }

  JobPayloadPool<EccJob> pool;
  JobInitiatorPort<EccJob, JobSender> port;

 private:
  void come(Sent& sent) {
    queue_.push_back(&sent);
    next();
  }
  void next() {
    if (queue_.empty() || port.requesting()) return;
    EccJob& job = queue_.front()->job;
    queue_.pop_front();
    job.payload = &pool.acquire(job);
    port.begin_request(job);
  }

  Calendar& calendar_;
  std::deque<Sent*> queue_;
};

enum class EngineKind { cpp, clocked_inside, on_wires };

struct StreamEccOptions {
  ecc::Code code{"bch", 512, 8, 0};
  std::uint32_t page_bytes = 4096;
  std::uint32_t spare_bytes = 256;
  std::uint32_t crc_bits = 32;
  FrameDesign::Pace pace;
  std::uint64_t seed = 1;  // seed of the random pace of the designs
  StreamTiming timing{.clock_mhz = 333};
  std::uint32_t fifo_pages = 0;
  bool scrambler = true;  // whether the scrambler is a design too
  Tick quantum = 0;
  Tick start = 0;  // time at which the calendar starts; after a power cut, it continues at this time
};

class StreamEccBench {
 public:
  StreamEccBench(EngineKind kind, const StreamEccOptions& o)
      : layout(layout_of(o)),
        calendar(o.start),
        driver("calendar", calendar, o.quantum),
        decodes("decodes", calendar),
        encodes("encodes", calendar),
        decode_checker("decode_checker"),
        encode_checker("encode_checker") {
    const StreamEccParameters parameters{.layout = layout,
                                         .parity_bytes = ecc::make_codec(o.code)->parity_bytes(),
                                         .crc_bits = o.crc_bits,
                                         .decode_fifo_pages = o.fifo_pages,
                                         .encode_fifo_pages = o.fifo_pages};
    StreamDesigns designs{std::make_unique<DecoderDesign>(o.code, o.pace, o.seed),
                          std::make_unique<EncoderDesign>(o.code, o.pace, o.seed + 1),
                          o.scrambler ? std::make_unique<ScramblerDesign>(o.pace, o.seed + 2) : nullptr};
    if (kind == EngineKind::cpp) {
      ecc::CodeParameters code;
      code.codeword_bytes = o.code.payload_bytes;
      code.correctable_bits = o.code.correctable_bits;
      code.decode_fifo_pages = code.encode_fifo_pages = o.fifo_pages;
      const std::vector<ecc::PageCode> codes{{.parameters = code}};
      cpp = std::make_unique<ecc::EccEngineModule>("engine", calendar, codes, code,
                                                   std::make_unique<ecc::BitTrueCoder>(o.code, layout, o.crc_bits));
      bind(cpp->decode_socket(), cpp->encode_socket());
      return;
    }
    if (kind == EngineKind::clocked_inside) {
      engine = std::make_unique<StreamEccModule>("engine", calendar, parameters, o.timing, std::move(designs));
    } else {
      driver.limit_lookahead(0);
      decoder =
          std::make_unique<DesignOnWires>("decoder", calendar, o.timing, decoder_ports, std::move(designs.decoder));
      encoder =
          std::make_unique<DesignOnWires>("encoder", calendar, o.timing, encoder_ports, std::move(designs.encoder));
      if (o.scrambler) {
        scrambler = std::make_unique<DesignOnWires>("scrambler", calendar, o.timing, scrambler_ports,
                                                    std::move(designs.scrambler));
      }
      engine = std::make_unique<StreamEccModule>(
          "engine", calendar, parameters,
          StreamDrivers{decoder->driver, encoder->driver, scrambler ? &scrambler->driver : nullptr});
    }
    bind(engine->decode_socket(), engine->encode_socket());
  }

  static PageLayout layout_of(const StreamEccOptions& o) {
    return PageLayout::sharing_spare(o.page_bytes, o.spare_bytes, o.code.payload_bytes);
  }

  void run(Tick limit = never) {
    driver.run(limit);
    driver.rethrow();
  }

  Kernel kernel;
  PageLayout layout;
  Calendar calendar;
  CalendarModule driver;
  JobSender decodes;
  JobSender encodes;
  ProtocolChecker<JobProtocol<EccJob>> decode_checker;
  ProtocolChecker<JobProtocol<EccJob>> encode_checker;
  std::unique_ptr<ecc::EccEngineModule> cpp;
  std::unique_ptr<DesignOnWires> decoder;
  std::unique_ptr<DesignOnWires> encoder;
  std::unique_ptr<DesignOnWires> scrambler;
  std::unique_ptr<StreamEccModule> engine;

 private:
  void bind(JobTargetSocket<EccJob>& decode, JobTargetSocket<EccJob>& encode) {
    decodes.port.socket.bind(decode_checker.target);
    decode_checker.initiator.bind(decode);
    encodes.port.socket.bind(encode_checker.target);
    encode_checker.initiator.bind(encode);
  }
};

}  // namespace nandscape::rtl
