// SPDX-License-Identifier: Apache-2.0
#include "core/component.h"

#include <algorithm>
#include <sstream>

namespace nandscape {

std::string report_waiting(const Components& components) {
  std::ostringstream out;
  for (const Component* const component : components) component->list_waiting(out);
  std::string text = out.str();
  std::ranges::replace(text, '\n', ';');
  return text;
}

}  // namespace nandscape
