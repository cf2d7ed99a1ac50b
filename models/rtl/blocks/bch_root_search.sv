// SPDX-License-Identifier: Apache-2.0
// The places of errors: Lambda(x) at x = alpha^-e for the exponents e of a word's bits, 64 at a time. A root is an error.
//
// It goes through the words of the codeword in order [Chien 1964]. Each coefficient is multiplied by the power of alpha
// that takes it from word to word, and Horner's rule makes the 64 values, LANES coefficients a cycle, from the highest on:
// the multipliers of a bit's value are all by the same constant. Coefficients above the degree take no cycles.
module bch_root_search #(
    parameter integer PAYLOAD_BYTES = 1024,
    parameter integer T = 72,
    parameter integer LANES = 16,
    parameter integer LOCATOR_BITS = 14 * 16 * 5
) (
    input wire clk,
    input wire rst_n,
    input wire start,
    input wire [15:0] degree,
    input wire [LOCATOR_BITS-1:0] locator,
    output reg valid,  // `roots` are those of word `word`
    output reg [15:0] word,
    output reg [63:0] roots,
    output wire searching
);
  `include "bch_field.svh"

  localparam integer WINDOW = LANES * M;
  localparam [15:0] LANES_16 = LANES[15:0];
  localparam integer COEFFICIENTS = LOCATOR_BITS / M;
  localparam integer WORDS = (PAYLOAD_BYTES * 8 + PARITY_BITS + 63) / 64;
  localparam [15:0] LAST_WORD = WORDS[15:0] - 16'd1;

  // To the power of 0, 1, ...
  function automatic [LOCATOR_BITS-1:0] powers_of(input [M-1:0] base);
    integer j;
    reg [M-1:0] element;
    begin
      element = {{M - 1{1'b0}}, 1'b1};
      for (j = 0; j < COEFFICIENTS; j = j + 1) begin
        powers_of[j*M+:M] = element;
        element = times(element, base);
      end
    end
  endfunction

  // The product of x^c with alpha^l has the coefficient of x^b in bit l of the word number b M + c.
  function automatic [M*M*64-1:0] multiples_of_powers(input integer count);
    integer l, b, c;
    reg [M-1:0] element, multiple;
    begin
      multiples_of_powers = 0;
      element = {{M - 1{1'b0}}, 1'b1};
      for (l = 0; l < count; l = l + 1) begin
        multiple = element;
        for (c = 0; c < M; c = c + 1) begin
          for (b = 0; b < M; b = b + 1) multiples_of_powers[(b*M+c)*64+l] = multiple[b];
          multiple = times_x(multiple);
        end
        element = times_x(element);
      end
    end
  endfunction

  // Bit 0 of the first word has the exponent 64 WORDS - 1: words are full as the decoder takes them.
  localparam [LOCATOR_BITS-1:0] FIRST_STEP = powers_of(power((2 * ORDER - (64 * WORDS - 1)) % ORDER));
  localparam [LOCATOR_BITS-1:0] STEP = powers_of(power(64 % ORDER));
  localparam [M*M*64-1:0] MULTIPLES = multiples_of_powers(64);

  // A step of Horner's rule: the products of the values with their powers of alpha, and the coefficient, added.
  function automatic [M*64-1:0] next_values(input [M*64-1:0] values_before, input [M-1:0] addend);
    integer b, c;
    reg [63:0] plane;
    for (b = 0; b < M; b = b + 1) begin
      plane = {64{addend[b]}};
      for (c = 0; c < M; c = c + 1) plane = plane ^ (values_before[c*64+:64] & MULTIPLES[(b*M+c)*64+:64]);
      next_values[b*64+:64] = plane;
    end
  endfunction

  reg running;
  reg [15:0] next_word, window;
  reg [LOCATOR_BITS-1:0] coefficients;
  // 64 elements each, in planes: their coefficients of x^b at 64 b.
  reg [M*64-1:0] values, products;
  reg [63:0] any;
  reg [M-1:0] coefficient;
  reg [WINDOW-1:0] stepped;
  integer i, b;

  wire [15:0] last_window = degree / LANES_16;
  wire [WINDOW-1:0] at_work = coefficients[window*WINDOW+:WINDOW];
  wire [WINDOW-1:0] step = next_word == 16'd0 ? FIRST_STEP[window*WINDOW+:WINDOW] : STEP[window*WINDOW+:WINDOW];

  assign searching = running || valid;

  always @(posedge clk) begin
    valid <= 1'b0;
    if (!rst_n) begin
      running <= 1'b0;
    end else if (start) begin
      coefficients <= locator;
      values <= {M * 64{1'b0}};
      next_word <= 16'd0;
      window <= last_window;
      running <= 1'b1;
    end else if (running) begin
      products = values;
      for (i = LANES - 1; i >= 0; i = i - 1) begin
        coefficient = multiply(at_work[i*M+:M], step[i*M+:M]);
        stepped[i*M+:M] = coefficient;
        products = next_values(products, coefficient);
      end
      coefficients[window*WINDOW+:WINDOW] <= stepped;
      values <= products;
      window <= window - 16'd1;
      if (window == 16'd0) begin
        any = 64'd0;
        for (b = 0; b < M; b = b + 1) any = any | products[b*64+:64];
        roots <= ~any;
        values <= {M * 64{1'b0}};
        valid <= 1'b1;
        word <= next_word;
        next_word <= next_word + 16'd1;
        window <= last_window;
        running <= next_word != LAST_WORD;
      end
    end
  end
endmodule
