// SPDX-License-Identifier: Apache-2.0
// Named streams of random numbers. The seed of a stream is derived from the simulation's seed and the path of the block
// that draws from the stream. Adding a block therefore does not change the random numbers of any other block.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace nandscape {

class Archive;

// splitmix64 [Steele, Lea, Flood 2014]: a bijection of 64-bit words whose outputs look independent.
constexpr std::uint64_t mix64(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
  word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
  return word ^ (word >> 31);
}

// The FNV-1a hash of a name. It turns paths into seeds.
constexpr std::uint64_t hash_name(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// A stream of random numbers from the generator xoshiro256++ [Blackman, Vigna 2019].
class RandomStream {
 public:
  using result_type = std::uint64_t;

  RandomStream(std::uint64_t seed, std::string_view path) {
    std::uint64_t word = mix64(seed) ^ hash_name(path);
    for (std::uint64_t& s : state_) s = word = mix64(word);
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  result_type operator()() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Returns a uniform random number in [0, 1) with 53 random bits.
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

  // Returns a uniform random integer in [0, bound), where bound > 0, without bias [Lemire 2019].
  std::uint64_t below(std::uint64_t bound) {
    unsigned __int128 product = static_cast<unsigned __int128>((*this)()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = -bound % bound;
      while (static_cast<std::uint64_t>(product) < threshold) {
        product = static_cast<unsigned __int128>((*this)()) * bound;
      }
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  // Returns an exponentially distributed random number with the mean `mean`.
  double exponential(double mean) { return -mean * std::log1p(-uniform()); }

  void persist(Archive& archive);

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace nandscape
