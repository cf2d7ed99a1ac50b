// SPDX-License-Identifier: Apache-2.0
#include "ecc/codes/code.h"

#include <charconv>
#include <filesystem>
#include <stdexcept>

#include "core/message_text.h"
#include "ecc/codes/code_family.h"

namespace nandscape::ecc {

namespace {

std::string form_of_name(std::string_view name) {
  const CodeFamily& family = code_family(name);
  std::string form = std::string(name) + "_<payload bytes>";
  if (family.has_correctable_bits()) form += "_<correctable bits>";
  if (family.has_ldpc_parity()) form += family.has_correctable_bits() ? "_<LDPC parity bytes>" : "_<parity bytes>";
  return form;
}

[[noreturn]] void refuse(std::string_view name) {
  std::string forms;
  const std::vector<Choice> families = code_family_registry().variants();
  for (std::size_t k = 0; k < families.size(); ++k) {
    forms += (k == 0 ? "" : k + 1 == families.size() ? " or " : ", ") + form_of_name(families[k].name);
  }
  throw std::invalid_argument("\"" + printable(name, 80) + "\" names no code; a name is " + forms +
                              ", such as bch_1024_72 or ldpc_4096_512; the code of a plug-in is called " +
                              std::string(plugin_family) + "_<payload bytes>:<path>");
}

Code plugin_code_named(std::string_view name) {
  Code code;
  code.family = plugin_family;
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) refuse(name);
  const char* const end = name.data() + colon;
  const auto [rest, error] = std::from_chars(name.data() + plugin_family.size() + 1, end, code.payload_bytes);
  if (error != std::errc() || rest != end) refuse(name);
  const std::string_view path = name.substr(colon + 1, name.find('?', colon) - colon - 1);
  if (path.empty()) refuse(name);
  code.plugin = std::filesystem::absolute(path).lexically_normal().string();
  const std::size_t options = colon + 1 + path.size() + 1;
  if (options <= name.size()) code.plugin_options = name.substr(options);
  return code;
}

}  // namespace

std::string to_string(const Code& code) {
  const CodeFamily& family = code_family(code.family);
  std::string name = code.family;
  const auto append = [&](std::uint32_t number) { name.append("_").append(std::to_string(number)); };
  append(code.payload_bytes);
  if (family.has_correctable_bits()) append(code.correctable_bits);
  if (family.has_ldpc_parity()) append(code.ldpc_parity_bytes);
  if (!code.plugin.empty()) name.append(":").append(code.plugin);
  if (!code.plugin_options.empty()) name.append("?").append(code.plugin_options);
  return name;
}

Code code_named(std::string_view name) {
  if (name.starts_with(std::string(plugin_family) + "_")) return plugin_code_named(name);
  for (const Choice& variant : code_family_registry().variants()) {
    if (!name.starts_with(variant.name)) continue;
    const CodeFamily& family = code_family(variant.name);
    Code code;
    code.family = variant.name;
    std::vector<std::uint32_t*> numbers = {&code.payload_bytes};
    if (family.has_correctable_bits()) numbers.push_back(&code.correctable_bits);
    if (family.has_ldpc_parity()) numbers.push_back(&code.ldpc_parity_bytes);
    const char* at = name.data() + variant.name.size();
    const char* const end = name.data() + name.size();
    for (std::uint32_t* number : numbers) {
      if (at == end || *at != '_') refuse(name);
      const auto [rest, error] = std::from_chars(at + 1, end, *number);
      if (error != std::errc()) refuse(name);
      at = rest;
    }
    if (at != end) refuse(name);
    return code;
  }
  refuse(name);
}

std::vector<Code> shipped_codes() {
  std::vector<Code> codes;
  for (const Choice& family : code_family_registry().variants()) {
    for (Code& code : code_family(family.name).shipped_codes()) codes.push_back(std::move(code));
  }
  return codes;
}

}  // namespace nandscape::ecc
