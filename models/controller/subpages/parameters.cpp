// SPDX-License-Identifier: Apache-2.0
#include "controller/subpages/parameters.h"

namespace nandscape::controller {

void describe(SubpageParameters& p, ParameterVisitor& v) {
  v.unread_if(p.reads == SubpageReads::none, {"most_per_operation"}, "reads is none");
  v.choice("reads", p.reads,
           {{"none", "each read is an operation of its own"},
            {"soml",
             "the oldest read is joined by others of its host command, and of its die, that share neither bitlines nor "
             "block decoders; the die takes no other command until all of them are decoded"},
            {"srs",
             "as soml, but reads that are likely to be decoded at about the same retry go first, and a retry "
             "is joined by other waiting reads, with as many sensing levels: layer-aware subpage read scheduling"}},
           "how reads of pages and of page quarters are sent");
  v.integer("most_per_operation", p.most_per_operation, {0, 1 << 16}, "",
            "page quarters that one operation reads, unless its first read takes more; 0: as many as the bitlines "
            "allow");
}

}  // namespace nandscape::controller
