// SPDX-License-Identifier: Apache-2.0
// The interface of plug-ins. A plug-in is a shared library with a codec, a content engine, or both; the configuration
// names it by its path (`ecc.plugin`, `controller.content.plugin`). A plug-in includes only this header of nandscape:
//
//   class MyPlugin final : public nandscape::plugin::Plugin { ... };
//   NANDSCAPE_PLUGIN(MyPlugin)
//
// Plug-in and nandscape share this header, the C++ ABI of the platform (Itanium: GCC and Clang on Linux), and pointers
// to bytes. Objects are deleted through their virtual destructors, whose code belongs to the plug-in.
//
// A result must depend on the arguments alone. Checkpoints hold no state of plug-in objects, so a restored simulation
// would otherwise continue differently. Several threads may call at the same time, but an object made for one thread is
// called by that thread only. Functions must not throw; an escaping exception is reported as an error of the plug-in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nandscape::plugin {

// Incremented when this header becomes incompatible with earlier versions.
inline constexpr std::uint32_t interface_version = 1;

// The constants of a codec. `name` must stay valid as long as the codec exists.
struct CodecFacts {
  const char* name = "";
  std::uint32_t payload_bytes = 0;
  std::uint32_t parity_bits = 0;       // 1 or more; they fill bytes from the lowest bit onward; zeros pad the last byte
  std::uint32_t correctable_bits = 0;  // errors always corrected, whatever their positions; 0 if not known
  std::uint32_t takes_soft_reads = 0;  // 1: decode_soft() is better than decode()
};

struct DecodeOutcome {
  std::uint32_t corrected = 0;       // 1 on success; 0 if the codeword is left unchanged
  std::uint32_t corrected_bits = 0;  // in payload and parity
  std::uint32_t iterations = 0;      // iterations of an iterative decoder, an unfinished one included; else 0
};

// A codeword is its payload followed by its parity, which may be stored apart. Bit i of either part is bit i % 8 of its
// byte i / 8.
class Codec {
 public:
  virtual ~Codec() = default;

  virtual CodecFacts facts() const = 0;
  virtual void encode(const std::byte* payload, std::byte* parity) = 0;
  // Corrects payload and parity in place.
  virtual DecodeOutcome decode(std::byte* payload, std::byte* parity) = 0;
  // Decodes a soft read; called only if facts().takes_soft_reads is 1. `llr` holds the log-likelihood ratio of each bit
  // of payload and parity, without padding. It is positive if the bit is more likely 1; 16 stands for the most certain
  // bits. Writes the decoded payload and parity; on failure, the hard decisions given by the signs.
  virtual DecodeOutcome decode_soft(std::span<const std::int8_t> /*llr*/, std::byte* /*payload*/,
                                    std::byte* /*parity*/) {
    return {};
  }
};

// The codec that the configuration requests: its payload, `ecc.codeword_bytes`, and the text of `ecc.plugin_options`.
struct CodecRequest {
  std::uint32_t payload_bytes = 0;
  const char* options = "";
};

// The numbers of two-bit cells in each state, in the order of their voltage. The left digit is the bit in the MSB page,
// the right one the bit in the LSB page; 11 is the erased state.
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

// An ISPP step and its effects: the program time, and for each state the shares of its cells that read as a lower and
// as a higher state. The shares hold at the end of the required retention time.
struct WriteStep {
  double step_mv = 0;
  double program_us = 0;
  StateShares read_lower;
  StateShares read_higher;
};

// Chooses how fast a wordline may be programmed, from its content.
class ContentEngine {
 public:
  virtual ~ContentEngine() = default;

  // Returns the number of cells of a wordline in each state. The two pages have equal sizes; cell i holds bit i of
  // each.
  virtual StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) = 0;
  // Returns the index of the largest step with which the page stays correctable, for cells in these states. `states` is
  // a result of count(), possibly after the states were mapped to others. If the simulation keeps no bytes, it is drawn
  // from `controller.content.profile`. Step 0, the device's own, is always allowed.
  virtual std::uint32_t step(PairedPage page, const StateCounts& states) = 0;
};

// The content engine that the configuration requests. `steps` are in ascending order and stay valid as long as the
// engine exists.
struct ContentRequest {
  std::span<const WriteStep> steps;
  double correctable_ber = 0;  // largest raw bit error rate of a page that its code corrects
  std::uint32_t cells = 0;     // per wordline
  const char* options = "";    // the text of `controller.content.plugin_options`
};

// A plug-in offers a codec, a content engine or both. A function returns null if the plug-in has no such object, or
// none that meets the request, and writes the reason to `why_not` as zero-terminated text. The caller owns the objects
// and deletes them before it unloads the library.
class Plugin {
 public:
  virtual ~Plugin() = default;

  virtual Codec* make_codec(const CodecRequest& /*request*/, std::span<char> /*why_not*/) { return nullptr; }
  virtual ContentEngine* make_content_engine(const ContentRequest& /*request*/, std::span<char> /*why_not*/) {
    return nullptr;
  }
};

// The result of the entry point. `version` is the first member in every version; the others are read only if it
// matches.
struct Descriptor {
  std::uint32_t version = interface_version;
  std::uint32_t facts_bytes = sizeof(CodecFacts);
  std::uint32_t outcome_bytes = sizeof(DecodeOutcome);
  std::uint32_t write_step_bytes = sizeof(WriteStep);
  Plugin* plugin = nullptr;
};

inline constexpr const char* entry_point = "nandscape_plugin";

}  // namespace nandscape::plugin

// Makes `Class` the plug-in of the library. Use it once per library, outside of any namespace.
#define NANDSCAPE_PLUGIN(Class)                                                                               \
  extern "C" __attribute__((visibility("default"))) const nandscape::plugin::Descriptor* nandscape_plugin() { \
    static Class plugin;                                                                                      \
    static const nandscape::plugin::Descriptor descriptor{.plugin = &plugin};                                 \
    return &descriptor;                                                                                       \
  }
