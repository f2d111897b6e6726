import { billingLedgerVerifyOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { verifyLedger } from '../../ledger/verify.ts'

export const handler = defineHandler(billingLedgerVerifyOperation, async (call) => {
  const { faults, ...verification } = await verifyLedger(call.db, call.organization, call.signal)
  return { organization_id: call.organization, ...verification, faults: [...faults] }
})
