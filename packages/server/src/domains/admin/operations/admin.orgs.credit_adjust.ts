import { adminOrgsCreditAdjustOperation } from '@swath/contract/operations/admin.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { newId } from '../../../platform/ids.ts'
import { readWalletBalance, grantCredits, deductCredits } from '../../ledger/ledger.ts'
import { actorFor } from '../../organizations/all-organizations.ts'

export const adjustCredits = defineHandler(adminOrgsCreditAdjustOperation, async (call, input) => {
  const { organization_id, amount_credits, reason } = input
  const existingId = call.claim?.recoveryData['transaction_id']
  const transaction_id =
    typeof existingId === 'string' ? existingId : await writeAdjustment(call, organization_id, amount_credits, reason)
  const { available_credits } = await readWalletBalance(
    call.unscoped,
    organization_id,
    call.clocks.forOrganization(organization_id).now(),
  )
  return { transaction_id, organization_id, amount_credits, available_credits }
})

async function writeAdjustment(
  call: Call,
  organization: string,
  amount_credits: number,
  note: string,
): Promise<string> {
  const actor = await actorFor(call, organization)
  return call.unscoped.transaction(async (tx) => {
    const reference = { type: 'adjustment', id: newId() }
    const entry_id =
      amount_credits > 0
        ? (await grantCredits(tx, actor, { kind: 'grant_manual', amount_credits, reference, note })).entry_id
        : await deductCredits(tx, actor, { amount_credits: -amount_credits, reference, note })
    await call.claim?.checkpoint(tx, 'reserved', { transaction_id: entry_id })
    return entry_id
  })
}
