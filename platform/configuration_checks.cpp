// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration_checks.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace nandscape {

namespace {

// Without blocks in reserve garbage collection has no place to move valid pages to, and the device stops for good.
void check_over_provisioning(const PlatformParameters& p, Contradictions& found) {
  if (p.controller.mapping.over_provisioning > 0) return;
  found.add("controller.mapping.over_provisioning",
            "the exported capacity would equal the raw capacity; give the share of it that is kept back, as 0.07");
}

void check_codewords(const PlatformParameters& p, Contradictions& found) {
  if (p.nand.geometry.page_bytes % p.ecc.codeword_bytes == 0) return;
  found.add("ecc.codeword_bytes", "a page of " + std::to_string(p.nand.geometry.page_bytes) +
                                      " bytes does not divide into codewords of " +
                                      std::to_string(p.ecc.codeword_bytes));
}

using Check = void (*)(const PlatformParameters&, Contradictions&);
constexpr std::array<Check, 2> checks = {
    check_over_provisioning,
    check_codewords,
};

}  // namespace

SourceLocation source_of(const Value& tree, const std::string& path) {
  SourceLocation source = tree.source;
  const Value* value = &tree;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    value = value->find(std::string_view(path).substr(begin, end - begin));
    if (value == nullptr) break;
    source = value->source;
    begin = end + 1;
  }
  return source;
}

void check_configuration(const PlatformParameters& parameters, const Value& tree) {
  Contradictions found(tree);
  for (const Check check : checks) check(parameters, found);
  found.throw_if_any();
}

}  // namespace nandscape
