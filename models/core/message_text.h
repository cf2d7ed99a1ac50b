// SPDX-License-Identifier: Apache-2.0
// Prepares text from a user's input for messages. Input may hold any bytes; a message is readable text of bounded
// length.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace nandscape {

// Returns `text` as valid UTF-8 without control characters; invalid bytes and control characters become '?'. Text
// longer than about `longest` bytes is cut and ends with "...".
std::string printable(std::string_view text, std::size_t longest);

// Quotes a value from a user's input: 'text', cut to a readable length.
std::string quotation(std::string_view text);

// A number, to six digits.
std::string shown(double number);

// The message of an error, with each line made printable. Quoted values are short already; the limit bounds unquoted
// text, such as keys.
std::string message_text(std::string_view what);

}  // namespace nandscape
