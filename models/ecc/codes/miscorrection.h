// SPDX-License-Identifier: Apache-2.0
// How often a bounded-distance decoder takes a word with more errors than it corrects for another codeword.
//
// A code with r parity bits has 2^r syndromes, and each pattern of up to t errors in its n bits has one of its own:
//   Q = sum over i = 0..t of C(n, i) / 2^r
// is the share of random words that are decoded. McEliece and Swanson, "On the Decoder Error Probability for
// Reed-Solomon Codes" (IEEE Transactions on Information Theory 32(5), 1986), show for Reed-Solomon codes that words
// with any number of errors above t are miscorrected hardly more often than that, and that Q is near 1/t!. So it is of
// binary BCH codes of full length, n = 2^m - 1 and r = m t; a shortened code misses the patterns that reach into what
// it leaves out, and has (n / 2^m)^t / t!.
#pragma once

#include <cstdint>

namespace nandscape::ecc {

// Q of a code of that many bits, parity among them, which corrects t errors. 0 where a double cannot hold it.
double miscorrected_share(std::uint32_t codeword_bits, std::uint32_t parity_bits, std::uint32_t correctable_bits);

// 1/t!, where no more is known of the code.
double miscorrected_share(std::uint32_t correctable_bits);

}  // namespace nandscape::ecc
