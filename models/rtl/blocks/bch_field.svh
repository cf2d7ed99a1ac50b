// SPDX-License-Identifier: Apache-2.0
// The field GF(2^M) and the constants of the code that follow from it: see models/ecc/bch. M is the smallest degree of
// 5 or more for which payload and parity fit into 2^M - 1 bits. Include it in a module with the parameters
// PAYLOAD_BYTES and T. All functions except `multiply` are for constants.

  // The primitive polynomial of degree m without its leading term; bit i is the coefficient of x^i.
  function automatic [15:0] primitive_polynomial(input integer m);
    case (m)
      5: primitive_polynomial = 16'h0005;
      6: primitive_polynomial = 16'h0003;
      7: primitive_polynomial = 16'h0009;
      8: primitive_polynomial = 16'h001d;
      9: primitive_polynomial = 16'h0011;
      10: primitive_polynomial = 16'h0009;
      11: primitive_polynomial = 16'h0005;
      12: primitive_polynomial = 16'h0053;
      13: primitive_polynomial = 16'h001b;
      14: primitive_polynomial = 16'h0443;
      15: primitive_polynomial = 16'h0003;
      default: primitive_polynomial = 16'h100b;
    endcase
  endfunction

  // The number of conjugates of alpha^exponent, or 0 if one of them has a smaller exponent.
  function automatic integer conjugates_of_first(input integer exponent, input integer m);
    integer conjugate, i;
    begin
      conjugates_of_first = 0;
      conjugate = exponent;
      for (i = 1; i <= m; i = i + 1) begin
        conjugate = conjugate * 2 % ((1 << m) - 1);
        if (conjugate < exponent) conjugate = 0;
        if (conjugate == exponent && conjugates_of_first == 0) conjugates_of_first = i;
      end
    end
  endfunction

  // The degree of the generator polynomial.
  function automatic integer parity_bits_of(input integer m);
    integer j;
    begin
      parity_bits_of = 0;
      for (j = 1; j < 2 * T; j = j + 2) parity_bits_of = parity_bits_of + conjugates_of_first(j, m);
    end
  endfunction

  function automatic integer field_degree(input integer payload_bits);
    integer m;
    begin
      field_degree = 0;
      for (m = 16; m >= 5; m = m - 1)
        if (2 * T < (1 << m) - 1 && payload_bits + parity_bits_of(m) <= (1 << m) - 1) field_degree = m;
    end
  endfunction

  localparam integer M = field_degree(PAYLOAD_BYTES * 8);
  localparam integer ORDER = (1 << M) - 1;
  localparam [15:0] PRIMITIVE = primitive_polynomial(M);
  localparam [M-1:0] POLYNOMIAL = PRIMITIVE[M-1:0];
  localparam integer PARITY_BITS = parity_bits_of(M);

  function automatic [M-1:0] times_x(input [M-1:0] a);
    times_x = {a[M-2:0], 1'b0} ^ (a[M-1] ? POLYNOMIAL : {M{1'b0}});
  endfunction

  function automatic [M-1:0] times(input [M-1:0] a, input [M-1:0] b);
    integer i;
    begin
      times = {M{1'b0}};
      for (i = M - 1; i >= 0; i = i - 1) times = times_x(times) ^ (b[i] ? a : {M{1'b0}});
    end
  endfunction

  // The same product in logic. Verilator calls this function, since inlined copies would take it minutes to compile.
  function automatic [M-1:0] multiply(input [M-1:0] a, input [M-1:0] b);
    /*verilator no_inline_task*/
    multiply = times(a, b);
  endfunction

  // alpha^exponent
  function automatic [M-1:0] power(input integer exponent);
    integer i;
    begin
      power = {{M - 1{1'b0}}, 1'b1};
      for (i = M - 1; i >= 0; i = i - 1) begin
        power = times(power, power);
        if (exponent[i]) power = times_x(power);
      end
    end
  endfunction
