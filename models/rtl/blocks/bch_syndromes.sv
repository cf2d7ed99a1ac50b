// SPDX-License-Identifier: Apache-2.0
// The odd syndromes S_1, S_3, ..., S_(2T-1) of a word of the code: of what was read, taken as a polynomial, its values at
// alpha, alpha^3, ... They are made by Horner's rule, 64 coefficients a cycle.
module bch_syndromes #(
    parameter integer PAYLOAD_BYTES = 1024,
    parameter integer T = 72,
    parameter integer BITS = 14 * 72  // T times the degree of the field
) (
    input wire clk,
    input wire clear,
    input wire take,
    input wire [63:0] data,
    output reg [BITS-1:0] syndromes
);
  `include "bch_field.svh"

  // The lowest bit of each element.
  localparam [BITS-1:0] UNITS = {T{{{M - 1{1'b0}}, 1'b1}}};

  // Of T elements at once.
  function automatic [BITS-1:0] all_times_x(input [BITS-1:0] elements);
    integer k;
    reg [BITS-1:0] leading;
    begin
      leading = (elements >> (M - 1)) & UNITS;
      all_times_x = (elements << 1) & ~UNITS;
      for (k = 0; k < M; k = k + 1) if (POLYNOMIAL[k]) all_times_x = all_times_x ^ (leading << k);
    end
  endfunction

  function automatic [BITS-1:0] all_times(input [BITS-1:0] a, input [BITS-1:0] b);
    integer i, k;
    reg [BITS-1:0] is_set;
    begin
      all_times = {BITS{1'b0}};
      for (i = M - 1; i >= 0; i = i - 1) begin
        is_set = {BITS{1'b0}};
        for (k = 0; k < M; k = k + 1) is_set = is_set | ((b >> i & UNITS) << k);
        all_times = all_times_x(all_times) ^ (a & is_set);
      end
    end
  endfunction

  // alpha, alpha^3, ...
  function automatic [BITS-1:0] odd_powers(input integer t);
    integer j;
    reg [M-1:0] element;
    begin
      element = {{M - 1{1'b0}}, 1'b1};
      element = times_x(element);
      for (j = 0; j < t; j = j + 1) begin
        odd_powers[j*M+:M] = element;
        element = times_x(times_x(element));
      end
    end
  endfunction

  localparam [BITS-1:0] POINTS = odd_powers(T);

  // The points to the power of 0, ..., count - 1.
  // Rows are whole words, which a simulator is quick to add.
  localparam integer ROW_BITS = (BITS + 63) / 64 * 64;
  function automatic [64*ROW_BITS-1:0] powers_of_points(input integer count);
    integer i;
    reg [BITS-1:0] elements;
    begin
      powers_of_points = 0;
      elements = UNITS;
      for (i = 0; i < count; i = i + 1) begin
        powers_of_points[i*ROW_BITS+:BITS] = elements;
        elements = all_times(elements, POINTS);
      end
    end
  endfunction

  localparam [64*ROW_BITS-1:0] POWERS = powers_of_points(64);
  // What a step multiplies by.
  localparam [BITS-1:0] STEP = all_times(POWERS[63*ROW_BITS+:BITS], POINTS);

  reg [ROW_BITS-1:0] sum;
  integer i, j;

  always @(posedge clk)
    if (clear) syndromes <= {BITS{1'b0}};
    else if (take) begin
      sum = {ROW_BITS{1'b0}};
      for (i = 0; i < 64; i = i + 1) sum = sum ^ ({ROW_BITS{data[i]}} & POWERS[(63-i)*ROW_BITS+:ROW_BITS]);
      for (j = 0; j < T; j = j + 1) sum[j*M+:M] = sum[j*M+:M] ^ multiply(syndromes[j*M+:M], STEP[j*M+:M]);
      syndromes <= sum[BITS-1:0];
    end
endmodule
