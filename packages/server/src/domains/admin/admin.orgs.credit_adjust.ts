import { adminOrgsCreditAdjust } from '@swath/contract/operations/admin.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { newId } from '../../platform/ids.ts'
import { balance, grant, withdraw } from '../ledger/ledger.ts'
import { actIn } from '../organizations/named.ts'

export const adjustCredits = handler(adminOrgsCreditAdjust, async (call, input) => {
  const { organization_id, amount_credits, reason } = input
  const done = call.claim?.data['transaction_id']
  const transaction_id = typeof done === 'string' ? done : await adjust(call, organization_id, amount_credits, reason)
  const { available_credits } = await balance(call.across, organization_id, call.clocks.of(organization_id).now())
  return { transaction_id, organization_id, amount_credits, available_credits }
})

async function adjust(call: Call, organization: string, amount_credits: number, note: string): Promise<string> {
  const actor = await actIn(call, organization)
  return call.across.transaction(async (tx) => {
    const reference = { type: 'adjustment', id: newId() }
    const entry =
      amount_credits > 0
        ? (await grant(tx, actor, { kind: 'grant_manual', amount_credits, reference, note })).entry_id
        : await withdraw(tx, actor, { amount_credits: -amount_credits, reference, note })
    await call.claim?.reach(tx, 'reserved', { transaction_id: entry })
    return entry
  })
}
