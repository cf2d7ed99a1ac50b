// SPDX-License-Identifier: Apache-2.0
// Tests which files are accepted as plug-ins, and the errors for other files.
#include <dlfcn.h>

#include <fstream>
#include <stdexcept>

#include "catch.h"
#include "protocol/plugin/plugin_library.h"

namespace nandscape {
namespace {

const std::string folder = NANDSCAPE_PLUGIN_FOLDER;

std::string refusal(const std::string& path) {
  try {
    PluginLibrary::open(path);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  FAIL(path + " was opened");
  return "";
}

bool is_loaded(const std::string& path) {
  void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

}  // namespace

TEST_CASE("plug-ins: a file that is not a plug-in is refused, and the message says why") {
  CHECK_THAT(refusal(folder + "none.so"), ContainsSubstring("there is no file '" + folder + "none.so'"));
  CHECK_THAT(refusal(folder), ContainsSubstring("there is no file"));
  const std::string text = folder + "text.so";
  std::ofstream(text) << "no library\n";
  CHECK_THAT(refusal(text), ContainsSubstring("cannot be loaded as a shared library"));
  CHECK_THAT(refusal(folder + "no_entry.so"), ContainsSubstring("it has no function nandscape_plugin()"));
  CHECK_FALSE(is_loaded(folder + "no_entry.so"));
}

TEST_CASE("plug-ins: the error for another version names both versions and the remedy") {
  const std::string message = refusal(folder + "other_version.so");
  CHECK_THAT(message, ContainsSubstring(folder + "other_version.so"));
  CHECK_THAT(message, ContainsSubstring("built against version " + std::to_string(plugin::interface_version + 1)));
  CHECK_THAT(message, ContainsSubstring("this nandscape has version " + std::to_string(plugin::interface_version)));
  CHECK_THAT(message, ContainsSubstring("rebuild it with protocol/plugin/plugin.h"));
  CHECK_THAT(refusal(folder + "other_sizes.so"), ContainsSubstring("its structures have other sizes"));
}

TEST_CASE("plug-ins: missing features and refused options are different errors") {
  const auto nothing = PluginLibrary::open(folder + "offers_nothing.so");
  CHECK_THROWS_WITH(nothing->make_codec({512, ""}), ContainsSubstring("offers no codec"));
  CHECK_THROWS_WITH(nothing->make_content_engine({}), ContainsSubstring("offers no content engine"));
  const auto hamming = PluginLibrary::open(folder + "hamming.so");
  CHECK_THROWS_WITH(
      hamming->make_codec({512, "t=2"}),
      ContainsSubstring("refuses to make this codec: a Hamming code has no options, but was given 't=2'"));
}

TEST_CASE("plug-ins: a library is shared, and stays loaded while any of its objects lives") {
  const std::string path = folder + "hamming.so";
  CHECK_FALSE(is_loaded(path));
  auto first = PluginLibrary::open(path);
  auto again = PluginLibrary::open(path);
  first.reset();
  CHECK(is_loaded(path));
  CHECK(again->make_codec({512, ""})->facts().correctable_bits == 1);
  again.reset();
  CHECK_FALSE(is_loaded(path));
}

TEST_CASE("plug-ins: exceptions that leave them become errors that outlive the library") {
  std::string message;
  try {
    PluginLibrary::open(folder + "misbehaving.so")->make_codec({512, "throw when it is made"});
  } catch (const std::invalid_argument& error) {
    message = error.what();
  }
  CHECK_FALSE(is_loaded(folder + "misbehaving.so"));
  CHECK_THAT(message, ContainsSubstring("misbehaving.so: the plug-in threw an exception in make_codec(): not today"));
}

}  // namespace nandscape
