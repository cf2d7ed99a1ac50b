// SPDX-License-Identifier: Apache-2.0
#include "host/guest/console.h"

#include <algorithm>
#include <span>
#include <utility>

namespace nandscape::host::guest {

namespace {

constexpr std::uint32_t input_queue = 0, output_queue = 1;
constexpr std::size_t longest_line = 4096;  // a longer one arrives in pieces

}  // namespace

void Console::kicked(std::uint32_t index) {
  Virtqueue& queue = connection_->queue(index);
  bool written = false;
  while (std::optional<Virtqueue::Buffer> buffer = queue.take()) {
    if (index == input_queue) {
      for_input_.push_back(std::move(*buffer));
      continue;
    }
    for (const std::byte byte : buffer->out) {
      const char character = static_cast<char>(byte);
      if (character == '\r') continue;
      if (character == '\n' || line_.size() == longest_line) lines_.push_back(std::exchange(line_, {}));
      if (character != '\n') line_ += character;
    }
    queue.give_back(*buffer, 0);
    written = true;
  }
  // Linux polls for the buffer that it has just written.
  if (written && index == output_queue) queue.called();
}

void Console::send(const std::string& line) { input_ += line + '\n'; }

std::optional<std::string> Console::take_line() {
  if (lines_.empty()) return std::nullopt;
  std::string line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

void Console::deliver(const VhostUser::AwaitReadable& await) {
  while (wants_delivery()) {
    const Virtqueue::Buffer buffer = std::move(for_input_.front());
    for_input_.pop_front();
    std::size_t room = 0;
    for (const std::span<std::byte> part : buffer.in) room += part.size();
    const std::size_t bytes = std::min(room, input_.size());
    connection_->queue(input_queue).answer(buffer, std::as_bytes(std::span(input_).first(bytes)));
    input_.erase(0, bytes);
  }
  connection_->call(input_queue, await);
}

}  // namespace nandscape::host::guest
