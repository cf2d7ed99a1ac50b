// SPDX-License-Identifier: Apache-2.0
// What a plug-in offers: a shared library with a codec, a content engine, or both, which the configuration names by its
// path (`ecc.plugin`, `controller.content.plugin`). A plug-in includes this header and nothing else of nandscape:
//
//   class MyPlugin final : public nandscape::plugin::Plugin { ... };
//   NANDSCAPE_PLUGIN(MyPlugin)
//
// Plug-in and nandscape share this header, the C++ ABI of the platform (Itanium: GCC and Clang on Linux), and pointers
// to bytes. Objects are deleted through their virtual destructors, whose code is the plug-in's own.
//
// An answer depends on its arguments alone. What an object remembers from one call to the next is in no checkpoint, so
// that a restored simulation would go on differently. Several threads may call at the same time, but an object that was
// made for one of them is called by that one only. Functions do not throw; an exception that leaves one all the same is
// reported as an error of the plug-in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nandscape::plugin {

// Counts the versions of this header that do not go together.
inline constexpr std::uint32_t interface_version = 1;

// What is constant of a codec. `name` stays valid as long as the codec does.
struct CodecFacts {
  const char* name = "";
  std::uint32_t payload_bytes = 0;
  std::uint32_t parity_bits = 0;       // 1 or more; they fill bytes from the lowest bit on, and zeros fill up the last
  std::uint32_t correctable_bits = 0;  // errors that are corrected wherever they lie; 0: no such number is known
  std::uint32_t takes_soft_reads = 0;  // 1: decode_soft() is better than decode()
};

struct DecodeOutcome {
  std::uint32_t corrected = 0;       // 1, or 0: the codeword is left as it was read
  std::uint32_t corrected_bits = 0;  // of payload and parity
  std::uint32_t iterations = 0;      // of an iterative decoder, begun ones counted; 0 for an algebraic one
};

// A codeword is its payload followed by its parity, which may lie apart. Bit i of either lies in bit i % 8 of byte i /
// 8.
class Codec {
 public:
  virtual ~Codec() = default;

  virtual CodecFacts facts() const = 0;
  virtual void encode(const std::byte* payload, std::byte* parity) = 0;
  // Corrects in place.
  virtual DecodeOutcome decode(std::byte* payload, std::byte* parity) = 0;
  // From soft reads, where facts() say that it takes them: for each bit of payload and parity, padding left out, its
  // log-likelihood ratio in steps of which 16 stand for the most certain bits, positive where the bit is rather 1.
  // Writes the payload and the parity that it decides for; when it fails, the signs.
  virtual DecodeOutcome decode_soft(std::span<const std::int8_t> /*llr*/, std::byte* /*payload*/,
                                    std::byte* /*parity*/) {
    return {};
  }
};

// What the configuration asks of a codec: its payload, `ecc.codeword_bytes`, and the text of `ecc.plugin_options`.
struct CodecRequest {
  std::uint32_t payload_bytes = 0;
  const char* options = "";
};

// The states of cells of two bits in the order of their voltage. The left digit is the bit in the MSB page, the right
// one that in the LSB page; 11 is the erased state.
struct StateCounts {
  std::uint32_t s11 = 0;
  std::uint32_t s10 = 0;
  std::uint32_t s01 = 0;
  std::uint32_t s00 = 0;
};
struct StateShares {
  double s11 = 0;
  double s10 = 0;
  double s01 = 0;
  double s00 = 0;
};

enum class PairedPage : std::uint32_t { lsb, msb };

// An ISPP step, and what it leads to: shares of the cells of each state that are read as a lower and as a higher one,
// when the data have been kept as long as they have to.
struct WriteStep {
  double step_mv = 0;
  double program_us = 0;
  StateShares read_lower;
  StateShares read_higher;
};

// Says how fast a wordline may be programmed, by what it holds.
class ContentEngine {
 public:
  virtual ~ContentEngine() = default;

  // How many cells of a wordline are in each state, by the bytes of its two pages, which have one size: cell i holds
  // bit i of either.
  virtual StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) = 0;
  // The largest step that the page bears, by its number, where cells are in so many states: as count() has counted
  // them, as they will be after the states have been mapped to others, or, where no bytes are kept, as
  // `controller.content.profile` has drawn them. 0, the device's own step, is always borne.
  virtual std::uint32_t step(PairedPage page, const StateCounts& states) = 0;
};

// What the configuration asks of a content engine. `steps` rise, and stay valid as long as the engine does.
struct ContentRequest {
  std::span<const WriteStep> steps;
  double correctable_ber = 0;  // raw bit error rate of a page up to which its code corrects it
  std::uint32_t cells = 0;     // of a wordline
  const char* options = "";    // the text of `controller.content.plugin_options`
};

// A plug-in offers a codec, a content engine or both. Each function returns null where it offers none, or none that
// meets the request, and then writes why, as text that ends with a zero byte. Objects belong to the caller, who deletes
// them before the library is unloaded.
class Plugin {
 public:
  virtual ~Plugin() = default;

  virtual Codec* make_codec(const CodecRequest& /*request*/, std::span<char> /*why_not*/) { return nullptr; }
  virtual ContentEngine* make_content_engine(const ContentRequest& /*request*/, std::span<char> /*why_not*/) {
    return nullptr;
  }
};

// What the entry point returns. The version stands first in every version; all else is read only where it fits.
struct Descriptor {
  std::uint32_t version = interface_version;
  std::uint32_t facts_bytes = sizeof(CodecFacts);
  std::uint32_t outcome_bytes = sizeof(DecodeOutcome);
  std::uint32_t write_step_bytes = sizeof(WriteStep);
  Plugin* plugin = nullptr;
};

inline constexpr const char* entry_point = "nandscape_plugin";

}  // namespace nandscape::plugin

// Makes `Class` the plug-in of the library. Stands once in it, outside of any namespace.
#define NANDSCAPE_PLUGIN(Class)                                                                               \
  extern "C" __attribute__((visibility("default"))) const nandscape::plugin::Descriptor* nandscape_plugin() { \
    static Class plugin;                                                                                      \
    static const nandscape::plugin::Descriptor descriptor{.plugin = &plugin};                                 \
    return &descriptor;                                                                                       \
  }
