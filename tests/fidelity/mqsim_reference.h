// SPDX-License-Identifier: Apache-2.0
// Figures measured with another simulator: MQSim (github.com/CMU-SAFARI/MQSim), commit 7ec40e3, built with GCC 12.2,
// with counters added that sum latencies in nanoseconds (its own are printed in whole microseconds) and change no time.
//
// The device: 4 channels with 4 chips of one die each, 2 planes (1 in the last family) of 1888 blocks, 576 pages of
// 16384 bytes; NV-DDR2 at 1000 MT/s on eight lines; program 700 us, erase 5 ms; NVMe over PCI Express, four lanes of
// 1 GB/s; ideal mapping table, CWDP, OUT_OF_ORDER, over-provisioning 0.07, no cache, no suspension, no preconditioning.
// The load: closed loop, requests of 16384 bytes aligned to their size, uniform over 1 % of the capacity, seed 798.
//
// The window: 20'000 to 1'000'000 requests behind a warm-up of 20'000 (writes alone) or 1'000'000 to 2'000'000, with
// the queue depth constant throughout. The 95 % confidence intervals, from 20 batch means, are within 0.5 % of every
// mean latency. No garbage was collected. Throughput at queue depth 1 and 70 % reads has the binomial noise of the
// drawn share of reads, 0.7 %.
#pragma once

#include <vector>

namespace nandscape::mqsim {

struct Figures {
  unsigned queue_depth;
  unsigned read_percent;
  double mean_read_us;   // 0: no reads
  double mean_write_us;  // 0: no writes
  double iops;
};

// Two planes; tR 78, 117 and 78 us for the lowest, middle and highest bit of a cell.
inline const std::vector<Figures> three_page_types = {
    {1, 100, 112.727, 0, 8871.0},    {1, 0, 0, 721.805, 1385.4},    {1, 70, 112.668, 721.805, 3389.9},
    {8, 100, 147.547, 0, 54220.0},   {8, 0, 0, 914.252, 8750.4},    {8, 70, 213.831, 861.815, 19611.8},
    {64, 100, 569.717, 0, 112336.2}, {64, 0, 0, 3234.982, 19784.6}, {64, 70, 434.306, 3389.921, 48482.7},
};

// Two planes; tR 90 us for every page. Writes alone are those of the family above, to the last digit.
inline const std::vector<Figures> one_page_type = {
    {1, 100, 111.746, 0, 8948.9},   {1, 0, 0, 721.805, 1385.4},    {1, 70, 111.746, 721.805, 3397.3},
    {8, 100, 149.254, 0, 53600.0},  {8, 0, 0, 914.252, 8750.4},    {8, 70, 213.344, 862.591, 19617.0},
    {64, 100, 662.533, 0, 96599.1}, {64, 0, 0, 3234.982, 19784.6}, {64, 70, 433.296, 3382.208, 48594.1},
};

// One plane; tR 90 us for every page.
inline const std::vector<Figures> one_page_type_one_plane = {
    {1, 100, 111.746, 0, 8948.9},   {1, 0, 0, 721.805, 1385.4},    {1, 70, 111.746, 721.805, 3388.1},
    {8, 100, 149.171, 0, 53630.0},  {8, 0, 0, 914.297, 8749.9},    {8, 70, 213.412, 863.541, 19586.6},
    {64, 100, 665.393, 0, 96183.4}, {64, 0, 0, 3250.850, 19687.1}, {64, 70, 434.567, 3379.563, 48544.4},
};

}  // namespace nandscape::mqsim
