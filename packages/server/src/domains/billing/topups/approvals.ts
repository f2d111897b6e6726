import type { Approval } from '@swath/contract/shapes/billing.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { lockBooks } from '../../ledger/books.ts'
import { requirePerson } from '../../organizations/membership.ts'
import { requireBillingRole } from '../billing-roles.ts'
import { decideApproval, findApproval, type ApprovalRow, type Decision } from './store.approvals.ts'
import { removeDeadline } from '../store.deadlines.ts'

/** A request for a top-up as it goes over the wire. */
export const approvalOf = (organization_id: string, row: ApprovalRow): Approval => ({
  ...row,
  organization_id,
  aud: row.credits / 100,
  expires_at: row.expires_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

/** Throws `not-found`. */
export async function requireApproval(
  { organization, clock }: Pick<Call, 'organization' | 'clock'>,
  db: Queryable,
  id: string,
): Promise<ApprovalRow> {
  const row = await findApproval(db, organization, id, clock.now())
  if (row) return row
  throw new Problem('not-found', `No request for a top-up has the id "${id}".`)
}

/** Deciding is for a person who may spend: throws `user-required` for a key and `forbidden` for any other role. */
export async function requireDecider(call: Call): Promise<void> {
  requirePerson(call, 'A person decides about a top-up.')
  await requireBillingRole(call)
}

/** Throws `gone-expired` for one whose time is over, and `already-decided` for one that was decided. */
export function requirePending(row: ApprovalRow): void {
  if (row.status === 'pending') return
  if (row.status === 'expired') throw new Problem('gone-expired', 'The time to decide about this top-up is over.')
  throw new Problem('already-decided', `The request is ${row.status}.`)
}

/** Writes a decision about a request that is pending. The organization's money is locked first. */
export async function decide(tx: Tx, call: Call, id: string, decision: Decision): Promise<ApprovalRow> {
  const { organization, clock } = call
  await lockBooks(tx, organization)
  const row = await requireApproval(call, tx, id)
  if (decision.status === 'approved' && row.requested_by === call.principal.id) {
    throw new Problem('forbidden', 'Somebody else than who asked for it approves a top-up.')
  }
  requirePending(row)
  await decideApproval(tx, organization, id, decision, clock.now())
  await removeDeadline(tx, organization, 'approval-expiry', id)
  return row
}
