// SPDX-License-Identifier: Apache-2.0
// Products of many elements at once, for logic and for simulators alike. ELEMENTS elements are stored in planes: the
// coefficient of x^b of element l is bit b ELEMENTS + l. One operation on words thus works on a coefficient of all
// elements. Include it after bch_field.svh.

  localparam integer ELEMENTS_BITS = ELEMENTS * M;

  function automatic [ELEMENTS_BITS-1:0] multiply_planes(input [ELEMENTS_BITS-1:0] a, input [ELEMENTS_BITS-1:0] b);
    integer k, i, e;
    reg [ELEMENTS-1:0] plane;
    reg [(2*M-1)*ELEMENTS-1:0] product;  // before reduction by the polynomial
    begin
      for (k = 0; k < 2 * M - 1; k = k + 1) begin
        plane = {ELEMENTS{1'b0}};
        for (i = 0; i < M; i = i + 1)
          if (i <= k && k - i < M) plane = plane ^ (a[i*ELEMENTS+:ELEMENTS] & b[(k-i)*ELEMENTS+:ELEMENTS]);
        product[k*ELEMENTS+:ELEMENTS] = plane;
      end
      for (k = 2 * M - 2; k >= M; k = k - 1)
        for (e = 0; e < M; e = e + 1)
          if (POLYNOMIAL[e])
            product[(k-M+e)*ELEMENTS+:ELEMENTS] = product[(k-M+e)*ELEMENTS+:ELEMENTS] ^ product[k*ELEMENTS+:ELEMENTS];
      multiply_planes = product[ELEMENTS_BITS-1:0];
    end
  endfunction
