// SPDX-License-Identifier: Apache-2.0
// TLM accesses as accesses of AXI4-Lite, and back. A transaction is 1, 2 or 4 bytes of one word, each as its byte
// enables say; the strobes of the word carry that. Responses are
//
//   OKAY     TLM_OK_RESPONSE             and back
//   DECERR   TLM_ADDRESS_ERROR_RESPONSE  and back
//   SLVERR   TLM_GENERIC_ERROR_RESPONSE  which all other errors become
#pragma once

#include <tlm>

#include "rtl/axi/axi_lite.h"

namespace nandscape::rtl {

// Returns whether the transaction can be carried; else it has its response status.
bool to_axi(tlm::tlm_generic_payload& payload, AxiLiteAccess& access);
// Ends the transaction with what the access has brought.
void end_transaction(tlm::tlm_generic_payload& payload, const AxiLiteAccess& access);

AxiResponse to_axi(tlm::tlm_response_status status);

}  // namespace nandscape::rtl
