// SPDX-License-Identifier: Apache-2.0
// This file must not include SystemC, because its headers conflict with the headers of C++ models that Verilator
// generates.
#include "rtl/blocks/verilated_blocks.h"

#include <verilated.h>
#include <verilated_fst_c.h>

#include <fstream>

#include "core/error.h"
#include "nandscape_bch_decoder.h"
#include "nandscape_bch_encoder.h"
#include "nandscape_scrambler.h"
#include "nandscape_small_bch_decoder.h"
#include "nandscape_small_bch_encoder.h"

namespace nandscape::rtl {

namespace {

template <class Model>
class VerilatedModel final : public VerilatedStream, private Waves {
 public:
  VerilatedModel() : model_(&context_) { context_.traceEverOn(true); }
  ~VerilatedModel() override { model_.final(); }

  Outputs cycle(const Inputs& inputs) override {
    model_.clk = 0;
    model_.rst_n = !inputs.reset;
    model_.s_data = inputs.in.data;
    model_.s_keep = inputs.in.keep;
    model_.s_valid = inputs.in.valid;
    model_.s_last = inputs.in.last;
    model_.m_ready = inputs.out_ready;
    if constexpr (requires { model_.seed; }) model_.seed = inputs.seed;
    model_.eval();
    dump(cycle_at_ps_);

    Outputs outputs;
    outputs.in_ready = model_.s_ready;
    outputs.out = {model_.m_data, model_.m_keep, model_.m_valid != 0, model_.m_last != 0};
    if constexpr (requires { model_.m_fail; }) {
      outputs.fail = model_.m_fail;
      outputs.corrected = model_.m_corrected;
    }

    model_.clk = 1;
    model_.eval();
    dump(cycle_at_ps_ + period_ps_ / 2);
    is_seen_ = false;
    return outputs;
  }

  Waves& waves() override { return *this; }

 private:
  void open(const std::string& path) override {
    if (!std::ofstream(path))
      throw InputError({path}, "cannot write the file of waves; choose a path in an existing folder");
    if (trace_ == nullptr) {
      trace_ = std::make_unique<VerilatedFstC>();
      trace_->set_time_unit("1ps");
      trace_->set_time_resolution("1ps");
      model_.trace(trace_.get(), all_levels);
    }
    trace_->open(path.c_str());
  }

  void begin_cycle(std::uint64_t at_ps, std::uint64_t period_ps) override {
    cycle_at_ps_ = at_ps;
    period_ps_ = period_ps;
    is_seen_ = trace_ != nullptr && trace_->isOpen();
  }

  void close() override {
    if (trace_ != nullptr) trace_->close();
    is_seen_ = false;
  }

  void dump(std::uint64_t at_ps) {
    if (is_seen_) trace_->dump(at_ps);
  }

  static constexpr int all_levels = 99;

  VerilatedContext context_;
  Model model_;
  std::unique_ptr<VerilatedFstC> trace_;
  bool is_seen_ = false;
  std::uint64_t cycle_at_ps_ = 0;
  std::uint64_t period_ps_ = 0;
};

}  // namespace

std::unique_ptr<VerilatedStream> make_bch_encoder() {
  return std::make_unique<VerilatedModel<nandscape_bch_encoder>>();
}

std::unique_ptr<VerilatedStream> make_bch_decoder() {
  return std::make_unique<VerilatedModel<nandscape_bch_decoder>>();
}

std::unique_ptr<VerilatedStream> make_scrambler() { return std::make_unique<VerilatedModel<nandscape_scrambler>>(); }

std::unique_ptr<VerilatedStream> make_small_bch_encoder() {
  return std::make_unique<VerilatedModel<nandscape_small_bch_encoder>>();
}

std::unique_ptr<VerilatedStream> make_small_bch_decoder() {
  return std::make_unique<VerilatedModel<nandscape_small_bch_decoder>>();
}

}  // namespace nandscape::rtl
