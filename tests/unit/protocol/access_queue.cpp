// SPDX-License-Identifier: Apache-2.0
#include "protocol/access_queue.h"

#include <vector>

#include "catch.h"

namespace nandscape {
namespace {

std::vector<PageAccess*> popped(AccessQueue queue) {
  std::vector<PageAccess*> accesses;
  while (!queue.empty()) accesses.push_back(&queue.pop());
  return accesses;
}

TEST_CASE("accesses leave a queue in the order in which they came") {
  PageAccess first, second, third;
  first.next = &third;  // left over from another queue
  AccessQueue queue;
  for (PageAccess* access : {&first, &second, &third}) queue.push(*access);
  CHECK(&queue.front() == &first);
  CHECK(popped(queue.take()) == std::vector<PageAccess*>{&first, &second, &third});
  CHECK(queue.empty());
  CHECK(first.next == nullptr);
}

TEST_CASE("prepended accesses leave a queue first") {
  PageAccess first, second, third;
  AccessQueue queue, others;
  queue.prepend(others);
  CHECK(queue.empty());
  others.push(first);
  queue.prepend(others.take());
  queue.push(third);
  CHECK(&queue.pop() == &first);
  others.push(second);
  queue.prepend(others.take());
  CHECK(popped(queue.take()) == std::vector<PageAccess*>{&second, &third});
}

}  // namespace
}  // namespace nandscape
