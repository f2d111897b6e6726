import { billingCreditsBalance } from '@swath/contract/operations/billing.credits.ts'
import { handler } from '../../engine/handler.ts'
import { balance } from '../ledger/ledger.ts'

export const readBalance = handler(billingCreditsBalance, async (call) => {
  const { available_credits, held_credits, lots } = await balance(call.db, call.organization, call.clock.now())
  return {
    organization_id: call.organization,
    available_credits,
    held_credits,
    currency: 'AUD' as const,
    lots: lots.map((lot) => ({
      id: lot.id,
      kind: lot.kind,
      remaining_credits: lot.available_credits,
      expires_at: lot.expires_at?.toISOString() ?? null,
    })),
  }
})
