// SPDX-License-Identifier: Apache-2.0
// Berlekamp's algorithm for binary codes in Massey's formulation, without inversions: from the odd syndromes to the
// error locator Lambda(x), up to a factor [Lin and Costello, 6.3; Burton 1971]. It takes two syndromes at a time, since
// discrepancies at even ones are 0, and LANES coefficients per cycle. It skips coefficients that are 0 because of the
// degree, so fewer errors take fewer cycles.
//
// Coefficients are stored in windows of LANES, and within a window in planes (bch_products.svh): bit l of plane b is
// the coefficient of x^b of the window's element l. LANES is 2 or more.
module bch_key_equation #(
    parameter integer PAYLOAD_BYTES = 1024,
    parameter integer T = 72,
    parameter integer LANES = 16,
    parameter integer BITS = 14 * 72,             // T times the degree of the field
    parameter integer LOCATOR_BITS = 14 * 16 * 5  // T + 1 coefficients, rounded up to whole windows of LANES
) (
    input wire clk,
    input wire rst_n,
    input wire start,
    input wire [BITS-1:0] odd_syndromes,  // in planes of T
    output reg done,  // for one cycle
    output reg fail,  // the locator would have a degree above T
    output reg [15:0] degree,
    output reg [LOCATOR_BITS-1:0] locator  // in windows
);
  `include "bch_field.svh"
  localparam integer ELEMENTS = 2 * LANES;
  `include "bch_products.svh"

  localparam integer WINDOW = LANES * M;
  localparam integer WINDOWS = LOCATOR_BITS / WINDOW;
  localparam [15:0] LANES_16 = LANES[15:0];
  localparam [15:0] MOST = T[15:0];
  // The two lowest elements of each window.
  localparam [LOCATOR_BITS-1:0] LOWEST = {WINDOWS * M{{LANES - 2{1'b0}}, 2'b11}};

  // Shifts the elements up by two places, across windows.
  function automatic [LOCATOR_BITS-1:0] two_up(input [LOCATOR_BITS-1:0] windows);
    two_up = (windows << 2 & ~LOWEST) | (windows << (WINDOW - LANES + 2) & LOWEST);
  endfunction

  reg running, updating;
  reg [15:0] step;    // from 0 to T - 1
  reg [15:0] window;  // window of the coefficients in progress
  reg [2*BITS-1:0] syndromes;         // the syndromes to come: S_2, S_3, ..., S_2T at the start
  // In windows.
  reg [LOCATOR_BITS-1:0] recent;      // element j is S_(2 step + 1 - j)
  reg [LOCATOR_BITS-1:0] earlier;     // x^k times Lambda before the degree last changed, k being the syndromes since
  reg [LOCATOR_BITS-1:0] unchanged;   // Lambda before this step
  reg [M-1:0] discrepancy, discrepancy_before;

  reg [2*BITS-1:0] all_syndromes;
  reg [LOCATOR_BITS-1:0] next;
  reg [WINDOW-1:0] locator_at_work, other_at_work, updated;
  reg [ELEMENTS_BITS-1:0] left, right, products;
  reg [M-1:0] sum;
  integer i, b, w;

  wire longer = discrepancy != {M{1'b0}} && degree <= step;
  wire [15:0] new_degree = longer ? 2 * step + 16'd1 - degree : degree;
  wire [15:0] reached = (window + 16'd1) * LANES_16;  // number of coefficients, including those in progress

  // Every branch reads a register before it sets it, so simulators need no copy of the old value.
  always @(posedge clk) begin
    done <= 1'b0;
    if (!rst_n) begin
      running <= 1'b0;
    end else if (running) begin
      locator_at_work = locator[0+:WINDOW];
      other_at_work = updating ? earlier[0+:WINDOW] : recent[0+:WINDOW];
      for (w = 1; w < WINDOWS; w = w + 1)
        if (window == w[15:0]) begin
          locator_at_work = locator[w*WINDOW+:WINDOW];
          other_at_work = updating ? earlier[w*WINDOW+:WINDOW] : recent[w*WINDOW+:WINDOW];
        end
      for (b = 0; b < M; b = b + 1) begin
        left[b*ELEMENTS+:ELEMENTS] = {other_at_work[b*LANES+:LANES], locator_at_work[b*LANES+:LANES]};
        right[b*ELEMENTS+:ELEMENTS] = updating ? {{LANES{discrepancy[b]}}, {LANES{discrepancy_before[b]}}} :
            {{LANES{1'b0}}, other_at_work[b*LANES+:LANES]};
      end
      products = {ELEMENTS_BITS{1'b0}};
      if (!updating || discrepancy != {M{1'b0}}) products = multiply_planes(left, right);
      window <= window + 16'd1;
      if (!updating) begin
        for (b = 0; b < M; b = b + 1) sum[b] = discrepancy[b] ^ (^products[b*ELEMENTS+:LANES]);
        discrepancy <= sum;
        if (reached > degree) begin
          window <= 16'd0;
          updating <= 1'b1;
        end
      end else begin
        if (new_degree > MOST || discrepancy == {M{1'b0}} || reached > new_degree) begin
          next = earlier;
          if (longer) next = window == 16'd0 ? locator : unchanged;
          earlier <= two_up(next);
          next = two_up(recent);
          for (b = 0; b < M; b = b + 1) next[b*LANES+:2] = {syndromes[b], syndromes[M+b]};
          recent <= next;
          syndromes <= syndromes >> (2 * M);
          if (longer) discrepancy_before <= discrepancy;
          degree <= new_degree;
          discrepancy <= {M{1'b0}};
          window <= 16'd0;
          updating <= 1'b0;
          step <= step + 16'd1;
          if (new_degree > MOST || step == MOST - 16'd1) begin
            fail <= new_degree > MOST;
            done <= 1'b1;
            running <= 1'b0;
          end
        end
        if (window == 16'd0) unchanged <= locator;
        if (discrepancy != {M{1'b0}}) begin
          for (b = 0; b < M; b = b + 1)
            updated[b*LANES+:LANES] = products[b*ELEMENTS+:LANES] ^ products[b*ELEMENTS+LANES+:LANES];
          for (w = 0; w < WINDOWS; w = w + 1) if (window == w[15:0]) locator[w*WINDOW+:WINDOW] <= updated;
        end
      end
    end else if (start) begin
      for (i = 1; i <= 2 * T; i = i + 1)
        if (i % 2 == 1) for (b = 0; b < M; b = b + 1) all_syndromes[(i-1)*M+b] = odd_syndromes[b*T+i/2];
        else all_syndromes[(i-1)*M+:M] = multiply(all_syndromes[(i/2-1)*M+:M], all_syndromes[(i/2-1)*M+:M]);
      next = {LOCATOR_BITS{1'b0}};
      for (b = 0; b < M; b = b + 1) next[b*LANES] = all_syndromes[b];
      recent <= next;
      syndromes <= all_syndromes >> M;
      locator <= {{LOCATOR_BITS - 1{1'b0}}, 1'b1};
      earlier <= {{LOCATOR_BITS - 2{1'b0}}, 2'b10};
      discrepancy <= {M{1'b0}};
      discrepancy_before <= {{M - 1{1'b0}}, 1'b1};
      degree <= 16'd0;
      fail <= 1'b0;
      step <= 16'd0;
      window <= 16'd0;
      updating <= 1'b0;
      running <= 1'b1;
    end
  end
endmodule
