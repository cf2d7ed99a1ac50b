// SPDX-License-Identifier: Apache-2.0
// Decoder of the BCH code of models/ecc/bch. The input frame is payload and parity as bch_encoder makes them. The
// output frame is the payload, corrected if it has at most T errors, otherwise unchanged. A frame of another length
// fails.
//
// Handles one frame at a time: it computes the syndromes while the frame comes in, one word per cycle, then the error
// locator, then its roots, and then puts the words out.
module bch_decoder #(
    parameter integer PAYLOAD_BYTES = 1024,
    parameter integer T = 72,
    parameter integer LANES = 16  // coefficients per cycle in the solver and the search
) (
    input wire clk,
    input wire rst_n,
    input wire [63:0] s_data,
    input wire [7:0] s_keep,
    input wire s_valid,
    input wire s_last,
    output wire s_ready,
    output wire [63:0] m_data,
    output wire [7:0] m_keep,
    output wire m_valid,
    output wire m_last,
    output wire m_fail,
    output wire [15:0] m_corrected,
    input wire m_ready
);
  `include "bch_field.svh"

  localparam integer BITS = T * M;
  localparam integer LOCATOR_BITS = (T / LANES + 1) * LANES * M;
  localparam integer PAYLOAD_WORDS = PAYLOAD_BYTES / 8;
  localparam integer CODEWORD_BITS = PAYLOAD_BYTES * 8 + PARITY_BITS;
  localparam integer WORDS = (CODEWORD_BITS + 63) / 64;
  localparam [15:0] LAST_WORD = WORDS[15:0] - 16'd1;
  localparam [15:0] LAST_PAYLOAD_WORD = PAYLOAD_WORDS[15:0] - 16'd1;
  localparam integer ADDRESS_BITS = $clog2(PAYLOAD_WORDS);
  // The bits of the last word that belong to the code.
  localparam [63:0] LAST_MASK = ~64'd0 >> (64 * WORDS - CODEWORD_BITS);

  localparam [1:0] RECEIVE = 2'd0;
  localparam [1:0] SOLVE = 2'd1;
  localparam [1:0] SEARCH = 2'd2;
  localparam [1:0] SEND = 2'd3;

  reg [1:0] state;
  reg [15:0] word;
  reg [63:0] payload[0:PAYLOAD_WORDS-1];
  reg [63:0] errors[0:PAYLOAD_WORDS-1];
  reg solving, wrong_length, fail;
  reg [15:0] corrected;

  wire take = s_valid && s_ready;
  wire is_last_word = word == LAST_WORD;
  wire [BITS-1:0] syndromes;
  wire solved, too_many, found, searching;
  wire [15:0] degree, root_word;
  wire [LOCATOR_BITS-1:0] locator;
  wire [63:0] roots;
  wire [63:0] places = root_word == LAST_WORD ? roots & LAST_MASK : roots;
  reg [15:0] places_found;
  integer i;

  bch_syndromes #(.PAYLOAD_BYTES(PAYLOAD_BYTES), .T(T), .BITS(BITS)) syndrome_generator (
      .clk(clk),
      .clear(!rst_n || state == SEND),
      .take(take),
      .data(is_last_word ? s_data & LAST_MASK : s_data),
      .syndromes(syndromes)
  );

  wire start_solving = state == SOLVE && !solving && syndromes != {BITS{1'b0}} && !wrong_length;
  bch_key_equation #(
      .PAYLOAD_BYTES(PAYLOAD_BYTES), .T(T), .LANES(LANES), .BITS(BITS), .LOCATOR_BITS(LOCATOR_BITS)
  ) solver (
      .clk(clk),
      .rst_n(rst_n),
      .start(start_solving),
      .odd_syndromes(syndromes),
      .done(solved),
      .fail(too_many),
      .degree(degree),
      .locator(locator)
  );

  bch_root_search #(.PAYLOAD_BYTES(PAYLOAD_BYTES), .T(T), .LANES(LANES), .LOCATOR_BITS(LOCATOR_BITS)) root_search (
      .clk(clk),
      .rst_n(rst_n),
      .start(solved && !too_many),
      .degree(degree),
      .locator(locator),
      .valid(found),
      .word(root_word),
      .roots(roots),
      .searching(searching)
  );

  assign s_ready = state == RECEIVE;
  assign m_valid = state == SEND;
  assign m_data = payload[word[ADDRESS_BITS-1:0]] ^
      (corrected != 16'd0 ? errors[word[ADDRESS_BITS-1:0]] : 64'd0);
  assign m_keep = 8'hff;
  assign m_last = word == LAST_PAYLOAD_WORD;
  assign m_fail = fail;
  assign m_corrected = corrected;

  always @(posedge clk)
    if (!rst_n) begin
      state <= RECEIVE;
      word <= 16'd0;
      solving <= 1'b0;
      wrong_length <= 1'b0;
    end else
      case (state)
        RECEIVE:
        if (take) begin
          if (word <= LAST_PAYLOAD_WORD) payload[word[ADDRESS_BITS-1:0]] <= s_data;
          if (word <= LAST_WORD) word <= word + 16'd1;
          if (s_last) begin
            state <= SOLVE;
            wrong_length <= !is_last_word;
            word <= 16'd0;
          end
        end
        SOLVE: begin
          corrected <= 16'd0;
          fail <= wrong_length;
          solving <= start_solving || solving && !solved;
          if (solved) begin
            fail <= too_many;
            state <= too_many ? SEND : SEARCH;
          end else if (!start_solving && !solving) state <= SEND;
        end
        SEARCH: begin
          if (found) begin
            places_found = 16'd0;
            for (i = 0; i < 64; i = i + 1) places_found = places_found + {15'd0, places[i]};
            corrected <= corrected + places_found;
            if (root_word <= LAST_PAYLOAD_WORD) errors[root_word[ADDRESS_BITS-1:0]] <= places;
          end else if (!searching) begin
            fail <= corrected != degree;
            if (corrected != degree) corrected <= 16'd0;
            state <= SEND;
          end
        end
        default:
        if (m_ready) begin
          word <= word + 16'd1;
          if (m_last) begin
            word <= 16'd0;
            state <= RECEIVE;
          end
        end
      endcase

  wire unused = &{1'b0, s_keep};
endmodule
