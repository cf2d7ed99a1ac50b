// SPDX-License-Identifier: Apache-2.0
#include "rtl/stream/stream_ecc_module.h"

#include <optional>
#include <utility>

#include "core/error.h"
#include "ecc/page_coders/scrambler.h"
#include "rtl/stream/clocked_stream_driver.h"

namespace nandscape::rtl {

// One side of the engine: the encoder or the decoder, with its FIFO.
class StreamEccModule::Side final : private StreamDriver::Client {
 public:
  Side(StreamEccModule& module, const char* name, EccKind kind, StreamDriver& design, std::uint32_t fifo_jobs)
      : port(name, module.calendar_, *this),
        module_(module),
        kind_(kind),
        design_(design),
        fifo_jobs_(fifo_jobs),
        frames_(module.parameters_.layout, module.parameters_.parity_bytes, module.parameters_.crc_bits) {}

  JobTargetPort<EccJob, Side> port;

  bool idle() const { return jobs_.empty(); }

  // Functions that the port calls.
  RequestAnswer request_begins(EccJob& job, Tick now);
  void response_ended(EccJob&, Tick) {}
  Tick response_time(const EccJob&) const { return 0; }
  unsigned int look_at(tlm::tlm_generic_payload&, EccJob&) const { return 0; }

 private:
  // The current step of the first job in the FIFO.
  enum class Step : std::uint8_t { scramble, code };

  void check(const EccJob& job) const;
  [[noreturn]] void refuse(const std::string& what) const;
  bool full() const { return fifo_jobs_ != 0 && jobs_.size() == fifo_jobs_; }
  EccJob& head() const { return *jobs_.front(); }

  void begin();
  void code();
  void frames_moved(Tick now) override;
  void decoded();
  void end();

  StreamEccModule& module_;
  const EccKind kind_;
  StreamDriver& design_;
  const std::size_t fifo_jobs_;
  CodewordFrames frames_;
  Step step_ = Step::code;
  std::deque<EccJob*> jobs_;     // jobs in the FIFO; the first one is in progress
  std::deque<EccJob*> waiting_;  // requests that wait for room in the FIFO
};

RequestAnswer StreamEccModule::Side::request_begins(EccJob& job, Tick) {
  check(job);
  if (full()) {
    ++module_.counters_.waits;
    waiting_.push_back(&job);
    return RequestAnswer::later;
  }
  jobs_.push_back(&job);
  if (jobs_.size() == 1) begin();
  return RequestAnswer::ended;
}

void StreamEccModule::Side::check(const EccJob& job) const {
  const PageLayout& layout = module_.parameters_.layout;
  if (job.kind != kind_) refuse("a job of the other kind came to this socket");
  if (job.data == nullptr) {
    refuse(
        "a job carries no bytes: a design at pins works on bytes, so configure "
        "`ecc.decoder: bit_true` and `simulation.data: stored`");
  }
  if (job.code != ordinary_code) {
    refuse("a job uses code " + std::to_string(job.code) + ": a design implements one code, number 0");
  }
  if (kind_ == EccKind::decode && job.sensing_levels > 1) {
    refuse("a soft read of " + std::to_string(job.sensing_levels) +
           " sensing levels came to a design that takes one bit per cell: remove soft reads from "
           "`controller.read_retry`");
  }
  if (job.bytes == 0 || job.first_byte % layout.codeword_bytes != 0 || job.bytes % layout.codeword_bytes != 0 ||
      std::uint64_t{job.first_byte} + job.bytes > layout.page_bytes) {
    refuse(std::to_string(job.bytes) + " bytes from byte " + std::to_string(job.first_byte) +
           " on are not whole codewords of " + std::to_string(layout.codeword_bytes) + " bytes within a page of " +
           std::to_string(layout.page_bytes));
  }
}

void StreamEccModule::Side::refuse(const std::string& what) const {
  throw ProtocolError(std::string(port.socket.name()) + ": " + what);
}

void StreamEccModule::Side::begin() {
  EccJob& job = head();
  if (kind_ == EccKind::decode) {
    step_ = Step::code;
    return design_.submit(frames_.decode(job), *this);
  }
  if (job.scrambled && module_.drivers_.scrambler != nullptr) {
    step_ = Step::scramble;
    return module_.drivers_.scrambler->submit(frames_.scramble(job), *this);
  }
  if (job.scrambled) ecc::scramble(job.scrambler_seed, job.first_byte, {job.data + job.first_byte, job.bytes});
  code();
}

void StreamEccModule::Side::code() {
  step_ = Step::code;
  design_.submit(frames_.encode(head()), *this);
}

void StreamEccModule::Side::frames_moved(Tick) {
  if (step_ == Step::scramble) {
    frames_.put_scrambled(head());
    return kind_ == EccKind::encode ? code() : end();
  }
  if (kind_ == EccKind::decode) return decoded();
  ecc::EccCounters& counters = module_.counters_;
  frames_.put_encoded(head());
  ++counters.encoded_pages;
  counters.encoded_bytes += head().bytes;
  end();
}

void StreamEccModule::Side::decoded() {
  EccJob& job = head();
  ecc::EccCounters& counters = module_.counters_;
  counters.count_miscorrected(frames_.put_decoded(job));
  counters.iterations += frames_.searched();
  counters.decoded_codewords += job.bytes / module_.parameters_.layout.codeword_bytes;
  ++counters.decoded_pages;
  counters.decoded_bytes += job.bytes;
  counters.corrected_bits += job.corrected_bits;
  counters.failed_decodes += job.uncorrectable;
  if (job.uncorrectable || !job.scrambled) return end();
  if (module_.drivers_.scrambler != nullptr) {
    step_ = Step::scramble;
    return module_.drivers_.scrambler->submit(frames_.scramble(job), *this);
  }
  ecc::scramble(job.scrambler_seed, job.first_byte, {job.data + job.first_byte, job.bytes});
  end();
}

// Ends the first job in the FIFO. The port is called last, because the initiator may send the next job within this
// call.
void StreamEccModule::Side::end() {
  EccJob* const done = jobs_.front();
  jobs_.pop_front();
  EccJob* let_in = nullptr;
  if (!waiting_.empty()) {
    let_in = waiting_.front();
    waiting_.pop_front();
    jobs_.push_back(let_in);
  }
  if (!jobs_.empty()) begin();
  if (let_in != nullptr) port.end_request(*let_in);
  port.begin_response(*done);
}

struct StreamEccModule::Owned {
  Owned(const std::string& name, Calendar& calendar, const StreamTiming& timing, StreamDesigns designs)
      : decoder(name + ".decoder", calendar, timing, std::move(designs.decoder)),
        encoder(name + ".encoder", calendar, timing, std::move(designs.encoder)) {
    if (designs.scrambler != nullptr) {
      scrambler.emplace(name + ".scrambler", calendar, timing, std::move(designs.scrambler));
    }
  }
  StreamDrivers drivers() { return {decoder, encoder, scrambler ? &*scrambler : nullptr}; }

