// SPDX-License-Identifier: Apache-2.0
#include "nand/cell_device.h"

namespace nandscape {

CellDevice::CellDevice(const NandParameters& p, std::uint32_t bytes_of_codeword)
    : coding(coding_named(p.coding)),
      cells(p.cells),
      condition(p.condition),
      model(p.cells, {p.timing.t_pre_us, p.timing.t_eval_us, p.timing.t_disch_us}),
      misreads(model, cells.variation),
      blocks_per_die(p.geometry.planes_per_die * p.geometry.blocks_per_plane),
      wordlines_per_block((p.geometry.pages_per_block + coding.pages() - 1) / coding.pages()),
      page_bytes(p.geometry.page_bytes),
      codeword_bytes(bytes_of_codeword),
      bits_per_byte(8.0 * (p.geometry.page_bytes + p.geometry.spare_bytes) / p.geometry.page_bytes) {}

IsppSetup CellDevice::ispp(double step_mv) const {
  IsppSetup setup;
  setup.parameters = cells.ispp;
  setup.step_mv = model.step_of(step_mv);
  setup.noise_mv = cells.placement.pulse_noise_mv;
  for (std::uint32_t place = 1; place < model.places(); ++place) {
    setup.verify_mv.push_back(verify_level(cells.placement, place, setup.step_mv));
  }
  return setup;
}

double CellDevice::program_time_factor(double step_mv) const {
  if (step_mv == 0) return 1;
  return expected_ispp(ispp(step_mv)).latency_us(cells.ispp) / expected_ispp(ispp(0)).latency_us(cells.ispp);
}

}  // namespace nandscape
