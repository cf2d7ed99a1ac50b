// SPDX-License-Identifier: Apache-2.0
// An ECC engine whose encoder and decoder are SC_THREADs. The decoder processes one codeword at a time and corrects up
// to `correctable_bits` errors in each. Encoding takes a fixed time.
#pragma once

#include <deque>
#include <systemc>
#include <tlm>

#include "platform/blocks/ecc_engine_block.h"
#include "protocol/ecc_job.h"
#include "protocol/job_socket.h"

class ThreadedUnit final : public sc_core::sc_module, private nandscape::JobForward<nandscape::EccJob> {
 public:
  struct Times {
    sc_core::sc_time codeword;  // decoding time of a codeword
    sc_core::sc_time encode;
    unsigned codeword_bytes;
    unsigned correctable_bits;
  };

  SC_HAS_PROCESS(ThreadedUnit);
  ThreadedUnit(sc_core::sc_module_name name, const Times& times);

  nandscape::JobTargetSocket<nandscape::EccJob> socket{"socket"};

 private:
  using Payload = tlm::tlm_generic_payload;

  struct Result {
    Payload* payload;
    sc_core::sc_time at;
  };

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) override;
  void b_transport(Payload& payload, sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }

  // Returns when the job ends. Its data are transferred by `now`. Decoding jobs wait for one another.
  sc_core::sc_time work(nandscape::EccJob& job, const sc_core::sc_time& now);
  void answer();

  const Times times_;
  sc_core::sc_time free_;  // the time at which the decoder finishes its latest job
  std::deque<Result> results_;
  sc_core::sc_event more_;
};

// A decoder and an encoder, combined to an ECC engine that the platform can create.
class ThreadedEngine final : public nandscape::EccEngineBlock {
 public:
  struct Parameters {
    double t_codeword_us = 2;
    double t_encode_us = 3;
  };
  ThreadedEngine(const Parameters& parameters, nandscape::EccEngineContext& context);

  nandscape::JobTargetSocket<nandscape::EccJob>& decode_socket() override { return decoder_.socket; }
  nandscape::JobTargetSocket<nandscape::EccJob>& encode_socket() override { return encoder_.socket; }

 private:
  ThreadedUnit decoder_;
  ThreadedUnit encoder_;
};
void describe(ThreadedEngine::Parameters& p, nandscape::ParameterVisitor& v);
