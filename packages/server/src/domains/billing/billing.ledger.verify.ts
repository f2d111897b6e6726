import { billingLedgerVerify } from '@swath/contract/operations/billing.ledger.ts'
import { handler } from '../../engine/handler.ts'
import { verifyLedger } from '../ledger/verify.ts'

export const verifyJournal = handler(billingLedgerVerify, async (call) => {
  const { faults, ...verdict } = await verifyLedger(call.db, call.organization, call.signal)
  return { organization_id: call.organization, ...verdict, faults: [...faults] }
})
