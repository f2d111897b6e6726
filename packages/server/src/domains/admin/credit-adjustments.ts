import type { Actor } from '../../engine/actor.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { deductCredits, grantCredits } from '../ledger/ledger.ts'
import { withOrganizationNames } from '../organizations/organization-names.ts'
import { findCreditAdjustment, type CreditAdjustmentRow } from './store.credit-adjustments.ts'

/** Writes an adjustment of a wallet to the journal; returns the id of the entry. Throws `insufficient-credits`. */
export async function postCreditAdjustment(
  tx: Tx,
  actor: Actor,
  adjustment: { readonly id: string; readonly amount_credits: number; readonly reason: string },
): Promise<string> {
  const { id, amount_credits, reason: note } = adjustment
  const reference = { type: 'adjustment', id }
  return amount_credits > 0
    ? (await grantCredits(tx, actor, { kind: 'grant_manual', amount_credits, reference, note })).entry_id
    : deductCredits(tx, actor, { amount_credits: -amount_credits, reference, note })
}

/** Throws `forbidden` for an amount that one operator alone may not adjust. */
export function requireWithinTwoPersonLimit({ quotas }: Pick<Call, 'quotas'>, amount_credits: number): void {
  const max = quotas.two_person_credits
  if (max === 0 || Math.abs(amount_credits) <= max) return
  throw new Problem(
    'forbidden',
    `An adjustment of more than ${max} credits needs two operators: request it with admin.credit_adjustments.request.`,
  )
}

/** Throws `not-found`. */
export async function requireCreditAdjustment(
  call: Pick<Call, 'unscoped'>,
  { organization_id, adjustment_id }: { readonly organization_id: string; readonly adjustment_id: string },
): Promise<CreditAdjustmentRow> {
  const row = await findCreditAdjustment(call.unscoped, organization_id, adjustment_id)
  if (!row) throw new Problem('not-found', `The organization has no adjustment with the id "${adjustment_id}".`)
  return row
}

export const createAlreadyDecidedProblem = (): Problem =>
  new Problem('already-decided', 'The adjustment was approved or rejected already.')

/** The representations of adjustments. */
export const toCreditAdjustments = async (unscoped: SqlStatementRunner, rows: readonly CreditAdjustmentRow[]) =>
  (await withOrganizationNames(unscoped, rows)).map((row) => ({
    ...row,
    requested_at: row.requested_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }))

export async function toCreditAdjustment(unscoped: SqlStatementRunner, row: CreditAdjustmentRow) {
  const [adjustment] = await toCreditAdjustments(unscoped, [row])
  return adjustment!
}
