// SPDX-License-Identifier: Apache-2.0
// Rows about codes, cells and codings that exclude each other.
#include <string>

#include "platform/config/incompatibility_rows.h"

namespace nandscape {

void add_codes(Rows& rows) {
  rows.insert(
      rows.end(),
      {{decoder_of_bytes, no_bytes,
        "the decoder decodes bytes, and the simulation keeps none; set simulation.data to stored, or take the decoder "
        "`table`"},
       {soft_reads,
        {"ecc.decoder", "has no code, as threshold",
         [](const Settings& s) { return !decoder_of(s.p.ecc)->has_code(); }},
        "soft reads help only a soft decoder; set ecc.codec to ldpc, and ecc.decoder to table, bit_true or steps"},
       {soft_reads,
        {"ecc.codec", "takes no soft reads, as bch",
         [](const Settings& s) {
           return decoder_of(s.p.ecc)->has_code() && !code_family_of(s.p.ecc).takes_soft_reads(code_of(s.p.ecc));
         }},
        "soft reads help only a soft decoder; set ecc.codec to ldpc, and ecc.decoder to table, bit_true or steps"},
       {{"ecc.decode_time", "is iterations",
         [](const Settings& s) { return s.p.ecc.decode_time == ecc::DecodeTime::iterations; }},
        {"ecc.decoder", "counts no iterations",
         [](const Settings& s) { return !decoder_of(s.p.ecc)->counts_iterations(); }},
        "the decoder counts no iterations; take `table` or `bit_true`"},
       {{"ecc.background.decode_time", "is iterations",
         [](const Settings& s) {
           return has_background(s) && s.p.ecc.background.decode_time == ecc::DecodeTime::iterations;
         }},
        {"ecc.decoder", "counts no iterations",
         [](const Settings& s) { return !decoder_of(s.p.ecc)->counts_iterations(); }},
        "the decoder counts no iterations; take `table` or `bit_true`"},
       {{"ecc.soft_engines", "is not 0", [](const Settings& s) { return s.p.ecc.soft_engines != 0; }},
        no_soft_reads,
        "no read is soft, so nothing would use these decoders; set ecc.soft_engines to 0, or the policy to one that "
        "reads soft"},
       {{"ecc.background.soft_engines", "is not 0",
         [](const Settings& s) { return has_background(s) && s.p.ecc.background.soft_engines != 0; }},
        no_soft_reads,
        "no read is soft, so nothing would use these decoders; set ecc.background.soft_engines to 0, or the policy to "
        "one that reads soft"},
       {{"ecc.stop_at_failure", "is true", [](const Settings& s) { return s.p.ecc.stop_at_failure; }},
        {"ecc.codeword_bytes", "is a whole page",
         [](const Settings& s) {
           return codes_of(s.p.ecc) == Codes::ordinary && s.p.ecc.codeword_bytes == s.p.nand.geometry.page_bytes;
         }},
        "after the only codeword of a page, there is nothing to stop; set ecc.stop_at_failure to false, or take "
        "shorter codewords"},
       {several_codes, parity,
        "pages have several codes, so a parity page over them has no code; set controller.parity.stripe_dies to 0, or "
        "ecc.selection to uniform"},
       {several_codes, fpa,
        "the selection gives each page a code of its own, and with fpa its place in the layers does; set one of them "
        "to "
        "its default (uniform, or in_one_page)"},
       {{"ecc.background.codeword_bytes", "does not divide the other codeword, nor is it a multiple of it",
         [](const Settings& s) {
           const std::uint32_t longest = longest_codeword_bytes(s.p.ecc);
           return has_background(s) &&
                  (longest % s.p.ecc.codeword_bytes != 0 || longest % s.p.ecc.background.codeword_bytes != 0);
         }},
        also("ecc.codeword_bytes", "is the codeword of other pages"),
        "codewords of these lengths do not align; make one length a multiple of the other"},
       {{"ecc.segments.correctable_bits", "has another number of items than t_codeword_us, none, or more than 5",
         [](const Settings& s) {
           const SegmentCodeParameters& p = s.p.ecc.segments;
           constexpr std::size_t most_codes = 5;
           return has_segments(s) && (p.correctable_bits.empty() || p.correctable_bits.size() > most_codes ||
                                      p.correctable_bits.size() != p.t_codeword_us.size());
         }},
        also("ecc.segments.t_codeword_us", "has another number of items"),
        "ecc.segments.correctable_bits must name the codes of 2, 4, 8, 16 and 32 segments, or the first few of them, "
        "and ecc.segments.t_codeword_us a time for each"},
       {{"ecc.codeword_bytes", "is not a page",
         [](const Settings& s) { return s.p.ecc.codeword_bytes != s.p.nand.geometry.page_bytes; }},
        segments,
        "cdber has a codeword of a whole page; set ecc.codeword_bytes to nand.geometry.page_bytes:",
        [](const Settings& s) { return std::to_string(s.p.nand.geometry.page_bytes); }},
       {{"ecc.plugin", "is given", [](const Settings& s) { return !s.p.ecc.plugin.empty(); }},
        segments,
        "cdber has lighter BCH codes for segments; leave ecc.plugin empty"},
       {{"ecc.codec", "is not bch",
         [](const Settings& s) { return decoder_of(s.p.ecc)->has_code() && s.p.ecc.codec.name != "bch"; }},
        segments,
        "cdber has lighter BCH codes for segments; set ecc.codec to bch"},
       {not_two_bits, segments, "cdber counts states of two bits in natural order; set nand.coding to mlc_13"},
       {{"controller.mapping.unit_bytes", "is not 0 and not a page",
         [](const Settings& s) {
           const std::uint32_t unit = s.p.controller.mapping.unit_bytes;
           return unit != 0 && unit != s.p.nand.geometry.page_bytes;
         }},
        segments,
        "cdber chooses a code for the content of a whole page; set controller.mapping.unit_bytes to 0 or to",
        [](const Settings& s) { return std::to_string(s.p.nand.geometry.page_bytes); }},
       {copyback, segments,
        "copyback keeps the code of a page, but cdber chooses the code by the page's new place; set copyback to "
        "false"}});
}

// Adds rows for keys of one group that contradict each other and that the block itself does not compare.
void add_electrical(Rows& rows) {
  rows.insert(
      rows.end(),
      {{{"channel.rate_mt_s", "is more than the interface can carry",
         [](const Settings& s) { return s.p.channel.rate_mt_s > channel::fastest_mt_s(s.p.channel.interface); }},
        also("channel.interface", "has a highest rate"),
        "choose a faster interface, or a rate of at most",
        [](const Settings& s) { return std::to_string(channel::fastest_mt_s(s.p.channel.interface)) + " MT/s"; }},
       {{"controller.power_loss.cut_off_v", "is not below capacitor_v",
         [](const Settings& s) {
           return s.p.controller.power_loss.cut_off_v >= s.p.controller.power_loss.capacitor_v;
         }},
        also("controller.power_loss.capacitor_v", "is the voltage of the charged capacitor"),
        "cut_off_v must be below capacitor_v, since the capacitor feeds the drive while its voltage falls from "
        "capacitor_v to cut_off_v"},
       {{"controller.dram.row_bytes", "is not a whole number of bursts",
         [](const Settings& s) {  // a burst has 8 transfers of bus_bits / 8 bytes
           return s.p.controller.dram.row_bytes % s.p.controller.dram.bus_bits != 0;
         }},
        also("controller.dram.bus_bits", "is the width of the bus"),
        "a row must be a whole number of bursts, each of as many bytes as the bus has bits"},
       {{"controller.dram.t_rfc_ns", "is not less than t_refi_ns",
         [](const Settings& s) { return s.p.controller.dram.t_rfc_ns >= s.p.controller.dram.t_refi_ns; }},
        also("controller.dram.t_refi_ns", "is the time between two refresh commands"),
        "a refresh must be shorter than t_refi_ns, else it leaves no time for data"}});
}

void add_state_mapping(Rows& rows) {
  constexpr Condition by_selection{"ecc.state_mapping", "is not none", [](const Settings& s) {
                                     return controller::ecc_selection_registry().make(s.p.ecc.selection)->maps_states();
                                   }};
  constexpr Condition by_writing{"controller.content.state_mapping", "is true, and by_content", [](const Settings& s) {
                                   return writes_by_content(s) && s.p.controller.content.state_mapping;
                                 }};
  for (const Condition& mapping : {by_selection, by_writing}) {
    rows.insert(
        rows.end(),
        {{mapping, adjusted_wordlines,
          "a mapped page needs both pages of its wordline to be read, and this refresh leaves one; choose one of the "
          "two"},
         {mapping,
          {"ecc.scrambler", "is true, and pages have bytes that the decoder or the cells read",
           [](const Settings& s) {
             return keeps_bytes(s) && s.p.ecc.scrambler &&
                    (decoder_of(s.p.ecc)->has_bytes() || cell_model_of(s.p.simulation)->reads_content());
           }},
          "state mapping has no effect on scrambled pages, whose cells are in all states equally often; set "
          "ecc.scrambler to false"},
         {mapping,
          {copyback.key, "is true, and bytes are stored",
           [](const Settings& s) { return keeps_bytes(s) && copyback.holds(s); }},
          "a mapped page needs both pages of its wordline to be read, and copyback takes one away from the other; set "
          "copyback to false"},
         {mapping,
          {parity.key, "is not 0, and bytes are stored",
           [](const Settings& s) { return keeps_bytes(s) && parity.holds(s); }},
          "state mapping gathers the pages of a wordline, which parity does in a way of its own; set "
          "controller.parity.stripe_dies to 0"},
         {mapping,
          {superpages.key, "is superpage, and bytes are stored",
           [](const Settings& s) { return keeps_bytes(s) && superpages.holds(s); }},
          "state mapping gathers the pages of a wordline, which superpages do in a way of their own; set "
          "controller.mapping.layout to plane"},
         {mapping,
          {fpa.key, "is fpa, and bytes are stored", [](const Settings& s) { return keeps_bytes(s) && fpa.holds(s); }},
          "state mapping gathers the pages of a wordline, which fpa does in a way of its own; set "
          "controller.fullpages.allocation to in_one_page"}});
  }
}

}  // namespace nandscape
