// SPDX-License-Identifier: Apache-2.0
// The interface of plug-ins. A plug-in is a shared library that contains a codec, a content engine, or both. The
// configuration contains the path of the library (`ecc.plugin`, `controller.content.plugin`). This is the only header
// of nandscape that a plug-in includes:
//
//   class MyPlugin final : public nandscape::plugin::Plugin { ... };
//   NANDSCAPE_PLUGIN(MyPlugin)
//
// The interface between plug-in and nandscape consists of this header, the C++ ABI of the platform (the Itanium ABI of
// GCC and Clang on Linux), and pointers to bytes. Objects are deleted through their virtual destructors, whose code is
// in the plug-in.
//
// A result must depend only on the arguments. Checkpoints do not contain the state of plug-in objects, so a restored
// simulation would otherwise give different results. Several threads may call the plug-in at the same time, but each
// object is called by one thread at a time. Functions must not throw exceptions. An exception is reported as an error
// of the plug-in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace nandscape::plugin {

// Incremented when this header is changed in an incompatible way.
inline constexpr std::uint32_t interface_version = 1;

// The properties of a codec. `name` must stay valid as long as the codec exists.
struct CodecFacts {
  const char* name = "";
  std::uint32_t payload_bytes = 0;
  std::uint32_t parity_bits = 0;       // at least 1; they fill bytes from the lowest bit on; zeros pad the last byte
  std::uint32_t correctable_bits = 0;  // errors that are always corrected, whatever their positions; 0 if unknown
  std::uint32_t takes_soft_reads = 0;  // 1: decode_soft() is better than decode()
};

struct DecodeOutcome {
  std::uint32_t corrected = 0;       // 1 if decoding succeeded; 0 if the codeword is unchanged
  std::uint32_t corrected_bits = 0;  // in payload and parity
  std::uint32_t iterations = 0;      // iterations of an iterative decoder, including a partial one; otherwise 0
};

// An encoder and decoder for codewords. A codeword consists of a payload and its parity, which may be stored
// separately. In both, bit i is bit i % 8 of byte i / 8.
class Codec {
 public:
  virtual ~Codec() = default;

  virtual CodecFacts facts() const = 0;
  virtual void encode(const std::byte* payload, std::byte* parity) = 0;
  // Corrects payload and parity in place.
  virtual DecodeOutcome decode(std::byte* payload, std::byte* parity) = 0;
  // Decodes a soft read. This function is called only if facts().takes_soft_reads is 1. `llr` contains the
  // log-likelihood ratio of each bit of payload and parity, without padding. It is positive if 1 is more likely than 0,
  // and the most certain bits have the value 16. Writes the decoded payload and parity. If decoding fails, writes the
  // hard decisions that result from the signs.
  virtual DecodeOutcome decode_soft(std::span<const std::int8_t> /*llr*/, std::byte* /*payload*/,
                                    std::byte* /*parity*/) {
    return {};
  }
};

// The codec that the configuration requests: the payload size (`ecc.codeword_bytes`) and the string
// `ecc.plugin_options`.
struct CodecRequest {
  std::uint32_t payload_bytes = 0;
  const char* options = "";
};

// The number of two-bit cells in each state, in the order of the states' voltages. In the names of the states, the left
// digit is the bit of the MSB page and the right digit is the bit of the LSB page. 11 is the erased state.
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

// An ISPP step and its effects: the program time, and for each state the share of its cells that are read as a lower
// state and the share that are read as a higher state. The shares are those at the end of the required retention time.
struct WriteStep {
  double step_mv = 0;
  double program_us = 0;
  StateShares read_lower;
  StateShares read_higher;
};

// Chooses the ISPP step of a wordline, and thus how fast it is programmed, from the data to be stored.
class ContentEngine {
 public:
  virtual ~ContentEngine() = default;

  // Returns the number of cells of a wordline in each state. The two pages have equal sizes, and cell i stores bit i of
  // each page.
  virtual StateCounts count(std::span<const std::byte> lsb, std::span<const std::byte> msb) = 0;
  // Returns the index of the largest step with which the page remains correctable, for cells in these states. `states`
  // is a result of count(), but the states may have been mapped to other states since. If the simulation does not store
  // data, `states` is drawn at random from `controller.content.profile`. Step 0, the default step of the device, is
  // always allowed.
  virtual std::uint32_t step(PairedPage page, const StateCounts& states) = 0;
};

// The content engine that the configuration requests. `steps` is in ascending order and stays valid as long as the
// engine exists.
struct ContentRequest {
  std::span<const WriteStep> steps;
  double correctable_ber = 0;  // highest raw bit error rate of a page that its code can correct
  std::uint32_t cells = 0;     // per wordline
  const char* options = "";    // the string `controller.content.plugin_options`
};

// The functions of a plug-in that make its objects. A plug-in provides a codec, a content engine, or both. A function
// returns null if the plug-in does not have such an object or cannot meet the request. It then writes the reason to
// `why_not` as a zero-terminated string. The caller owns the objects and deletes them before it unloads the library.
class Plugin {
 public:
  virtual ~Plugin() = default;

  virtual Codec* make_codec(const CodecRequest& /*request*/, std::span<char> /*why_not*/) { return nullptr; }
  virtual ContentEngine* make_content_engine(const ContentRequest& /*request*/, std::span<char> /*why_not*/) {
    return nullptr;
  }
};

// The result of the entry point. `version` is the first member in all versions of this header. The other members are
// read only if the version matches.
struct Descriptor {
  std::uint32_t version = interface_version;
  std::uint32_t facts_bytes = sizeof(CodecFacts);
  std::uint32_t outcome_bytes = sizeof(DecodeOutcome);
  std::uint32_t write_step_bytes = sizeof(WriteStep);
  Plugin* plugin = nullptr;
};

inline constexpr const char* entry_point = "nandscape_plugin";

}  // namespace nandscape::plugin

// Defines `Class` as the plug-in of the library. Use this macro once per library, outside of any namespace.
#define NANDSCAPE_PLUGIN(Class)                                                                               \
  extern "C" __attribute__((visibility("default"))) const nandscape::plugin::Descriptor* nandscape_plugin() { \
    static Class plugin;                                                                                      \
    static const nandscape::plugin::Descriptor descriptor{.plugin = &plugin};                                 \
    return &descriptor;                                                                                       \
  }
