// SPDX-License-Identifier: Apache-2.0
// Encoder of the BCH code of models/ecc/bch: passes the payload on and appends its parity, without a bubble. A frame is
// PAYLOAD_BYTES of payload; a shorter frame of whole words is encoded with the code shortened to it.
//
// The parity is the remainder of a division by the generator polynomial, 64 bits per cycle. The lowest bits of words
// are the highest coefficients, so the register shifts down.
module bch_encoder #(
    parameter integer PAYLOAD_BYTES = 1024,
    parameter integer T = 72
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
    input wire m_ready
);
  `include "bch_field.svh"

  localparam integer PARITY_BYTES = (PARITY_BITS + 7) / 8;
  localparam integer PARITY_WORDS = (PARITY_BYTES + 7) / 8;
  localparam integer PADDED = PARITY_WORDS * 64;

  // The product of the minimal polynomials of alpha, alpha^3, ..., alpha^(2 T - 1), each taken once.
  function automatic [PARITY_BITS:0] generator_polynomial(input integer t);
    integer j, k, i, conjugates;
    reg [(M+1)*M-1:0] minimal;  // coefficient i at M i
    reg [M-1:0] root;
    reg [PARITY_BITS:0] product;
    begin
      generator_polynomial = {{PARITY_BITS{1'b0}}, 1'b1};
      for (j = 1; j < 2 * t; j = j + 2) begin
        conjugates = conjugates_of_first(j, M);
        if (conjugates != 0) begin
          minimal = 1;
          root = power(j);
          for (k = 0; k < conjugates; k = k + 1) begin
            for (i = k + 1; i > 0; i = i - 1)
              minimal[i*M+:M] = minimal[(i-1)*M+:M] ^ times(minimal[i*M+:M], root);
            minimal[0+:M] = times(minimal[0+:M], root);
            root = times(root, root);
          end
          product = {PARITY_BITS + 1{1'b0}};
          for (i = 0; i <= conjugates; i = i + 1)
            if (minimal[i*M]) product = product ^ (generator_polynomial << i);
          generator_polynomial = product;
        end
      end
    end
  endfunction

  // Rows: the value that a bit leaving the register adds to it, by its position among the 64 that leave in a cycle.
  // Rows are whole words, which a simulator adds quickly.
  function automatic [64*PADDED-1:0] leaving_rows(input [PARITY_BITS:0] generator);
    integer i;
    reg [PARITY_BITS-1:0] reciprocal, row;
    begin
      for (i = 0; i < PARITY_BITS; i = i + 1) reciprocal[i] = generator[PARITY_BITS-1-i];
      row = reciprocal;
      for (i = 63; i >= 0; i = i - 1) begin
        leaving_rows[i*PADDED+:PADDED] = {{PADDED - PARITY_BITS{1'b0}}, row};
        row = {1'b0, row[PARITY_BITS-1:1]} ^ (row[0] ? reciprocal : {PARITY_BITS{1'b0}});
      end
    end
  endfunction

  localparam [64*PADDED-1:0] ROWS = leaving_rows(generator_polynomial(T));
  localparam [7:0] LAST_KEEP = 8'hff >> (8 * PARITY_WORDS - PARITY_BYTES);
  localparam [15:0] LAST_WORD = PARITY_WORDS[15:0] - 16'd1;

  // Icarus rebuilds a constant each time a part of it is used, so it gets the rows one by one.
`ifdef __ICARUS__
  reg [64*PADDED-1:0] all_rows;
  reg [PADDED-1:0] rows[0:63];
  integer r;
  initial begin
    all_rows = ROWS;
    for (r = 0; r < 64; r = r + 1) rows[r] = all_rows[r*PADDED+:PADDED];
  end
  `define ROW(i) rows[i]
`else
  `define ROW(i) ROWS[(i)*PADDED+:PADDED]
`endif

  reg [PADDED-1:0] remainder, shifted;
  reg [63:0] leaving;
  reg in_parity;
  reg [15:0] word;
  integer i;

  assign m_data = in_parity ? remainder[63:0] : s_data;
  assign m_keep = in_parity && m_last ? LAST_KEEP : 8'hff;
  assign m_valid = in_parity || s_valid;
  assign m_last = in_parity && word == LAST_WORD;
  assign s_ready = !in_parity && m_ready;

  always @(posedge clk)
    if (!rst_n) begin
      remainder <= {PADDED{1'b0}};
      in_parity <= 1'b0;
      word <= 16'd0;
    end else if (m_valid && m_ready) begin
      shifted = remainder >> 64;
      if (in_parity) begin
        word <= m_last ? 16'd0 : word + 16'd1;
        in_parity <= !m_last;
      end else begin
        leaving = remainder[63:0] ^ s_data;
        for (i = 0; i < 64; i = i + 1)
          shifted = shifted ^ ({PADDED{leaving[i]}} & `ROW(i));
        in_parity <= s_last;
      end
      remainder <= shifted;
    end

  wire unused = &{1'b0, s_keep};
endmodule
`undef ROW
