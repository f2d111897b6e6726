import { billingSetDailyTopupLimitOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { audToCents } from '../../ledger/aud.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import { upsertDailyTopupLimit } from '../topups/store.topup-limits.ts'

export const handler = defineHandler(billingSetDailyTopupLimitOperation, async (call, input) => {
  const { organization, principal, clock } = call
  const limit_cents = audToCents(input.daily_topup_limit_aud, 'daily_topup_limit_aud')
  await call.transaction(async (tx) => {
    // After the top-ups that were checked against the previous limit.
    await lockLedger(tx, organization)
    await upsertDailyTopupLimit(tx, organization, { limit_cents, by: principal.id, at: clock.now() })
  })
  return { daily_topup_limit_aud: limit_cents / 100 }
})
