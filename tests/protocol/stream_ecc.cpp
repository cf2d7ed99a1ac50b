// SPDX-License-Identifier: Apache-2.0
// Tests ECC engines that are built from RTL designs, clocked internally or connected by wires. Both must give the same
// results as the C++ engine with real codecs, and both must need the same number of cycles.
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>

#include "catch.h"
#include "core/error.h"
#include "rtl/stream/clocked_stream_driver.h"
#include "stream_ecc_bench.h"
#include "unit/platform/temporary_folder.h"

namespace nandscape::rtl {
namespace {

using Page = std::vector<std::byte>;
using Sent = JobSender::Sent;

// Returns a job for the first `bytes` bytes of a page.
EccJob job_of_page(EccKind kind, std::uint32_t bytes, Page& page) {
  EccJob job;
  job.kind = kind;
  job.bytes = bytes;
  job.data = page.data();
  return job;
}

StreamEccOptions options_of(const ecc::Code& code, std::uint32_t spare_bytes) {
  StreamEccOptions options;
  options.code = code;
  options.spare_bytes = spare_bytes;
  return options;
}

// Random jobs: parts of pages are encoded at random times, and then decoded with errors. Some codewords have too many
// errors.
struct Workload {
  Workload(const StreamEccOptions& o, std::size_t count, std::uint64_t seed)
      : layout(StreamEccBench::layout_of(o)), random(seed, "jobs") {
    for (std::size_t k = 0; k < count; ++k) {
      Page& page = written.emplace_back(layout.total_bytes());
      for (std::byte& byte : page) byte = static_cast<std::byte>(random.below(256));
      Sent& sent = encodes.emplace_back();
      sent.at = time += random.below(2) * random.below(10 * microsecond);
      EccJob& job = sent.job;
      job.kind = EccKind::encode;
      const auto first = static_cast<std::uint32_t>(random.below(layout.codewords()));
      job.first_byte = first * layout.codeword_bytes;
      job.bytes = static_cast<std::uint32_t>(1 + random.below(layout.codewords() - first)) * layout.codeword_bytes;
      job.scrambled = random.below(2) == 0;
      job.scrambler_seed = random.below(~std::uint64_t{0});
    }
    for (std::size_t k = 0; k < count; ++k) encodes[k].job.data = written[k].data();
    plain = written;
  }

  // Decodes the pages that were encoded before.
  void read_back(const ecc::Code& code) {
    const std::uint32_t bits = ecc::make_codec(code)->codeword_bits();
    read = written;
    codeword_errors.resize(read.size());
    for (std::size_t k = 0; k < read.size(); ++k) {
      Sent& sent = decodes.emplace_back();
      sent.at = time += random.below(2) * random.below(10 * microsecond);
      sent.job = encodes[k].job;
      sent.job.kind = EccKind::decode;
      sent.job.data = read[k].data();
      const std::uint32_t first = sent.job.first_byte / layout.codeword_bytes;
      for (std::uint32_t c = first; c < first + sent.job.bytes / layout.codeword_bytes; ++c) {
        const auto errors = static_cast<std::uint16_t>(
            random.below(4) == 0 ? 0 : random.below(code.correctable_bits + (random.below(8) == 0 ? 6 : 1)));
        for (std::uint16_t e = 0; e < errors; ++e) flip(read[k], c, bits);
        codeword_errors[k].push_back(errors);
      }
    }
  }

