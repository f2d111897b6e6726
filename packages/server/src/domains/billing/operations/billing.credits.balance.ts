import { billingCreditsBalanceOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { isSandboxId } from '../../../platform/ids.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { hasOrganizationPermission } from '../../projects/permissions.ts'

export const handler = defineHandler(billingCreditsBalanceOperation, async (call) => {
  const { available_credits, held_credits, lots } = await readWalletBalance(
    call.db,
    call.organization,
    call.clock.now(),
  )
  const readsLots = await hasOrganizationPermission(call, 'bill')
  return {
    organization_id: call.organization,
    available_credits,
    held_credits,
    currency: 'AUD' as const,
    play_money: isSandboxId(call.organization),
    lots: (readsLots ? lots : []).map((lot) => ({
      id: lot.id,
      kind: lot.kind,
      remaining_credits: lot.available_credits,
      expires_at: lot.expires_at?.toISOString() ?? null,
    })),
  }
})
