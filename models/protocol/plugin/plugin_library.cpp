// SPDX-License-Identifier: Apache-2.0
#include "protocol/plugin/plugin_library.h"

#include <dlfcn.h>

#include <array>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "core/message_text.h"

namespace nandscape {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_path = 500;  // in messages
constexpr std::size_t longest_reason = 300;

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw std::invalid_argument("'" + printable(path, longest_path) + "' " + what);
}

void check_file(const std::string& path) {
  std::error_code error;
  if (path.find('\0') == std::string::npos && fs::is_regular_file(path, error)) return;
  throw std::invalid_argument("there is no file '" + printable(path, longest_path) +
                              "'; give the path of the plug-in's shared library");
}

void check_version(const std::string& path, const plugin::Descriptor& found) {
  const plugin::Descriptor ours;
  const bool fits = found.version == ours.version && found.facts_bytes == ours.facts_bytes &&
                    found.outcome_bytes == ours.outcome_bytes && found.write_step_bytes == ours.write_step_bytes;
  if (fits) return;
  const std::string again = "rebuild it with protocol/plugin/plugin.h of this nandscape";
  if (found.version == ours.version) {
    refuse(path, "claims version " + std::to_string(ours.version) +
                     " of the plug-in interface, but its structures have other sizes than those of this version; " +
                     again);
  }
  refuse(path, "was built against version " + std::to_string(found.version) +
                   " of the plug-in interface, and this nandscape has version " + std::to_string(ours.version) + "; " +
                   again + (found.version > ours.version ? ", or use a nandscape of its version" : ""));
}

}  // namespace

std::shared_ptr<const PluginLibrary> PluginLibrary::open(const std::string& path) {
  return std::shared_ptr<const PluginLibrary>(new PluginLibrary(path));
}

PluginLibrary::PluginLibrary(const std::string& path) : path_(path) {
  check_file(path);
  // The path is made absolute, because dlopen() searches for a name without a slash in the library directories of the
  // system.
  const std::string file = fs::absolute(path).string();
  std::unique_ptr<void, int (*)(void*)> handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), dlclose);
  if (handle == nullptr) {
    refuse(path, "cannot be loaded as a shared library: " + printable(dlerror(), longest_reason));
  }
  void* const entry = dlsym(handle.get(), plugin::entry_point);
  if (entry == nullptr) {
    refuse(path, "is not a nandscape plug-in: it has no function " + std::string(plugin::entry_point) +
                     "(), which the macro NANDSCAPE_PLUGIN of protocol/plugin/plugin.h defines");
  }
  const auto describe = reinterpret_cast<const plugin::Descriptor* (*)()>(entry);
  const plugin::Descriptor* const found = [&] {
    try {
      return call(plugin::entry_point, describe);
    } catch (const InputError& error) {
      throw std::invalid_argument(error.what());
    }
  }();
  if (found == nullptr) refuse(path, "is not a nandscape plug-in: its entry point returns null");
  check_version(path, *found);
  if (found->plugin == nullptr)
    refuse(path, "describes no plug-in: define its entry point with the macro NANDSCAPE_PLUGIN");
  plugin_ = found->plugin;
  handle_ = handle.release();
}

PluginLibrary::~PluginLibrary() { dlclose(handle_); }

void PluginLibrary::refuse_exception(std::string_view name, std::string_view what) const {
  refuse_answer("threw an exception in " + std::string(name) + "(): " + printable(what, longest_reason));
}

template <class Product, class Make>
std::unique_ptr<Product> PluginLibrary::make(const char* function, const std::string& kind, Make make) const {
  std::array<char, 256> why_not{};
  std::unique_ptr<Product> made;
  try {
    made.reset(call(function, [&] { return make(std::span<char>(why_not)); }));
  } catch (const InputError& error) {
    throw std::invalid_argument(error.what());
  }
  if (made != nullptr) return made;
  why_not.back() = '\0';
  const std::string why = printable(why_not.data(), longest_reason);
  if (why.empty()) refuse(path_, "offers no " + kind);
  refuse(path_, "refuses to make this " + kind + ": " + why);
}

std::unique_ptr<plugin::Codec> PluginLibrary::make_codec(const plugin::CodecRequest& request) const {
  return make<plugin::Codec>("make_codec", "codec",
                             [&](std::span<char> why_not) { return plugin_->make_codec(request, why_not); });
}

std::unique_ptr<plugin::ContentEngine> PluginLibrary::make_content_engine(const plugin::ContentRequest& request) const {
  return make<plugin::ContentEngine>("make_content_engine", "content engine", [&](std::span<char> why_not) {
    return plugin_->make_content_engine(request, why_not);
  });
}

}  // namespace nandscape
