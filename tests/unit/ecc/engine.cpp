// SPDX-License-Identifier: Apache-2.0
#include "ecc/engine.h"

#include "catch.h"
#include "core/error.h"
#include "ecc/page_coders/threshold_coder.h"

namespace nandscape {
namespace {

constexpr Tick us = microsecond;

EccParameters parameters() {
  EccParameters p;
  p.t_decode_us = 15;
  p.decode_mb_s = 1000;  // 1 ns per byte
  p.t_encode_us = 6;
  p.encode_mb_s = 2000;
  return p;
}

EccEngine make_engine(const EccParameters& p = parameters()) { return {p, std::make_unique<ThresholdCoder>(40)}; }

EccJob job(EccKind kind, std::uint32_t bytes, std::uint32_t errors = 0) {
  EccJob j;
  j.kind = kind;
  j.bytes = bytes;
  j.raw_bit_errors = errors;
  j.worst_codeword_errors = errors;
  return j;
}

TEST_CASE("a job alone takes the latency, whatever its size") {
  for (const std::uint32_t bytes : {1024u, 16384u}) {
    EccEngine engine = make_engine();
    EccJob decode = job(EccKind::decode, bytes), encode = job(EccKind::encode, bytes);
    CHECK(engine.accept(decode, 100) == 100 + 15 * us);
    CHECK(engine.accept(encode, 100) == 100 + 6 * us);
  }
}

TEST_CASE("jobs that arrive together follow each other at the throughput") {
  EccEngine engine = make_engine();
  for (Tick k = 0; k < 10; ++k) {
    EccJob j = job(EccKind::decode, 8000);
    CHECK(engine.accept(j, 50) == 50 + k * 8 * us + 15 * us);
  }
  // Encoding goes on beside it.
  for (Tick k = 0; k < 10; ++k) {
    EccJob j = job(EccKind::encode, 8000);
    CHECK(engine.accept(j, 50) == 50 + k * 4 * us + 6 * us);
  }
}

TEST_CASE("a job waits for the one before it only if that is not in yet") {
  EccEngine engine = make_engine();
  EccJob j = job(EccKind::decode, 8000);
  engine.accept(j, 0);
  CHECK(engine.accept(j, 8 * us - 1) == 8 * us + 15 * us);  // blocked at t - 1
  EccEngine other = make_engine();
  other.accept(j, 0);
  CHECK(other.accept(j, 8 * us) == 8 * us + 15 * us);  // ready at t
  CHECK(other.accept(j, 100 * us) == 115 * us);
}

TEST_CASE("throughput holds to the byte over many small jobs") {
  EccParameters p = parameters();
  p.decode_mb_s = 3000;  // a third of a ns per byte
  EccEngine engine = make_engine(p);
  Tick done = 0;
  for (int k = 0; k < 3001; ++k) {
    EccJob j = job(EccKind::decode, 1024);
    done = engine.accept(j, 0);
  }
  CHECK(static_cast<double>(done - 15 * us) == Approx(3000 * 1024 / 3.0 * 1e3).epsilon(1e-5));
}

TEST_CASE("errors are corrected up to the limit of the code") {
  EccEngine engine = make_engine();
  EccJob clean = job(EccKind::decode, 1024, 0), at_limit = job(EccKind::decode, 1024, 40),
         beyond = job(EccKind::decode, 1024, 41);
  for (EccJob* j : {&clean, &at_limit, &beyond}) engine.accept(*j, 0);
  CHECK_FALSE(clean.uncorrectable);
  CHECK_FALSE(at_limit.uncorrectable);
  CHECK(at_limit.corrected_bits == 40);
  CHECK(beyond.uncorrectable);
  CHECK(beyond.corrected_bits == 0);
  CHECK(engine.counters().decoded_pages == 3);
  CHECK(engine.counters().corrected_bits == 40);
  CHECK(engine.counters().uncorrectable == 1);
  CHECK(engine.counters().encoded_pages == 0);
}

TEST_CASE("a page is a whole number of codewords") {
  EccParameters p = parameters();
  p.codeword_bytes = 1024;
  CHECK_NOTHROW(check(p, 4096, 0));
  CHECK_THROWS_AS(check(p, 4608, 0), ConfigError);
}

}  // namespace
}  // namespace nandscape
