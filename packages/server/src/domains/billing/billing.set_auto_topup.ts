import { billingSetAutoTopup } from '@swath/contract/operations/billing.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { setLowBalance } from '../ledger/low-balance.ts'
import { findDefaultCard } from '../payment_methods/cards.ts'
import { centsOf } from './aud.ts'
import { autoTopupOf } from './topups/auto-topup-answers.ts'
import { requireBillingRole } from './billing-roles.ts'
import { putAutoTopup } from './topups/store.auto-topups.ts'

export const setAutoTopup = handler(billingSetAutoTopup, async (call, input) => {
  await requireBillingRole(call)
  const { organization, outside, principal, clock } = call
  const { enabled, threshold_credits, topup_amount_credits, daily_charge_cap_aud: cap = null } = input
  const daily_charge_cap_cents = cap === null ? null : centsOf(cap, 'daily_charge_cap_aud')
  const terms = { enabled, threshold_credits, topup_amount_credits, daily_charge_cap_cents }
  const row = await call.transaction(async (tx) => {
    // Locks the ledger, so that no card is detached in between.
    await setLowBalance(tx, organization, enabled ? threshold_credits : null)
    if (enabled && !(await findDefaultCard(tx, organization, outside.payments.env))) {
      throw new Problem('invalid-state', 'Automatic top-up needs a default card: save one first.')
    }
    return putAutoTopup(tx, organization, terms, principal.id, clock.now())
  })
  return autoTopupOf(row)
})
