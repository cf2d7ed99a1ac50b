// SPDX-License-Identifier: Apache-2.0
#include "platform/timeline/timeline_parameters.h"

namespace nandscape {

void describe(TimelineParameters& p, ParameterVisitor& v) {
  v.unread_if(p.file.empty(), {"begin_us", "end_us"}, "file is empty");
  v.text("file", p.file,
         "file for the timeline, which ui.perfetto.dev opens, such as run.perfetto-trace; empty: no timeline");
  v.real("begin_us", p.begin_us, {0, 1e12}, "us", "spans that end before are left out");
  v.real("end_us", p.end_us, {0, 1e12}, "us", "spans that begin later are left out");
}

}  // namespace nandscape
