// SPDX-License-Identifier: Apache-2.0
// Converts TLM accesses to accesses of AXI4-Lite and back. A transaction is 1, 2 or 4 bytes of one word; its byte
// enables become the strobes of the word. Responses are
//
//   OKAY     TLM_OK_RESPONSE             in both directions
//   DECERR   TLM_ADDRESS_ERROR_RESPONSE  in both directions
//   SLVERR   TLM_GENERIC_ERROR_RESPONSE  to TLM; from TLM all other errors become SLVERR
#pragma once

#include <tlm>

#include "axi_lite.h"

// Returns whether AXI4-Lite can carry the transaction. If not, sets the response status of the transaction.
bool to_axi(tlm::tlm_generic_payload& payload, AxiLiteAccess& access);
// Sets the response status of the transaction and the data read, from the ended access.
void end_transaction(tlm::tlm_generic_payload& payload, const AxiLiteAccess& access);

AxiResponse to_axi(tlm::tlm_response_status status);
