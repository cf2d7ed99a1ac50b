// SPDX-License-Identifier: Apache-2.0
#include "protocol/link_rules.h"

#include "catch.h"
#include "core/error.h"

namespace nandscape {
namespace {

using enum LinkRules::Phase;
using enum LinkRules::Side;

struct Link : LinkRules {
  Link() : LinkRules("ssd.link") {}
  int a = 0, b = 0;  // transactions

  void request(const void* t, Tick at) { pass(t, Phase::begin_request, initiator, at); }
  void accept(const void* t, Tick at) { pass(t, Phase::end_request, target, at); }
  void respond(const void* t, Tick at) { pass(t, Phase::begin_response, target, at); }
  void finish(const void* t, Tick at) { pass(t, Phase::end_response, initiator, at); }
};

TEST_CASE("the four phases in order are a transaction") {
  Link link;
  for (Tick start : {0, 100}) {
    link.request(&link.a, start);
    CHECK(link.outstanding() == 1);
    link.accept(&link.a, start + 10);
    link.respond(&link.a, start + 20);
    CHECK(link.live(&link.a));
    link.finish(&link.a, start + 30);
    CHECK(link.outstanding() == 0);
    CHECK_FALSE(link.live(&link.a));
  }
}

TEST_CASE("BEGIN_RESP implies END_REQ") {
  Link link;
  link.request(&link.a, 0);
  link.respond(&link.a, 5);
  link.request(&link.b, 5);  // legal, because the response to `a` has freed the request direction of the link
  CHECK_THROWS_WITH(link.accept(&link.a, 6), ContainsSubstring("END_REQ of a request that has ended"));
}

TEST_CASE("a transaction may be completed at any phase") {
  Link link;
  link.request(&link.a, 0);
  link.complete(&link.a, 3);
  link.request(&link.a, 3);
  link.accept(&link.a, 4);
  link.complete(&link.a, 4);
  link.request(&link.a, 5);
  link.respond(&link.a, 6);
  link.complete(&link.a, 7);
  CHECK(link.outstanding() == 0);
  // Completing `a` has freed both directions of the link.
  link.request(&link.b, 7);
  link.respond(&link.b, 7);
  CHECK_THROWS_WITH(link.complete(&link.a, 8), ContainsSubstring("TLM_COMPLETED of a transaction that is over"));
}

TEST_CASE("phases out of order are refused") {
  Link link;
  CHECK_THROWS_WITH(link.accept(&link.a, 0), ContainsSubstring("END_REQ of a transaction that never began"));
  CHECK_THROWS_WITH(link.finish(&link.a, 0), ContainsSubstring("END_RESP of a transaction that never began"));
  link.request(&link.a, 0);
  CHECK_THROWS_WITH(link.finish(&link.a, 1), ContainsSubstring("END_RESP without BEGIN_RESP"));
  CHECK_THROWS_WITH(link.request(&link.a, 1), ContainsSubstring("a transaction that is in use"));
  link.accept(&link.a, 1);
  CHECK_THROWS_WITH(link.accept(&link.a, 1), ContainsSubstring("END_REQ of a request that has ended"));
  link.respond(&link.a, 1);
  CHECK_THROWS_WITH(link.respond(&link.a, 2), ContainsSubstring("a second BEGIN_RESP"));
}

TEST_CASE("a phase after the end is refused and explained") {
  Link link;
  link.request(&link.a, 10);
  link.respond(&link.a, 20);
  link.finish(&link.a, 30);
  CHECK_THROWS_WITH(link.respond(&link.a, 40),
                    ContainsSubstring("ssd.link: BEGIN_RESP of a transaction that is over") &&
                        ContainsSubstring("BEGIN_REQ at 10 ps") && ContainsSubstring("END_RESP at 30 ps") &&
                        ContainsSubstring("BEGIN_RESP at 40 ps"));
}

TEST_CASE("a phase must come from its own side") {
  Link link;
  CHECK_THROWS_WITH(link.pass(&link.a, begin_request, target, 0), ContainsSubstring("BEGIN_REQ comes from the target"));
  link.request(&link.a, 0);
  CHECK_THROWS_WITH(link.pass(&link.a, end_request, initiator, 0),
                    ContainsSubstring("END_REQ comes from the initiator"));
}

TEST_CASE("one request at a time") {
  Link link;
  link.request(&link.a, 0);
  CHECK_THROWS_WITH(link.request(&link.b, 1), ContainsSubstring("BEGIN_REQ before the END_REQ of another request"));
}

TEST_CASE("one response at a time") {
  Link link;
  link.request(&link.a, 0);
  link.accept(&link.a, 1);
  link.request(&link.b, 1);
  link.respond(&link.a, 2);
  CHECK_THROWS_WITH(link.respond(&link.b, 3), ContainsSubstring("BEGIN_RESP before the END_RESP of another response"));
}

TEST_CASE("exclusion holds for annotated times, too") {
  Link link;
  link.request(&link.a, 0);
  link.accept(&link.a, 50);
  SECTION("requests") {
    CHECK_THROWS_WITH(link.request(&link.b, 49), ContainsSubstring("when another request held the link"));
  }
  SECTION("responses") {
    link.request(&link.b, 50);
    link.respond(&link.a, 60);
    link.finish(&link.a, 70);
    CHECK_THROWS_WITH(link.respond(&link.b, 69), ContainsSubstring("when another response held the link"));
  }
}

TEST_CASE("a transaction does not go back in time") {
  Link link;
  link.request(&link.a, 10);
  SECTION("at END_REQ") { CHECK_THROWS_WITH(link.accept(&link.a, 9), ContainsSubstring("END_REQ goes back in time")); }
  SECTION("at BEGIN_RESP") {
    CHECK_THROWS_WITH(link.respond(&link.a, 9), ContainsSubstring("BEGIN_RESP goes back in time"));
  }
  SECTION("at its completion") {
    CHECK_THROWS_WITH(link.complete(&link.a, 9), ContainsSubstring("TLM_COMPLETED goes back in time"));
  }
  SECTION("at END_RESP") {
    link.respond(&link.a, 10);
    CHECK_THROWS_WITH(link.finish(&link.a, 9), ContainsSubstring("END_RESP goes back in time"));
  }
}

TEST_CASE("blocking calls and phases do not share a transaction") {
  Link link;
  link.begin_blocking(&link.a, 0);
  CHECK(link.outstanding() == 1);
  CHECK_THROWS_WITH(link.request(&link.a, 1), ContainsSubstring("in use"));
  CHECK_THROWS_WITH(link.respond(&link.a, 1), ContainsSubstring("within b_transport"));
  CHECK_THROWS_WITH(link.begin_blocking(&link.a, 1), ContainsSubstring("in use"));
  link.end_blocking(&link.a);
  CHECK(link.outstanding() == 0);
  link.request(&link.a, 2);
  CHECK_THROWS_WITH(link.begin_blocking(&link.a, 2),
                    ContainsSubstring("b_transport with a transaction that is in use"));
}

TEST_CASE("outstanding transactions can be listed") {
  Link link;
  link.request(&link.a, 1);
  link.accept(&link.a, 2);
  link.request(&link.b, 3);
  link.complete(&link.b, 4);
  CHECK(link.outstanding() == 1);
  CHECK(link.outstanding_histories() == "\n    BEGIN_REQ at 1 ps\n    END_REQ at 2 ps");
}

}  // namespace
}  // namespace nandscape
