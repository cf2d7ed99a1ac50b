// SPDX-License-Identifier: Apache-2.0
// Text of a user's inputs as messages show it. An input may hold anything, a message is readable text of bounded
// length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nandscape {

// Valid UTF-8 without control characters: what is neither becomes '?'. Cut to about `longest` bytes, with "..." behind.
std::string printable(std::string_view text, std::size_t longest);

// A value of a user's as a message quotes it: 'text', cut to a readable length.
std::string quotation(std::string_view text);

// A number, to six digits.
std::string shown(double number);

// What an error tells, line by line printable. Quotations in it are short already; this bounds what is not quoted, such
// as a key.
std::string message_text(std::string_view what);

}  // namespace nandscape
