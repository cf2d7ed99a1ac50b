// SPDX-License-Identifier: Apache-2.0
// A shared library that implements plugin/plugin.h. It stays loaded as long as a PluginLibrary holds it. Opening it
// several times in a process shares one copy.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "core/error.h"
#include "protocol/plugin/plugin.h"

namespace nandscape {

class PluginLibrary {
 public:
  // Throws std::invalid_argument with the reason unless the file is a plug-in of this version.
  static std::shared_ptr<const PluginLibrary> open(const std::string& path);

  ~PluginLibrary();
  PluginLibrary(const PluginLibrary&) = delete;
  PluginLibrary& operator=(const PluginLibrary&) = delete;

  // Throw std::invalid_argument if the plug-in makes no such object.
  std::unique_ptr<plugin::Codec> make_codec(const plugin::CodecRequest& request) const;
  std::unique_ptr<plugin::ContentEngine> make_content_engine(const plugin::ContentRequest& request) const;

  // Calls a function of the plug-in. Exceptions become an InputError that names the library and the function, since
  // their types may be unloaded with the library before they are caught.
  template <class Function>
  decltype(auto) call(std::string_view name, Function function) const {
    try {
      return function();
    } catch (const std::exception& error) {
      refuse_exception(name, error.what());
    } catch (...) {
      refuse_exception(name, "of a type not derived from std::exception");
    }
  }

  // Throws InputError for an invalid result of the plug-in.
  [[noreturn]] void refuse_answer(const std::string& what) const {
    throw InputError({path_, 0}, "the plug-in " + what);
  }

 private:
  explicit PluginLibrary(const std::string& path);

  [[noreturn]] void refuse_exception(std::string_view name, std::string_view what) const;
  template <class Product, class Make>
  std::unique_ptr<Product> make(const char* function, const std::string& kind, Make make) const;

  const std::string path_;
  void* handle_ = nullptr;
  plugin::Plugin* plugin_ = nullptr;
};

}  // namespace nandscape
