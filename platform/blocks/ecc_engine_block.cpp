// SPDX-License-Identifier: Apache-2.0
#include "platform/blocks/ecc_engine_block.h"

#include <utility>

#ifdef NANDSCAPE_RTL
#include "platform/blocks/rtl_ecc_engine.h"
#endif

namespace nandscape {

namespace {

class BuiltInEngine final : public EccEngineBlock {
 public:
  using Parameters = NoParameters;
  BuiltInEngine(const Parameters&, EccEngineContext& c)
      : module_(c.name.c_str(), c.calendar, c.codes, c.hardware, std::move(c.coder), c.units) {}

  Tick lookahead() const override { return never; }
  bool persists() const override { return true; }
  bool pools() const override { return true; }
  void persist(Archive& archive) override { module_.persist(archive); }
  JobTargetSocket<EccJob>& decode_socket() override { return module_.decode_socket(); }
  JobTargetSocket<EccJob>& encode_socket() override { return module_.encode_socket(); }
  ecc::EccCounters counters(CodeNumber code) const override { return module_.counters(code); }

 private:
  ecc::EccEngineModule module_;
};

}  // namespace

EccEngineBlocks& ecc_engine_blocks() {
  static EccEngineBlocks blocks("ECC engines", [](EccEngineBlocks& r) {
    r.add<BuiltInEngine>("built_in", "an encoder and a decoder, or a pool of them, with the times of group ecc");
#ifdef NANDSCAPE_RTL
    add_rtl_engine(r);
#endif
  });
  return blocks;
}

}  // namespace nandscape
