import type { TopupApproval } from '@swath/contract/schemas/billing.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { hasOrganizationPermission } from '../../projects/permissions.ts'
import { lockLedger } from '../../ledger/ledger-session.ts'
import {
  markTopupApprovalDecided,
  findTopupApproval,
  type TopupApprovalRow,
  type TopupApprovalDecision,
} from './store.approvals.ts'
import { deleteBillingDeadline } from '../../ledger/store.deadlines.ts'

/** The API representation of a top-up approval. */
export const toTopupApproval = (organization_id: string, row: TopupApprovalRow): TopupApproval => ({
  ...row,
  organization_id,
  aud: row.credits / 100,
  expires_at: row.expires_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

const unknownApproval = (id: string): Problem => new Problem('not-found', `No top-up request has the id "${id}".`)

/** Throws `not-found`. */
export async function requireTopupApproval(
  { organization, clock }: Pick<Call, 'organization' | 'clock'>,
  db: SqlStatementRunner,
  id: string,
): Promise<TopupApprovalRow> {
  const row = await findTopupApproval(db, organization, id, clock.now())
  if (row) return row
  throw unknownApproval(id)
}

/** The requester whose requests the caller may read: itself; null for those who may read all. */
export const findReadableRequester = async (call: Call): Promise<string | null> =>
  (await hasOrganizationPermission(call, 'bill')) ? null : call.principal.id

/** The request, if it is the caller's own or the caller may read all. Throws `not-found`. */
export async function requireReadableTopupApproval(call: Call, id: string): Promise<TopupApprovalRow> {
  const [row, requester] = [await requireTopupApproval(call, call.db, id), await findReadableRequester(call)]
  if (requester !== null && row.requested_by !== requester) throw unknownApproval(id)
  return row
}

/** Throws `gone-expired` for an expired request and `already-decided` for a decided one. */
export function requirePendingTopupApproval(row: TopupApprovalRow): void {
  if (row.status === 'pending') return
  if (row.status === 'expired') throw new Problem('gone-expired', 'The top-up request has expired.')
  throw new Problem('already-decided', `The request is ${row.status}.`)
}

/** Records the decision on a pending request. Locks the ledger first. */
export async function recordTopupDecision(
  tx: Tx,
  call: Call,
  id: string,
  decision: TopupApprovalDecision,
): Promise<TopupApprovalRow> {
  const { organization, clock } = call
  await lockLedger(tx, organization)
  const row = await requireTopupApproval(call, tx, id)
  if (decision.status === 'approved' && row.requested_by === call.principal.id) {
    throw new Problem('forbidden', 'A top-up request must be approved by a different user than the one who made it.')
  }
  requirePendingTopupApproval(row)
  await markTopupApprovalDecided(tx, { organization, id }, decision, clock.now())
  await deleteBillingDeadline(tx, organization, 'approval-expiry', id)
  return row
}