  ClockedStreamDriver decoder;
  ClockedStreamDriver encoder;
  std::optional<ClockedStreamDriver> scrambler;
};

namespace {

const StreamEccParameters& checked(const StreamEccParameters& parameters, const StreamDrivers& drivers) {
  const PageLayout& layout = parameters.layout;
  if (parameters.parity_bytes == 0 || parameters.parity_bytes + parameters.crc_bits / 8 > layout.parity_bytes) {
    throw ConfigError({}, "ecc",
                      "the code of " + drivers.encoder.design() + " makes " + std::to_string(parameters.parity_bytes) +
                          " bytes of parity for a codeword, and its CRC (ecc.crc_bits) has " +
                          std::to_string(parameters.crc_bits / 8) + ", but the page has room for " +
                          std::to_string(layout.parity_bytes) +
                          ": a design at pins needs `ecc.decoder: bit_true`, whose layout has room for them");
  }
  return parameters;
}

}  // namespace

StreamEccModule::StreamEccModule(const sc_core::sc_module_name& name, Calendar& calendar,
                                 const StreamEccParameters& parameters, const StreamTiming& timing,
                                 StreamDesigns designs)
    : sc_module(name),
      calendar_(calendar),
      owned_(std::make_unique<Owned>(this->name(), calendar, timing, std::move(designs))),
      drivers_(owned_->drivers()),
      parameters_(checked(parameters, drivers_)),
      decoder_(std::make_unique<Side>(*this, "decode_socket", EccKind::decode, drivers_.decoder,
                                      parameters.decode_fifo_pages)),
      encoder_(std::make_unique<Side>(*this, "encode_socket", EccKind::encode, drivers_.encoder,
                                      parameters.encode_fifo_pages)) {}

StreamEccModule::StreamEccModule(const sc_core::sc_module_name& name, Calendar& calendar,
                                 const StreamEccParameters& parameters, const StreamDrivers& drivers)
    : sc_module(name),
      calendar_(calendar),
      drivers_(drivers),
      parameters_(checked(parameters, drivers_)),
      decoder_(std::make_unique<Side>(*this, "decode_socket", EccKind::decode, drivers_.decoder,
                                      parameters.decode_fifo_pages)),
      encoder_(std::make_unique<Side>(*this, "encode_socket", EccKind::encode, drivers_.encoder,
                                      parameters.encode_fifo_pages)) {}

StreamEccModule::~StreamEccModule() = default;

JobTargetSocket<EccJob>& StreamEccModule::decode_socket() { return decoder_->port.socket; }
JobTargetSocket<EccJob>& StreamEccModule::encode_socket() { return encoder_->port.socket; }

bool StreamEccModule::idle() const { return decoder_->idle() && encoder_->idle(); }

void StreamEccModule::reset() {
  drivers_.decoder.reset();
  drivers_.encoder.reset();
  if (drivers_.scrambler != nullptr) drivers_.scrambler->reset();
}

void StreamEccModule::persist(Archive& archive) {
  archive.section("ECC engine of designs");
  ecc::EccCounters& c = counters_;
  archive(c.decoded_pages, c.encoded_pages, c.corrected_bits, c.failed_decodes, c.miscorrected, c.crc_detected,
          c.expected_escapes, c.waits, c.decoded_codewords, c.iterations, c.decoded_bytes, c.encoded_bytes);
}

}  // namespace nandscape::rtl
