// SPDX-License-Identifier: Apache-2.0
// Locates the errors: evaluates Lambda(x) at x = alpha^-e for the exponents e of a word's bits, 64 at a time. A root is
// an error.
//
// It processes the words of the codeword in order [Chien 1964]. Each coefficient is multiplied by the power of alpha
// that takes it from word to word. Horner's rule then gives the 64 values, LANES coefficients per cycle, from the
// highest on. All multipliers of the values are by constants. Coefficients above the degree take no cycles.
//
// Coefficients are stored in windows and planes, as in bch_key_equation.
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
  localparam integer ELEMENTS = LANES;
  `include "bch_products.svh"

  localparam integer WINDOW = LANES * M;
  localparam [15:0] LANES_16 = LANES[15:0];
  localparam integer WINDOWS = LOCATOR_BITS / WINDOW;
  localparam integer COEFFICIENTS = LOCATOR_BITS / M;
  localparam integer WORDS = (PAYLOAD_BYTES * 8 + PARITY_BITS + 63) / 64;
  localparam [15:0] LAST_WORD = WORDS[15:0] - 16'd1;
  localparam integer ROW = 64 * M;  // bits of 64 elements in planes
  localparam integer ROW_UP = 1 << $clog2(ROW);
  localparam integer WINDOW_UP = 1 << $clog2(WINDOW);

  // base^0, base^1, ..., in windows.
  function automatic [LOCATOR_BITS-1:0] powers_of(input [M-1:0] base);
    integer j, b;
    reg [M-1:0] element;
    begin
      element = {{M - 1{1'b0}}, 1'b1};
      for (j = 0; j < COEFFICIENTS; j = j + 1) begin
        for (b = 0; b < M; b = b + 1) powers_of[(j/LANES*M+b)*LANES+j%LANES] = element[b];
        element = times(element, base);
      end
    end
  endfunction

  // The products of 64 elements in planes with x^0, x^1, ..., in rows.
  function automatic [M*ROW-1:0] multiples_of(input [ROW-1:0] elements);
    integer c, e;
    reg [ROW-1:0] multiple;
    reg [63:0] leading;
    begin
      multiple = elements;
      for (c = 0; c < M; c = c + 1) begin
        multiples_of[c*ROW+:ROW] = multiple;
        leading = multiple[(M-1)*64+:64];
        multiple = multiple << 64;
        for (e = 0; e < M; e = e + 1)
          if (POLYNOMIAL[e]) multiple[e*64+:64] = multiple[e*64+:64] ^ leading;
      end
    end
  endfunction

  // The products of 64 elements in planes with the elements whose multiples are `rows`.
  function automatic [ROW-1:0] times_rows(input [ROW-1:0] elements, input [M*ROW-1:0] rows);
    integer c;
    begin
      times_rows = {ROW{1'b0}};
      for (c = 0; c < M; c = c + 1) times_rows = times_rows ^ ({M{elements[c*64+:64]}} & rows[c*ROW+:ROW]);
    end
  endfunction

  // alpha^0, ..., alpha^63
  function automatic [ROW-1:0] consecutive_powers(input integer count);
    integer l, b;
    reg [M-1:0] element;
    begin
      element = {{M - 1{1'b0}}, 1'b1};
      for (l = 0; l < count; l = l + 1) begin
        for (b = 0; b < M; b = b + 1) consecutive_powers[b*64+l] = element[b];
        element = times_x(element);
      end
    end
  endfunction

  // alpha^0, ..., alpha^63, each to the power of `exponent`
  function automatic [ROW-1:0] powers_to(input integer exponent);
    integer i;
    begin
      powers_to = {{ROW - 64{1'b0}}, {64{1'b1}}};
      for (i = 0; i < exponent; i = i + 1) powers_to = times_rows(powers_to, POWERS);
    end
  endfunction

  // Rows: the value that a bit of a window adds; for bit b of element i, x^b times the powers to the power of i. Length
  // and number of rows are powers of 2, which a simulator looks up quickly.
  function automatic [WINDOW_UP*ROW_UP-1:0] rows_of_window(input integer lanes);
    integer i, b;
    reg [M*ROW-1:0] multiples;
    begin
      rows_of_window = {WINDOW_UP * ROW_UP{1'b0}};
      for (i = 0; i < lanes; i = i + 1) begin
        multiples = multiples_of(powers_to(i));
        for (b = 0; b < M; b = b + 1) rows_of_window[(b*LANES+i)*ROW_UP+:ROW] = multiples[b*ROW+:ROW];
      end
    end
  endfunction

  // Bit 0 of the first word has the exponent 64 WORDS - 1: words count as full, as in the decoder.
  localparam [LOCATOR_BITS-1:0] FIRST_STEP = powers_of(power((2 * ORDER - (64 * WORDS - 1)) % ORDER));
  localparam [LOCATOR_BITS-1:0] STEP = powers_of(power(64 % ORDER));
  localparam [M*ROW-1:0] POWERS = multiples_of(consecutive_powers(64));
  localparam [WINDOW_UP*ROW_UP-1:0] ROWS = rows_of_window(LANES);
  localparam [M*ROW-1:0] NEXT_WINDOW = multiples_of(powers_to(LANES));

  // Icarus rebuilds a constant each time a part of it is used, so it gets the rows one by one.
`ifdef __ICARUS__
  reg [WINDOW_UP*ROW_UP-1:0] all_rows;
  reg [ROW_UP-1:0] rows[0:WINDOW-1];
  integer r;
  initial begin
    all_rows = ROWS;
    for (r = 0; r < WINDOW; r = r + 1) rows[r] = all_rows[r*ROW_UP+:ROW_UP];
  end
  `define ROW(i) rows[i]
`else
  `define ROW(i) ROWS[(i)*ROW_UP+:ROW_UP]
`endif

  function automatic [ROW-1:0] sum_of_rows(input [WINDOW-1:0] bits);
    integer i;
    reg [ROW_UP-1:0] sum;
    begin
      sum = {ROW_UP{1'b0}};
      for (i = 0; i < WINDOW; i = i + 1) sum = sum ^ ({ROW_UP{bits[i]}} & `ROW(i));
      sum_of_rows = sum[ROW-1:0];
    end
  endfunction

  reg running;
  reg [15:0] next_word, window;
  reg [LOCATOR_BITS-1:0] coefficients;
  // 64 elements each, in planes: the coefficients of x^b start at bit 64 b.
  reg [ROW-1:0] values, products;
  reg [63:0] any;
  reg [WINDOW-1:0] at_work, step, stepped;
  integer b, w;

  wire [15:0] last_window = degree / LANES_16;

  assign searching = running || valid;

  // Every branch reads a register before it sets it, so simulators need no copy of the old value.
  always @(posedge clk) begin
    valid <= 1'b0;
    if (!rst_n) begin
      running <= 1'b0;
    end else if (running) begin
      at_work = coefficients[0+:WINDOW];
      step = next_word == 16'd0 ? FIRST_STEP[0+:WINDOW] : STEP[0+:WINDOW];
      for (w = 1; w < WINDOWS; w = w + 1)
        if (window == w[15:0]) begin
          at_work = coefficients[w*WINDOW+:WINDOW];
          step = next_word == 16'd0 ? FIRST_STEP[w*WINDOW+:WINDOW] : STEP[w*WINDOW+:WINDOW];
        end
      stepped = multiply_planes(at_work, step);
      // A step of Horner's rule.
      products = times_rows(values, NEXT_WINDOW) ^ sum_of_rows(stepped);
      for (w = 0; w < WINDOWS; w = w + 1) if (window == w[15:0]) coefficients[w*WINDOW+:WINDOW] <= stepped;
      values <= products;
      window <= window - 16'd1;
      if (window == 16'd0) begin
        any = 64'd0;
        for (b = 0; b < M; b = b + 1) any = any | products[b*64+:64];
        roots <= ~any;
        values <= {ROW{1'b0}};
        valid <= 1'b1;
        word <= next_word;
        next_word <= next_word + 16'd1;
        window <= last_window;
        running <= next_word != LAST_WORD;
      end
    end else if (start) begin
      coefficients <= locator;
      values <= {ROW{1'b0}};
      next_word <= 16'd0;
      window <= last_window;
      running <= 1'b1;
    end
  end
endmodule
`undef ROW
