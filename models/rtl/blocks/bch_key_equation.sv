// SPDX-License-Identifier: Apache-2.0
// Berlekamp's algorithm for binary codes in Massey's words, without inversions: from the odd syndromes to the error
// locator Lambda(x), up to a factor [Lin and Costello, 6.3; Burton 1971]. It takes two syndromes at a time, since
// discrepancies at even ones are 0, and LANES coefficients a cycle. It passes over coefficients that are 0 because of
// the degree, so fewer errors take fewer cycles.
module bch_key_equation #(
    parameter integer PAYLOAD_BYTES = 1024,
    parameter integer T = 72,
    parameter integer LANES = 16,
    parameter integer BITS = 14 * 72,             // T times the degree of the field
    parameter integer LOCATOR_BITS = 14 * 16 * 5  // of T + 1 coefficients, rounded up to whole windows of LANES
) (
    input wire clk,
    input wire rst_n,
    input wire start,
    input wire [BITS-1:0] odd_syndromes,
    output reg done,  // for one cycle
    output reg fail,  // the locator would have a degree above T
    output reg [15:0] degree,
    output reg [LOCATOR_BITS-1:0] locator
);
  `include "bch_field.svh"

  localparam integer WINDOW = LANES * M;
  localparam [15:0] LANES_16 = LANES[15:0];
  localparam [15:0] MOST = T[15:0];

  reg running, updating;
  reg [15:0] step;    // from 0 to T - 1
  reg [15:0] window;  // of the coefficients that are at work
  reg [2*BITS-1:0] syndromes;         // S_1, S_2, ..., S_2T at the start; those to come
  reg [LOCATOR_BITS-1:0] recent;      // element j is S_(2 step + 1 - j)
  reg [LOCATOR_BITS-1:0] earlier;     // x^k times Lambda before the degree last changed, k being the syndromes since
  reg [LOCATOR_BITS-1:0] unchanged;   // Lambda before this step
  reg [M-1:0] discrepancy, discrepancy_before;

  reg [2*BITS-1:0] all_syndromes;
  reg [M-1:0] sum;
  reg [WINDOW-1:0] updated;
  integer i;

  wire longer = discrepancy != {M{1'b0}} && degree <= step;
  wire [15:0] new_degree = longer ? 2 * step + 16'd1 - degree : degree;
  wire [LOCATOR_BITS-1:0] kept = longer ? (window == 16'd0 ? locator : unchanged) : earlier;

  wire [15:0] reached = (window + 16'd1) * LANES_16;  // coefficients, with those at work
  wire [WINDOW-1:0] locator_at_work = locator[window*WINDOW+:WINDOW];
  wire [WINDOW-1:0] recent_at_work = recent[window*WINDOW+:WINDOW];
  wire [WINDOW-1:0] earlier_at_work = earlier[window*WINDOW+:WINDOW];

  always @(posedge clk) begin
    done <= 1'b0;
    if (!rst_n) begin
      running <= 1'b0;
    end else if (start) begin
      for (i = 1; i <= 2 * T; i = i + 1)
        if (i % 2 == 1) all_syndromes[(i-1)*M+:M] = odd_syndromes[(i/2)*M+:M];
        else all_syndromes[(i-1)*M+:M] = multiply(all_syndromes[(i/2-1)*M+:M], all_syndromes[(i/2-1)*M+:M]);
      recent <= {{LOCATOR_BITS - M{1'b0}}, all_syndromes[0+:M]};
      syndromes <= all_syndromes >> M;
      locator <= {{LOCATOR_BITS - 1{1'b0}}, 1'b1};
      earlier <= {{LOCATOR_BITS - 1 - M{1'b0}}, 1'b1, {M{1'b0}}};
      discrepancy <= {M{1'b0}};
      discrepancy_before <= {{M - 1{1'b0}}, 1'b1};
      degree <= 16'd0;
      fail <= 1'b0;
      step <= 16'd0;
      window <= 16'd0;
      updating <= 1'b0;
      running <= 1'b1;
    end else if (running && !updating) begin
      sum = discrepancy;
      for (i = 0; i < LANES; i = i + 1)
        sum = sum ^ multiply(locator_at_work[i*M+:M], recent_at_work[i*M+:M]);
      discrepancy <= sum;
      window <= window + 16'd1;
      if (reached > degree) begin
        window <= 16'd0;
        updating <= 1'b1;
      end
    end else if (running) begin
      if (window == 16'd0) unchanged <= locator;
      if (discrepancy != {M{1'b0}}) begin
        for (i = 0; i < LANES; i = i + 1)
          updated[i*M+:M] = multiply(locator_at_work[i*M+:M], discrepancy_before) ^
              multiply(earlier_at_work[i*M+:M], discrepancy);
        locator[window*WINDOW+:WINDOW] <= updated;
      end
      window <= window + 16'd1;
      if (new_degree > MOST || discrepancy == {M{1'b0}} || reached > new_degree) begin
        earlier <= kept << (2 * M);
        if (longer) discrepancy_before <= discrepancy;
        degree <= new_degree;
        discrepancy <= {M{1'b0}};
        recent <= {recent[LOCATOR_BITS-2*M-1:0], syndromes[0+:M], syndromes[M+:M]};
        syndromes <= syndromes >> (2 * M);
        window <= 16'd0;
        updating <= 1'b0;
        step <= step + 16'd1;
        if (new_degree > MOST || step == MOST - 16'd1) begin
          fail <= new_degree > MOST;
          done <= 1'b1;
          running <= 1'b0;
        end
      end
    end
  end
endmodule
