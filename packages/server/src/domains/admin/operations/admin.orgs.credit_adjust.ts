import { adminOrgsCreditAdjustOperation } from '@swath/contract/operations/admin.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { requireMaxCredits } from '../../billing/max-credits.ts'
import { transactOrDryRun } from '../../ledger/dry-run.ts'
import { readWalletBalance, grantCredits, deductCredits } from '../../ledger/ledger.ts'
import { actorFor } from '../../organizations/all-organizations.ts'

export const adjustCredits = defineHandler(adminOrgsCreditAdjustOperation, async (call, input) => {
  const { organization_id, amount_credits, max_credits, dry_run } = input
  requireMaxCredits(Math.abs(amount_credits), max_credits)
  const toAdjustment = async (db: Queryable, transaction_id: string) => {
    const now = call.clocks.forOrganization(organization_id).now()
    const { available_credits } = await readWalletBalance(db, organization_id, now)
    return { transaction_id, organization_id, amount_credits, available_credits }
  }
  const existingId = call.claim?.recoveryData['transaction_id']
  if (typeof existingId === 'string') return toAdjustment(call.unscoped, existingId)
  const actor = await actorFor(call, organization_id)
  return transactOrDryRun(call.unscoped, { organization: organization_id, dry_run }, async (tx) =>
    toAdjustment(tx, await writeAdjustment(tx, call, actor, input)),
  )
})

async function writeAdjustment(
  tx: Tx,
  call: Call,
  actor: Actor,
  { amount_credits, reason: note }: { readonly amount_credits: number; readonly reason: string },
): Promise<string> {
  const reference = { type: 'adjustment', id: newId() }
  const entry_id =
    amount_credits > 0
      ? (await grantCredits(tx, actor, { kind: 'grant_manual', amount_credits, reference, note })).entry_id
      : await deductCredits(tx, actor, { amount_credits: -amount_credits, reference, note })
  await call.claim?.checkpoint(tx, 'reserved', { transaction_id: entry_id })
  return entry_id
}
