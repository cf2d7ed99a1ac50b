// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "ecc/codes/code_family.h"

namespace nandscape::ecc {

// To add a family of codes, add its source files, and declare and call its registration function here.
void register_bch(CodeFamilyRegistry& registry);
void register_ldpc(CodeFamilyRegistry& registry);
void register_concatenated(CodeFamilyRegistry& registry);
std::unique_ptr<CodeFamily> make_plugin_family();

CodeFamilyRegistry& code_family_registry() {
  static CodeFamilyRegistry registry("ecc.codec", [](CodeFamilyRegistry& r) {
    for (const auto add : {register_bch, register_ldpc, register_concatenated}) add(r);
  });
  return registry;
}

const CodeFamily& code_family(std::string_view name) {
  static std::mutex guard;
  static std::map<std::string, std::unique_ptr<CodeFamily>, std::less<>> families;
  const std::scoped_lock lock(guard);
  if (const auto known = families.find(name); known != families.end()) return *known->second;
  const std::string own(name);
  std::unique_ptr<CodeFamily> made =
      name == plugin_family ? make_plugin_family() : code_family_registry().make({own, nullptr});
  return *families.emplace(own, std::move(made)).first->second;
}

std::unique_ptr<Codec> make_codec(const Code& code) { return code_family(code.family).make_codec(code); }

}  // namespace nandscape::ecc
