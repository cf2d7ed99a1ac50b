// SPDX-License-Identifier: Apache-2.0
// A shared library that implements plugin/plugin.h. The library stays loaded as long as a PluginLibrary for it exists.
// If it is opened several times in a process, it is loaded only once.
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
  // Loads the library. Throws std::invalid_argument, with the reason, if the file is not a plug-in for this version of
  // nandscape.
  static std::shared_ptr<const PluginLibrary> open(const std::string& path);

  ~PluginLibrary();
  PluginLibrary(const PluginLibrary&) = delete;
  PluginLibrary& operator=(const PluginLibrary&) = delete;

  // These functions make an object of the plug-in. They throw std::invalid_argument if the plug-in does not make such
  // an object.
  std::unique_ptr<plugin::Codec> make_codec(const plugin::CodecRequest& request) const;
  std::unique_ptr<plugin::ContentEngine> make_content_engine(const plugin::ContentRequest& request) const;

  // Calls a function of the plug-in. An exception is converted to an InputError that contains the names of the library
  // and of the function. The original exception must not be passed on, because its type is unloaded together with the
  // library, possibly before the exception is caught.
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

  // Throws InputError for an invalid result of the plug-in. `what` describes the problem.
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