  void flip(Page& page, std::uint32_t codeword, std::uint32_t bits) {
    const std::uint32_t bit = layout.page_bit(codeword, static_cast<std::uint32_t>(random.below(bits)));
    page[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  }

  PageLayout layout;
  RandomStream random;
  Tick time = microsecond;
  std::vector<Page> plain, written, read;
  std::vector<Sent> encodes, decodes;
  std::vector<std::vector<std::uint16_t>> codeword_errors;
};

struct Outcome {
  std::vector<Page> written, read;  // `read` contains only payloads, since some engines do not correct the parity
  std::vector<bool> uncorrectable;
  std::vector<std::uint32_t> corrected;
  std::vector<Tick> encoded_at, decoded_at;
  ecc::EccCounters counters;
  std::uint64_t cycles = 0;
};

Outcome outcome_of(EngineKind kind, const StreamEccOptions& options, std::size_t count, std::uint64_t seed) {
  Workload work(options, count, seed);
  StreamEccBench bench(kind, options);
  bench.encodes.send(work.encodes);
  bench.run();
  work.time = std::max(work.time, bench.calendar.now());
  work.read_back(options.code);
  bench.decodes.send(work.decodes);
  bench.run();
  CHECK(bench.decode_checker.outstanding_histories() == "");
  CHECK(bench.encode_checker.outstanding_histories() == "");
  Outcome outcome;
  outcome.written = work.written;
  outcome.read = work.read;
  for (Page& page : outcome.read) page.resize(work.layout.page_bytes);
  for (std::size_t k = 0; k < count; ++k) {
    REQUIRE(work.decodes[k].done != never);
    const EccJob& job = work.decodes[k].job;
    outcome.uncorrectable.push_back(job.uncorrectable);
    outcome.corrected.push_back(job.corrected_bits);
    outcome.encoded_at.push_back(work.encodes[k].done);
    outcome.decoded_at.push_back(work.decodes[k].done);
    if (!job.uncorrectable) {
      CHECK(std::memcmp(work.read[k].data() + job.first_byte, work.plain[k].data() + job.first_byte, job.bytes) == 0);
    }
  }
  if (kind == EngineKind::cpp) {
    outcome.counters = bench.cpp->counters(0);
  } else {
    CHECK(bench.engine->idle());
    outcome.counters = bench.engine->counters();
    outcome.cycles = bench.engine->decoder_cycles() + bench.engine->encoder_cycles();
  }
  return outcome;
}

FrameDesign::Pace random_pace(RandomStream& random) {
  return {.ready = 0.3 + 0.7 * random.uniform(),
          .valid = 0.3 + 0.7 * random.uniform(),
          .latency = static_cast<std::uint32_t>(random.below(300)),
          .frames_out = static_cast<std::uint32_t>(1 + random.below(2))};
}

void check_same_results(const Outcome& a, const Outcome& b) {
  CHECK(a.written == b.written);
  CHECK(a.read == b.read);
  CHECK(a.uncorrectable == b.uncorrectable);
  CHECK(a.corrected == b.corrected);
  CHECK(a.counters.decoded_pages == b.counters.decoded_pages);
  CHECK(a.counters.encoded_pages == b.counters.encoded_pages);
  CHECK(a.counters.corrected_bits == b.counters.corrected_bits);
  CHECK(a.counters.failed_decodes == b.counters.failed_decodes);
  CHECK(a.counters.miscorrected == b.counters.miscorrected);
  CHECK(a.counters.crc_detected == b.counters.crc_detected);
  CHECK(a.counters.expected_escapes == b.counters.expected_escapes);
  CHECK(a.counters.decoded_codewords == b.counters.decoded_codewords);
  CHECK(a.counters.iterations == b.counters.iterations);
  CHECK(a.counters.decoded_bytes == b.counters.decoded_bytes);
  CHECK(a.counters.encoded_bytes == b.counters.encoded_bytes);
}

TEST_CASE("engines of designs give the bytes and outcomes of the C++ engine, in the same cycles on wires") {
  RandomStream random(7, "paces");
  StreamEccOptions options;
  std::uint64_t failed = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    CAPTURE(seed);
    options.pace = random_pace(random);
    options.seed = 10 * seed;
    options.scrambler = seed % 2 == 0;
    options.fifo_pages = static_cast<std::uint32_t>(seed % 3);
    const Outcome cpp = outcome_of(EngineKind::cpp, options, 20, seed);
    const Outcome inside = outcome_of(EngineKind::clocked_inside, options, 20, seed);
    const Outcome wires = outcome_of(EngineKind::on_wires, options, 20, seed);
    check_same_results(cpp, inside);
    check_same_results(cpp, wires);
    CHECK(inside.cycles > 0);
    CHECK(inside.cycles == wires.cycles);
    CHECK(inside.encoded_at == wires.encoded_at);
    CHECK(inside.decoded_at == wires.decoded_at);
    CHECK(inside.counters.waits == wires.counters.waits);
    failed += cpp.counters.failed_decodes;
  }
  CHECK(failed > 3);
}

TEST_CASE("engines of designs take the code of 72 bits per KiB") {
  StreamEccOptions options = options_of({"bch", 1024, 72, 0}, 4 * 130);
  options.pace = {.ready = 0.9, .latency = 500};
  const Outcome cpp = outcome_of(EngineKind::cpp, options, 10, 3);
  check_same_results(cpp, outcome_of(EngineKind::clocked_inside, options, 10, 3));
  check_same_results(cpp, outcome_of(EngineKind::on_wires, options, 10, 3));
}

// A code that corrects only two errors is weak: one in eight codewords with more errors is decoded to a different
// codeword. The CRC must detect this.
TEST_CASE("a CRC fails codewords that designs of a weak code have miscorrected") {
  const StreamEccOptions options = options_of({"bch", 512, 2, 0}, 8 * (4 + 4));
  const Outcome cpp = outcome_of(EngineKind::cpp, options, 300, 4);
  CHECK(cpp.counters.crc_detected > 3);
  check_same_results(cpp, outcome_of(EngineKind::clocked_inside, options, 300, 4));
  check_same_results(cpp, outcome_of(EngineKind::on_wires, options, 300, 4));
}

TEST_CASE("times of an internally clocked engine do not depend on how far the calendar runs ahead") {
  StreamEccOptions options;
  options.pace = {.ready = 0.7, .valid = 0.7, .latency = 40};
  options.fifo_pages = 2;
  const Outcome at_once = outcome_of(EngineKind::clocked_inside, options, 20, 5);
  options.quantum = GENERATE(Tick{nanosecond}, microsecond, millisecond);
  const Outcome ahead = outcome_of(EngineKind::clocked_inside, options, 20, 5);
  CHECK(ahead.encoded_at == at_once.encoded_at);
  CHECK(ahead.decoded_at == at_once.decoded_at);
}

// A page has 8 codewords. The encoder has one buffer: it takes in the 64 words of a codeword and then puts out 66
// words, one word per cycle.
TEST_CASE("a job takes the cycles of its codewords, and waits for the jobs before it") {
  const EngineKind kind = GENERATE(EngineKind::clocked_inside, EngineKind::on_wires);
  StreamEccOptions options;
  options.timing.clock_mhz = 400;
  options.fifo_pages = 1;
  const std::uint32_t parity = ecc::make_codec(options.code)->parity_bytes();
  const Tick words_with_parity = (512 + parity + 7) / 8;
  StreamEccBench bench(kind, options);
  std::vector<Page> pages(3, Page(bench.layout.total_bytes()));
  std::vector<Sent> jobs(3);
  for (int k = 0; k < 3; ++k) {
    jobs[k].at = microsecond;
    jobs[k].job = job_of_page(EccKind::encode, 4096, pages[k]);
  }
  bench.encodes.send(jobs);
  bench.run();
  const Tick takes = 8 * (64 + words_with_parity) * 2500;
  CHECK(jobs[0].ended == microsecond);
  for (int k = 0; k < 3; ++k) CHECK(jobs[k].done == microsecond + (k + 1) * takes);
  CHECK(jobs[1].ended == jobs[0].done);
  CHECK(jobs[2].ended == jobs[1].done);
  CHECK(bench.engine->counters().waits == 2);
  CHECK(bench.engine->encoder_cycles() == 3 * takes / 2500);
}

TEST_CASE("the first job waits until the designs have been reset") {
  const EngineKind kind = GENERATE(EngineKind::clocked_inside, EngineKind::on_wires);
  StreamEccOptions options;
  options.timing.clock_mhz = 1;
  options.timing.watchdog_us = 1e6;
  options.start = GENERATE(Tick{0}, 5 * millisecond);
  StreamEccBench bench(kind, options);
  Page page(bench.layout.total_bytes());
  std::vector<Sent> jobs(1);
  jobs[0].at = options.start + microsecond;
  jobs[0].job = job_of_page(EccKind::decode, 512, page);
  bench.decodes.send(jobs);
  bench.run();
  const Tick words = (512 + ecc::make_codec(options.code)->parity_bytes() + 7) / 8 + 64;
  CHECK(jobs[0].done == options.start + (reset_cycles + words) * microsecond);
}

struct Resetter {
  void reset(std::uint64_t) { engine.reset(); }
  StreamEccModule& engine;
};

TEST_CASE("a job that a reset interrupts begins again, with the same result") {
  StreamEccOptions options;
  options.pace = {.ready = 0.8, .valid = 0.8, .latency = 30};
  options.fifo_pages = 2;
  const Outcome undisturbed = outcome_of(EngineKind::cpp, options, 12, 9);
  for (const EngineKind kind : {EngineKind::clocked_inside, EngineKind::on_wires}) {
    Workload work(options, 12, 9);
    StreamEccBench bench(kind, options);
    Resetter resetter{*bench.engine};
    RandomStream random(1, "resets");
    const auto disturb = [&](std::vector<Sent>& jobs) {
      for (const Sent& job : jobs) {
        bench.calendar.schedule<&Resetter::reset>(job.at + random.below(3 * microsecond), resetter);
      }
    };
    bench.encodes.send(work.encodes);
    disturb(work.encodes);
    bench.run();
    CHECK(work.written == undisturbed.written);
    work.time = std::max(work.time, bench.calendar.now());
    work.read_back(options.code);
    bench.decodes.send(work.decodes);
    disturb(work.decodes);
    bench.run();
    for (std::size_t k = 0; k < 12; ++k) {
      CHECK(work.decodes[k].job.uncorrectable == undisturbed.uncorrectable[k]);
      CHECK(work.decodes[k].job.corrected_bits == undisturbed.corrected[k]);
      CHECK(std::memcmp(work.read[k].data(), undisturbed.read[k].data(), work.layout.page_bytes) == 0);
    }
    CHECK(bench.engine->idle());
    CHECK(bench.decode_checker.outstanding_histories() == "");
  }
}

TEST_CASE("an observer of a design sees its cycles in the order of time") {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, 0);
  ClockedStreamDriver design("design", calendar, {.clock_mhz = 300},
                             std::make_unique<ScramblerDesign>(FrameDesign::Pace{}, 1));
  std::vector<std::pair<Tick, Tick>> cycles;
  design.observe_cycles([&](Tick begin, Tick period) { cycles.emplace_back(begin, period); });
  struct Batch final : StreamDriver::Client {
    void start() { of.submit(std::span(&frame, 1), *this); }
    void cut() { of.reset(); }
    void frames_moved(Tick now) override { done = now; }
    StreamDriver& of;
    Page in = Page(64), out = Page(64);
    StreamFrame frame{.in = in, .out = out};
    Tick done = 0;
    explicit Batch(StreamDriver& driver) : of(driver) {}
  } batch(design);
  calendar.schedule<&Batch::start>(microsecond, batch);
  calendar.schedule<&Batch::cut>(microsecond + 20 * nanosecond, batch);
  driver.run(never);
  // A frame needs 16 cycles. The reset begins in the seventh cycle and lasts 4 cycles; then the frame is sent again
  // from its beginning.
  CHECK(batch.done == microsecond + 20 * nanosecond + Clock(300).span(4) + Clock(300).span(16));
  REQUIRE(cycles.size() > 16);
  CHECK(cycles.front() == std::pair<Tick, Tick>(microsecond, 3333));
  for (std::size_t k = 1; k < cycles.size(); ++k) CHECK(cycles[k].first >= cycles[k - 1].first + cycles[k - 1].second);
  CHECK(cycles.back().first + cycles.back().second == batch.done);
}

// Runs a job and returns the message of the error that it causes.
std::string refusal_of(EngineKind kind, const StreamEccOptions& options, const std::function<void(EccJob&)>& change) {
  StreamEccBench bench(kind, options);
  Page page(bench.layout.total_bytes());
  std::vector<Sent> jobs(1);
  jobs[0].at = microsecond;
  jobs[0].job = job_of_page(EccKind::decode, 4096, page);
  change(jobs[0].job);
  bench.decodes.send(jobs);
  try {
    bench.run();
  } catch (const ProtocolError& error) {
    return error.what();
  }
  return "no error";
}

TEST_CASE("jobs that wires cannot carry are refused with the reason") {
  const EngineKind kind = GENERATE(EngineKind::clocked_inside, EngineKind::on_wires);
  const auto refused = [&](const std::function<void(EccJob&)>& change) { return refusal_of(kind, {}, change); };
  CHECK_THAT(refused([](EccJob& job) { job.data = nullptr; }),
             ContainsSubstring("engine.decode_socket: a job carries no bytes") &&
                 ContainsSubstring("`ecc.decoder: bit_true` and `simulation.data: stored`"));
  CHECK_THAT(refused([](EccJob& job) { job.code = 1; }), ContainsSubstring("a job uses code 1"));
  CHECK_THAT(refused([](EccJob& job) { job.sensing_levels = 3; }),
             ContainsSubstring("a soft read of 3 sensing levels"));
  CHECK_THAT(refused([](EccJob& job) { job.bytes = 700; }), ContainsSubstring("not whole codewords of 512 bytes"));
  CHECK_THAT(refused([](EccJob& job) { job.kind = EccKind::encode; }), ContainsSubstring("a job of the other kind"));
  CHECK(refused([](EccJob&) {}) == "no error");
}

TEST_CASE("a design that stops is an error, not a hang") {
  const EngineKind kind = GENERATE(EngineKind::clocked_inside, EngineKind::on_wires);
  StreamEccOptions options;
  options.timing = {.clock_mhz = 400, .watchdog_us = 2};
  options.pace.ready = 0;
  const std::string name = kind == EngineKind::on_wires ? "decoder" : "engine.decoder";
  CHECK_THAT(refusal_of(kind, options, [](EccJob&) {}),
             ContainsSubstring(name + ", cycle 800, frame 1 of 8: no word has moved for 800 cycles (2.000000 us") &&
                 ContainsSubstring("s_ready stays low before word 1 of 66"));
  options.pace = {.valid = 0};
  CHECK_THAT(refusal_of(kind, options, [](EccJob&) {}), ContainsSubstring("m_valid stays low after 0 of 64 words"));
}

TEST_CASE("a code that does not fit the page is refused") {
  StreamEccOptions options;
  options.spare_bytes = 8;
  CHECK_THROWS_WITH(
      StreamEccBench(EngineKind::clocked_inside, options),
      ContainsSubstring("ecc: the code of engine.encoder makes 13 bytes of parity for a codeword, and its CRC "
                        "(ecc.crc_bits) has 4, but the page has room for 1"));
  options.spare_bytes = 8 * 16;
  CHECK_THROWS_WITH(StreamEccBench(EngineKind::clocked_inside, options),
                    ContainsSubstring("but the page has room for 16"));
  options.crc_bits = 16;
  CHECK_NOTHROW(StreamEccBench(EngineKind::clocked_inside, options));
}

TEST_CASE("the error for an unbound or a needless port names it") {
  Kernel kernel;
  Calendar calendar;
  CalendarModule driver("calendar", calendar, 0);
  SECTION("one that only a decoder has") {
    DesignOnWires design("decoder", calendar, {}, encoder_ports,
                         std::make_unique<ScramblerDesign>(FrameDesign::Pace{}, 1));
    StreamPinsModule& pins = design.driver;
    sc_core::sc_signal<bool> fail;
    pins.m_fail(fail);
    CHECK_THROWS_WITH(sc_core::sc_start(sc_core::SC_ZERO_TIME),
                      ContainsSubstring("decoder.m_fail: is bound, but the design has no such port"));
  }
  SECTION("one that all have") {
    StreamPinsModule pins("decoder", calendar, {}, encoder_ports);
    CHECK_THROWS_WITH(sc_core::sc_start(sc_core::SC_ZERO_TIME),
                      ContainsSubstring("decoder.") && ContainsSubstring("port not bound"));
  }
}

// Sends one frame of 8 words through a stream driver.
class OneFrame final : public StreamDriver::Client {
 public:
  explicit OneFrame(StreamDriver& driver) : driver_(driver) {}
  void start() { driver_.submit({&frame_, 1}, *this); }
  void frames_moved(Tick) override {}

