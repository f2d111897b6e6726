// Generated from the contract by `npm run generate`; do not edit.

/** The states in which orders, jobs and uploads end, and the one of success. */
export const terminalStates = {
  order: { terminal: ['FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED'], success: 'FULFILLED' },
  job: { terminal: ['completed', 'failed', 'cancelled'], success: 'completed' },
  upload: { terminal: ['completed', 'failed', 'cancelled', 'expired'], success: 'completed' },
} as const

/** The values of `subStatus` in which a tasking order waits for a decision of the customer, and expires without one. */
export const decisionStates: readonly string[] = ['FEASIBILITY_WAITING_RESPONSE', 'QUOTATION_WAITING_RESPONSE']
