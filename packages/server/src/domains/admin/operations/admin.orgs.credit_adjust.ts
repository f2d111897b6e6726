import { adminOrgsCreditAdjustOperation } from '@swath/contract/operations/admin.orgs.ts'
import type { Actor } from '../../../engine/actor.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { requireWithinMaxCredits } from '../../billing/max-credits.ts'
import { runTransactionOrDryRun } from '../../ledger/dry-run.ts'
import { readWalletBalance } from '../../ledger/ledger.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { requireWithinTwoPersonLimit, postCreditAdjustment } from '../credit-adjustments.ts'

export const handler = defineHandler(adminOrgsCreditAdjustOperation, async (call, input) => {
  const { organization_id, amount_credits, max_credits, dry_run } = input
  requireWithinMaxCredits(Math.abs(amount_credits), max_credits)
  const toAdjustment = async (db: SqlStatementRunner, transaction_id: string) => {
    const now = call.clocks.forOrganization(organization_id).now()
    const { available_credits } = await readWalletBalance(db, organization_id, now)
    return { transaction_id, organization_id, amount_credits, available_credits }
  }
  const existingId = call.claim?.recoveryData['transaction_id']
  if (typeof existingId === 'string') return toAdjustment(call.unscoped, existingId)
  requireWithinTwoPersonLimit(call, amount_credits)
  const actor = await toActorInOrganization(call, organization_id)
  return runTransactionOrDryRun(call.unscoped, { organization: organization_id, dry_run }, async (tx) =>
    toAdjustment(tx, await adjustOnce(tx, call, actor, input)),
  )
})

async function adjustOnce(
  tx: Tx,
  call: Call,
  actor: Actor,
  { amount_credits, reason }: { readonly amount_credits: number; readonly reason: string },
): Promise<string> {
  const entry_id = await postCreditAdjustment(tx, actor, { id: newId(), amount_credits, reason })
  await call.claim?.checkpoint(tx, 'reserved', { transaction_id: entry_id })
  return entry_id
}