 private:
  StreamDriver& driver_;
  std::vector<std::byte> in_ = std::vector<std::byte>(64), out_ = in_;
  StreamFrame frame_{.in = in_, .out = out_, .seed = 5};
};

std::string waves_of(const StreamPorts& ports) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "pins").string();
  const Kernel kernel;
  Calendar calendar;
  CalendarModule module("calendar", calendar, 0);
  DesignOnWires wires("design", calendar, {}, ports, std::make_unique<ScramblerDesign>(FrameDesign::Pace{}, 1));
  sc_core::sc_trace_file* const file = sc_core::sc_create_vcd_trace_file(path.c_str());
  wires.driver.record(*file);
  OneFrame frame(wires.driver);
  calendar.schedule<&OneFrame::start>(microsecond, frame);
  module.run(never);
  module.rethrow();
  sc_core::sc_close_vcd_trace_file(file);
  std::ifstream waves(path + ".vcd");
  return {std::istreambuf_iterator<char>(waves), {}};
}

TEST_CASE("the waves of a driver's pins are written") {
  const std::string waves = waves_of(scrambler_ports);
  for (const char* pin : {"clk", "rst_n", "s_data", "s_valid", "s_ready", "m_data", "m_valid", "m_ready", "seed"})
    CHECK_THAT(waves, ContainsSubstring(std::string(" ") + pin + " "));
  CHECK_THAT(waves, !ContainsSubstring("m_corrected"));
  // The clock has two edges per cycle. The frame needs at least 8 cycles, one for each word.
  std::size_t times = 0;
  for (std::size_t at = waves.find("\n#"); at != std::string::npos; at = waves.find("\n#", at + 1)) ++times;
  CHECK(times > 16);
  CHECK_THAT(waves_of(decoder_ports), ContainsSubstring("m_corrected"));
}

}  // namespace
}  // namespace nandscape::rtl
