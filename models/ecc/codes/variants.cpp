// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>

#include "ecc/codes/code_family.h"

namespace nandscape::ecc {

// To add a family, add its files and its registration here.
void register_bch(CodeFamilyRegistry& registry);
void register_ldpc(CodeFamilyRegistry& registry);
void register_concatenated(CodeFamilyRegistry& registry);
std::unique_ptr<CodeFamily> make_plugin_family();

const CodeFamilyRegistry& code_family_registry() {
  static const CodeFamilyRegistry registry = [] {
    CodeFamilyRegistry r("ecc.codec");
    for (const auto add : {register_bch, register_ldpc, register_concatenated}) add(r);
    return r;
  }();
  return registry;
}

const CodeFamily& code_family(std::string_view name) {
  static const auto families = [] {
    std::map<std::string, std::unique_ptr<CodeFamily>, std::less<>> made;
    const CodeFamilyRegistry& registry = code_family_registry();
    for (const Choice& family : registry.variants()) {
      made.emplace(family.name, registry.make({std::string(family.name), nullptr}));
    }
    made.emplace(plugin_family, make_plugin_family());
    return made;
  }();
  const auto found = families.find(name);
  if (found == families.end()) throw std::logic_error("no family of codes is named '" + std::string(name) + "'");
  return *found->second;
}

std::unique_ptr<Codec> make_codec(const Code& code) { return code_family(code.family).make_codec(code); }

}  // namespace nandscape::ecc
