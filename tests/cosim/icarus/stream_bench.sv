// SPDX-License-Identifier: Apache-2.0
// Sends the words of a file through a design, with random pauses on both sides, and compares its output with the words
// of another file. A line holds the data, keep and last of a word, then the seed of an input word, or the fail flag and
// the number of corrected bits of an output word. An unknown bit (X) of a relevant output is an error.
module stream_bench;
  reg clk = 1'b0;
  reg rst_n = 1'b0;
  reg [63:0] s_data, seed;
  reg [7:0] s_keep;
  reg s_valid = 1'b0;
  reg s_last, m_ready = 1'b0;
  wire s_ready, m_valid, m_last;
  wire [63:0] m_data;
  wire [7:0] m_keep;
  wire m_fail;
  wire [15:0] m_corrected;

  `DESIGN dut (
`ifdef HAS_SEED
      .seed(seed),
`endif
`ifdef HAS_FAIL
      .m_fail(m_fail),
      .m_corrected(m_corrected),
`endif
      .clk(clk),
      .rst_n(rst_n),
      .s_data(s_data),
      .s_keep(s_keep),
      .s_valid(s_valid),
      .s_last(s_last),
      .s_ready(s_ready),
      .m_data(m_data),
      .m_keep(m_keep),
      .m_valid(m_valid),
      .m_last(m_last),
      .m_ready(m_ready)
  );
`ifndef HAS_FAIL
  assign m_fail = 1'b0;
  assign m_corrected = 16'd0;
`endif

  integer sent, expected, count;
  integer words = 0;
  integer state = 1;  // of the random number generator
  integer idle = 0;
  reg [63:0] data, mask;
  reg [7:0] keep;
  reg last, fail;
  reg [15:0] corrected;

  always #5 clk = !clk;

  initial begin
    sent = $fopen({`VECTORS, ".in"}, "r");
    expected = $fopen({`VECTORS, ".out"}, "r");
    if (sent == 0 || expected == 0) stop("the vectors cannot be read");
    repeat (3) @(posedge clk);
    #1 rst_n = 1'b1;
  end

  task stop(input [60*8-1:0] why);
    begin
      $display("after %0d words of output: %0s", words, why);
      $finish;
    end
  endtask

  // Inputs change just after an edge; outputs are sampled just before the next one.
  always @(posedge clk) if (rst_n) begin
    if ((s_ready ^ s_ready) !== 1'b0 || (m_valid ^ m_valid) !== 1'b0) stop("s_ready or m_valid is unknown");
    idle = idle + 1;
    if (s_valid && s_ready) s_valid <= #1 1'b0;
    if ((!s_valid || s_ready) && $random(state) % 4 != 0) begin
      count = $fscanf(sent, "%h %h %b %h", data, keep, last, mask);
      if (count == 4) begin
        s_data <= #1 data;
        s_keep <= #1 keep;
        s_last <= #1 last;
        seed <= #1 mask;
        s_valid <= #1 1'b1;
      end
    end
    if (m_valid && m_ready) begin
      idle = 0;
      count = $fscanf(expected, "%h %h %b %b %h", data, keep, last, fail, corrected);
      mask = {{8{keep[7]}}, {8{keep[6]}}, {8{keep[5]}}, {8{keep[4]}},
              {8{keep[3]}}, {8{keep[2]}}, {8{keep[1]}}, {8{keep[0]}}};
      if (count != 5) stop("there are more words than expected");
      else if ((m_data & mask) !== (data & mask) || m_keep !== keep || m_last !== last) stop("a word is wrong");
      else if (last && (m_fail !== fail || m_corrected !== corrected)) stop("the outcome is wrong");
      words = words + 1;
    end
    m_ready <= #1 $random(state) % 4 != 0;
    if (idle > 2000) begin
      if ($fscanf(expected, "%h", data) == 1) stop("words are missing");
      else stop("every word is right");
    end
  end
endmodule
