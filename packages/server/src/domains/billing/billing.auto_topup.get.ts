import { billingAutoTopupGet } from '@swath/contract/operations/billing.ts'
import { handler } from '../../engine/handler.ts'
import { autoTopupOf } from './topups/auto-topup-answers.ts'
import { findAutoTopup } from './topups/store.auto-topups.ts'

export const getAutoTopup = handler(billingAutoTopupGet, async (call) => ({
  auto_topup: autoTopupOf(await findAutoTopup(call.db, call.organization)),
}))
