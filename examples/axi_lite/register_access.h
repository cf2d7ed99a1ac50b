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

// Converts a transaction. If AXI4-Lite cannot carry it, sets its response status to an error and returns false.
bool to_axi(tlm::tlm_generic_payload& payload, AxiLiteAccess& access);
// Copies the result of the ended `access` to the transaction: the response status and, for a read, the data.
void end_transaction(tlm::tlm_generic_payload& payload, const AxiLiteAccess& access);

AxiResponse to_axi(tlm::tlm_response_status status);
