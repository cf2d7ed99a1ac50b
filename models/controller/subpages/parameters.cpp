// SPDX-License-Identifier: Apache-2.0
#include "controller/subpages/parameters.h"

namespace nandscape::controller {

void describe(SubpageParameters& p, ParameterVisitor& v) {
  v.unread_if(p.reads == SubpageReads::none, {"most_per_operation"}, "reads is none");
  v.choice("reads", p.reads,
           {{"none", "each is a read of its page"},
            {"soml",
             "the oldest goes together with others of its command, and of its die, that share neither bitlines nor "
             "block decoders, and the die takes nothing else until all of them are decoded"},
            {"srs",
             "as soml, but those that are likely to be decoded at about the same retry go first, and a retry "
             "goes with others that wait, at as many sensing levels: layer-aware subpage read scheduling"}},
           "how reads of pages and of quarters of them are sent");
  v.integer("most_per_operation", p.most_per_operation, {0, 1 << 16}, "",
            "quarters of pages that one operation reads, unless its first read takes more; 0: as many as bitlines "
            "allow");
}

}  // namespace nandscape::controller
