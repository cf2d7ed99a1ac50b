// SPDX-License-Identifier: Apache-2.0
// Constructs a base matrix and prints it. The first lines of each file in ../matrices state the arguments with which
// this program was called.
#include <cstdio>
#include <cstdlib>

#include "ecc/ldpc/construct/construction.h"

using namespace nandscape::ecc::ldpc;

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "construct_matrix <payload columns> <rows> <lifting> <sweeps> <seed>\n");
    return EXIT_FAILURE;
  }
  const auto argument = [&](int i) { return static_cast<std::uint32_t>(std::strtoul(argv[i], nullptr, 10)); };
  const Construction construction{argument(1), argument(2), argument(3), argument(4), argument(5)};
  const std::vector<Block> blocks = construct(construction);
  const BaseMatrix matrix{construction.information_columns, construction.rows, construction.lifting, blocks};
  const ShortCycles cycles = short_cycles(matrix);
  std::printf("// SPDX-License-Identifier: Apache-2.0\n// construct_matrix %u %u %u %u %u: column, row, shift\n",
              construction.information_columns, construction.rows, construction.lifting, construction.sweeps,
              construction.seed);
  std::printf("// Cycles of 4 edges: %llu, of 6 edges: %llu, each %u times.\n",
              static_cast<unsigned long long>(cycles.of_4), static_cast<unsigned long long>(cycles.of_6),
              construction.lifting);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool ends_column = i + 1 == blocks.size() || blocks[i + 1].column != blocks[i].column;
    std::printf("{%u, %u, %u},%s", blocks[i].column, blocks[i].row, blocks[i].shift, ends_column ? "\n" : " ");
  }
}
