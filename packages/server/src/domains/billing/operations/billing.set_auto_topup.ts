import { billingSetAutoTopupOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { setLowBalanceThreshold } from '../../ledger/low-balance.ts'
import { findDefaultCard } from '../../payment_methods/store.ts'
import { audToCents } from '../../ledger/aud.ts'
import { toAutoTopupSettings } from '../topups/auto-topup-settings.ts'
import { readDailyTopupLimit, requireNoTopupLimit } from '../topups/topup-limits.ts'
import { upsertAutoTopup } from '../topups/store.auto-topups.ts'

export const handler = defineHandler(billingSetAutoTopupOperation, async (call, input) => {
  const { organization, integrations, principal, clock } = call
  const { enabled, threshold_credits, topup_amount_credits, daily_charge_cap_aud: cap = null } = input
  const daily_charge_cap_cents = cap === null ? null : audToCents(cap, 'daily_charge_cap_aud')
  const settings = { enabled, threshold_credits, topup_amount_credits, daily_charge_cap_cents }
  const row = await call.transaction(async (tx) => {
    if (enabled) await requireNoTopupLimit(tx, call)
    await requireCapWithinDailyLimit(tx, organization, daily_charge_cap_cents ?? topup_amount_credits)
    // Locks the ledger, so that no card is detached in between.
    await setLowBalanceThreshold(tx, organization, enabled ? threshold_credits : null)
    if (enabled && !(await findDefaultCard(tx, organization, integrations.payments.env))) {
      throw new Problem('invalid-state', 'Automatic top-up needs a default card: save one first.')
    }
    return upsertAutoTopup(tx, { organization, settings, by: principal.id, at: clock.now() })
  })
  return toAutoTopupSettings(row)
})

/** Throws `validation` for a cap, or an amount without a cap, that the daily limit of the organization does not permit. */
async function requireCapWithinDailyLimit(tx: Tx, organization: string, cents: number): Promise<void> {
  const limit_cents = await readDailyTopupLimit(tx, organization)
  if (cents <= limit_cents) return
  const message = `must be at most ${limit_cents / 100}, the daily limit of the organization, which an owner can change`
  throw validationProblem([{ path: 'daily_charge_cap_aud', message }])
}
