// SPDX-License-Identifier: Apache-2.0
// Computes the odd syndromes S_1, S_3, ..., S_(2T-1) of a received word: the values of the word, as a polynomial, at
// alpha, alpha^3, ... It uses Horner's rule, 64 coefficients per cycle.
module bch_syndromes #(
    parameter integer PAYLOAD_BYTES = 1024,
    parameter integer T = 72,
    parameter integer BITS = 14 * 72  // T times the degree of the field
) (
    input wire clk,
    input wire clear,
    input wire take,
    input wire [63:0] data,
    output reg [BITS-1:0] syndromes  // in planes: the coefficient of x^b of S_(2j+1) is bit b T + j
);
  `include "bch_field.svh"

  // The lowest bit of each element.
  localparam [BITS-1:0] UNITS = {T{{{M - 1{1'b0}}, 1'b1}}};

  // Operations on T elements at once.
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

  // The points to the powers 0, ..., count - 1.
  function automatic [64*BITS-1:0] powers_of_points(input integer count);
    integer i;
    reg [BITS-1:0] elements;
    begin
      elements = UNITS;
      for (i = 0; i < count; i = i + 1) begin
        powers_of_points[i*BITS+:BITS] = elements;
        elements = all_times(elements, POINTS);
      end
    end
  endfunction

  function automatic [BITS-1:0] in_planes(input [BITS-1:0] elements);
    integer j, b;
    for (b = 0; b < M; b = b + 1) for (j = 0; j < T; j = j + 1) in_planes[b*T+j] = elements[j*M+b];
  endfunction

  // The length of rows is a power of 2, which a simulator looks up quickly.
  localparam integer ROW_BITS = 1 << $clog2(BITS);
  function automatic [64*ROW_BITS-1:0] rows_of(input [64*BITS-1:0] powers);
    integer i;
    begin
      rows_of = 0;
      for (i = 0; i < 64; i = i + 1) rows_of[i*ROW_BITS+:BITS] = in_planes(powers[i*BITS+:BITS]);
    end
  endfunction

  // The products of the elements with x^0, x^1, ... A step multiplies by the points to the power of 64: the
  // coefficients of x^b of their products with x^c are the T bits from (c M + b) T on.
  function automatic [M*BITS-1:0] multiples_of(input [BITS-1:0] elements);
    integer c;
    reg [BITS-1:0] multiple;
    begin
      multiple = elements;
      for (c = 0; c < M; c = c + 1) begin
        multiples_of[c*BITS+:BITS] = in_planes(multiple);
        multiple = all_times_x(multiple);
      end
    end
  endfunction

  localparam [64*BITS-1:0] POWERS = powers_of_points(64);
  localparam [64*ROW_BITS-1:0] ROWS = rows_of(POWERS);
  localparam [M*BITS-1:0] STEP = multiples_of(all_times(POWERS[63*BITS+:BITS], POINTS));

  // Icarus rebuilds a constant each time a part of it is used, so it gets the rows one by one.
`ifdef __ICARUS__
  reg [64*ROW_BITS-1:0] all_rows;
  reg [ROW_BITS-1:0] rows[0:63];
  reg [M*BITS-1:0] step;
  integer r;
  initial begin
    step = STEP;
    all_rows = ROWS;
    for (r = 0; r < 64; r = r + 1) rows[r] = all_rows[r*ROW_BITS+:ROW_BITS];
  end
  `define STEP step
  `define ROW(i) rows[i]
`else
  `define STEP STEP
  `define ROW(i) ROWS[(i)*ROW_BITS+:ROW_BITS]
`endif

  function automatic [BITS-1:0] sum_of_rows(input [63:0] bits);
    integer i;
    reg [ROW_BITS-1:0] sum;
    begin
      sum = {ROW_BITS{1'b0}};
      for (i = 0; i < 64; i = i + 1) sum = sum ^ ({ROW_BITS{bits[i]}} & `ROW(63 - i));
      sum_of_rows = sum[BITS-1:0];
    end
  endfunction

  reg [BITS-1:0] stepped;
  reg [T-1:0] plane;
  integer b, c;

  always @(posedge clk)
    if (clear) syndromes <= {BITS{1'b0}};
    else if (take) begin
      for (b = 0; b < M; b = b + 1) begin
        plane = {T{1'b0}};
        for (c = 0; c < M; c = c + 1) plane = plane ^ (syndromes[c*T+:T] & `STEP[c*BITS+b*T+:T]);
        stepped[b*T+:T] = plane;
      end
      syndromes <= sum_of_rows(data) ^ stepped;
    end
endmodule
`undef ROW
`undef STEP
