// SPDX-License-Identifier: Apache-2.0
// The data scrambler of models/ecc/page_coders: adds the output of a linear feedback shift register to a frame, which
// begins with the first byte of a page. Scrambling twice restores the bytes. `seed` is read with the first word of a
// frame.
//
// Bit n of the sequence is the sum of bits n - 58 and n - 39. The register holds the 58 latest bits, the oldest lowest,
// and is restarted every 512 bytes.
module scrambler (
    input wire clk,
    input wire rst_n,
    input wire [63:0] seed,
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
  localparam [63:0] INCREMENT = 64'h9e3779b97f4a7c15;
  localparam [63:0] FIRST_FACTOR = 64'hbf58476d1ce4e5b9;
  localparam [63:0] SECOND_FACTOR = 64'h94d049bb133111eb;

  // splitmix64 in three cycles, with one multiplier: twice at the start of a frame, which waits for it, then once for
  // each further 512 bytes, while the preceding ones pass.
  localparam [2:0] TAKE_SEED = 3'd0;
  localparam [2:0] MULTIPLY_SEED = 3'd1;
  localparam [2:0] MULTIPLY_SEED_AGAIN = 3'd2;
  localparam [2:0] ADD_SEQUENCE = 3'd3;
  localparam [2:0] MULTIPLY = 3'd4;
  localparam [2:0] MULTIPLY_AGAIN = 3'd5;
  localparam [2:0] READY = 3'd6;

  reg [2:0] phase;
  reg [63:0] mixing, mixed_seed;
  reg [31:0] sequence_number;
  reg [5:0] word;  // word of the 512 bytes
  reg [57:0] state;

  wire second = phase == MULTIPLY_SEED_AGAIN || phase == MULTIPLY_AGAIN;
  wire [63:0] product = (mixing ^ (second ? mixing >> 27 : mixing >> 30)) * (second ? SECOND_FACTOR : FIRST_FACTOR);
  wire [63:0] mixed = mixing ^ (mixing >> 31);
  // A register of zeros would stay zero.
  wire [57:0] start = mixed[57:0] == 58'd0 ? 58'd1 : mixed[57:0];

  wire [57:0] at_word = word == 6'd0 ? start : state;
  wire [31:0] low = at_word[31:0] ^ at_word[50:19];
  wire [57:0] halfway = {low, at_word[57:32]};
  wire [31:0] high = halfway[31:0] ^ halfway[50:19];

  wire can_pass = word != 6'd0 || phase == READY;
  assign s_ready = can_pass && m_ready;
  assign m_valid = can_pass && s_valid;
  assign m_data = s_data ^ {high, low};
  assign m_keep = s_keep;
  assign m_last = s_last;

  always @(posedge clk)
    if (!rst_n) begin
      phase <= TAKE_SEED;
      word <= 6'd0;
    end else begin
      case (phase)
        TAKE_SEED:
        if (s_valid) begin
          mixing <= seed + INCREMENT;
          sequence_number <= 32'd0;
          phase <= MULTIPLY_SEED;
        end
        ADD_SEQUENCE: begin
          mixed_seed <= mixed;
          mixing <= mixed + INCREMENT;  // the first sequence is number 0
          phase <= MULTIPLY;
        end
        READY: ;
        default: begin
          mixing <= product;
          phase <= phase + 3'd1;
        end
      endcase
      if (s_valid && s_ready) begin
        state <= {high, halfway[57:32]};
        word <= word + 6'd1;
        if (word == 6'd0) begin
          sequence_number <= sequence_number + 32'd1;
          mixing <= (mixed_seed ^ {32'd0, sequence_number + 32'd1}) + INCREMENT;
          phase <= MULTIPLY;
        end
        if (s_last) begin
          word <= 6'd0;
          phase <= TAKE_SEED;
        end
      end
    end
endmodule
