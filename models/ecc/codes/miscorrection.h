// SPDX-License-Identifier: Apache-2.0
// Computes the probability of a miscorrection, which is that a bounded-distance decoder corrects a word with too many
// errors to a wrong codeword.
//
// A code with r parity bits has 2^r syndromes, and each pattern of up to t errors in its n bits has a different one.
// Thus
//   Q = sum over i = 0..t of C(n, i) / 2^r
// is the share of random words that are decoded. McEliece and Swanson, "On the Decoder Error Probability for
// Reed-Solomon Codes" (IEEE Transactions on Information Theory 32(5), 1986), show for Reed-Solomon codes that words
// with any number of errors above t are miscorrected hardly more often than that, and that Q is near 1/t!. The same
// holds for binary BCH codes of full length, n = 2^m - 1 and r = m t. A shortened code lacks the patterns that reach
// into the omitted bits, so its share is (n / 2^m)^t / t!.
#pragma once

#include <cstdint>

namespace nandscape::ecc {

// Returns the share Q for a code of `codeword_bits` bits, including parity, that corrects t errors. Returns 0 if Q is
// too small for a double.
double miscorrected_share(std::uint32_t codeword_bits, std::uint32_t parity_bits, std::uint32_t correctable_bits);

// Returns 1/t!, an approximation for a code of which only t is known.
double miscorrected_share(std::uint32_t correctable_bits);

}  // namespace nandscape::ecc
