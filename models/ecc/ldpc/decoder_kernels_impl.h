// SPDX-License-Identifier: Apache-2.0
// The kernels of decoder_kernels.h as always-inline code, compiled for the instruction set of the calling function,
// which also gives the vector width.
#pragma once

#include <cstring>

#include "ecc/ldpc/decoder_kernels.h"

#if defined(__GNUC__)
#define NANDSCAPE_ALWAYS_INLINE [[gnu::always_inline]] inline
#else
#define NANDSCAPE_ALWAYS_INLINE inline
#endif

namespace nandscape::ecc::ldpc::kernel_code {

template <std::size_t bytes>
struct VectorOf {
  using Type [[gnu::vector_size(bytes)]] = std::int8_t;
};

template <class Vector>
NANDSCAPE_ALWAYS_INLINE void load(Vector& vector, const std::int8_t* from) {
  std::memcpy(&vector, from, sizeof vector);
}

template <class Vector>
NANDSCAPE_ALWAYS_INLINE void store(std::int8_t* to, const Vector& vector) {
  std::memcpy(to, &vector, sizeof vector);
}

// Locates the beliefs of the columns that take part in a layer.
struct Places {
  NANDSCAPE_ALWAYS_INLINE explicit Places(const Layer& layer) : mask(layer.lifting - 1) {
    for (std::uint32_t e = 0; e < layer.degree; ++e) {
      const LdpcCode::Edge edge = layer.edges[e];
      column[e] = layer.beliefs + edge.column * (layer.lifting + repeated_beliefs);
      offset[e] = edge.shift - layer.rotations[edge.column];
    }
  }

  NANDSCAPE_ALWAYS_INLINE const std::int8_t* at(std::uint32_t edge, std::uint32_t lane) const {
    return column[edge] + ((offset[edge] + lane) & mask);
  }

  std::uint32_t mask;
  std::int8_t* column[most_blocks_of_row];
  std::uint32_t offset[most_blocks_of_row];
};

// Multiplies a magnitude by 3/4, rounds it down, and limits it to most_message.
template <class Vector>
NANDSCAPE_ALWAYS_INLINE void scale(Vector& magnitude) {
  magnitude -= (magnitude + 3) >> 2;
  const Vector most = Vector{} + most_message;
  magnitude = magnitude < most ? magnitude : most;
}

template <std::size_t width, bool first>
NANDSCAPE_ALWAYS_INLINE void update_layer(const Layer& layer) {
  using Vector = typename VectorOf<width>::Type;
  const Places places(layer);
  const std::uint32_t lifting = layer.lifting;
  alignas(width) Vector least_magnitude[most_lifting / width];
  alignas(width) Vector least_message[most_lifting / width];
  alignas(width) Vector second_message[most_lifting / width];
  alignas(width) Vector parity[most_lifting / width];
  for (std::uint32_t lane = 0; lane < lifting; lane += width) {
    Vector least = Vector{} + 127;
    Vector second = least;
    Vector signs = {};
    for (std::uint32_t e = 0; e < layer.degree; ++e) {
      std::int8_t* const message = layer.messages + e * lifting + lane;
      Vector to_check;
      load(to_check, places.at(e, lane));
      if constexpr (!first) {
        Vector from_check;
        load(from_check, message);
        to_check -= from_check;
      }
      store(message, to_check);
      const Vector magnitude = to_check < 0 ? -to_check : to_check;
      const Vector not_least = magnitude > least ? magnitude : least;
      second = not_least < second ? not_least : second;
      least = magnitude < least ? magnitude : least;
      signs ^= to_check;
    }
    least_magnitude[lane / width] = least;
    scale(least);
    scale(second);
    least_message[lane / width] = least;
    second_message[lane / width] = second;
    parity[lane / width] = signs;
  }
  for (std::uint32_t lane = 0; lane < lifting; lane += width) {
    const Vector least = least_magnitude[lane / width];
    const Vector to_others = least_message[lane / width];
    const Vector to_least = second_message[lane / width];
    const Vector signs = parity[lane / width];
    for (std::uint32_t e = 0; e < layer.degree; ++e) {
      std::int8_t* const message = layer.messages + e * lifting + lane;
      Vector to_check;
      load(to_check, message);
      const Vector magnitude = to_check < 0 ? -to_check : to_check;
      Vector from_check = magnitude == least ? to_least : to_others;
      from_check = (to_check ^ signs) < 0 ? -from_check : from_check;
      store(message, from_check);
      const Vector belief = to_check + from_check;
      store(places.column[e] + lane, belief);
      if (lane < repeated_beliefs) store(places.column[e] + lifting + lane, belief);
    }
  }
  for (std::uint32_t e = 0; e < layer.degree; ++e) layer.rotations[layer.edges[e].column] = layer.edges[e].shift;
}

template <std::size_t width>
NANDSCAPE_ALWAYS_INLINE void update_layer(const Layer& layer, bool first) {
  first ? update_layer<width, true>(layer) : update_layer<width, false>(layer);
}

template <std::size_t width>
NANDSCAPE_ALWAYS_INLINE bool layer_holds(const Layer& layer) {
  using Vector = typename VectorOf<width>::Type;
  const Places places(layer);
  Vector violated = {};
  for (std::uint32_t lane = 0; lane < layer.lifting; lane += width) {
    Vector signs = {};
    for (std::uint32_t e = 0; e < layer.degree; ++e) {
      Vector belief;
      load(belief, places.at(e, lane));
      signs ^= belief;
    }
    violated |= signs;
  }
  std::int8_t any = 0;
  for (std::size_t i = 0; i < width; ++i) any = static_cast<std::int8_t>(any | violated[i]);
  return any >= 0;
}

}  // namespace nandscape::ecc::ldpc::kernel_code
