// SPDX-License-Identifier: Apache-2.0
// Prepares strings from a user's input for messages. The input may contain any bytes, but a message must be readable
// and of limited length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nandscape {

// Returns `text` as valid UTF-8 without control characters. Each invalid byte and each control character is replaced by
// '?'. If the result is longer than about `longest` bytes, it is cut and ends with "...".
std::string printable(std::string_view text, std::size_t longest);

// Returns a value from a user's input in single quotes, cut to a readable length.
std::string quotation(std::string_view text);

// Returns a number as a string with up to six significant digits.
std::string shown(double number);

// Returns the message of an error with each line made printable. Quoted values are already short, so the length limit
// matters only for unquoted parts, such as keys.
std::string message_text(std::string_view what);

}  // namespace nandscape
