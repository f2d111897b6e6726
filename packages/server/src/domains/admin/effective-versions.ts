import type { Call } from '../../engine/call.ts'
import { Problem, validationProblem } from '../../engine/problem.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import type { CommercialTermsVersionDecision, CommercialTermsVersionRow } from '../rate-cards/store.decisions.ts'

/** Products belong to no organization: effective dates are compared with the clock of the process. */
export const readProcessClockTime = ({ clocks }: Pick<Call, 'clocks'>): Date => clocks.process.now()

/** The effective date of a new version. Throws `validation` if it is in the past. */
export function parseEffectiveDate(call: Pick<Call, 'clocks'>, effective_from: string): Date {
  const time = new Date(effective_from)
  if (time < readProcessClockTime(call))
    throw validationProblem([{ path: 'effective_from', message: 'is in the past' }])
  return time
}

/** The fields of a version that all kinds have. */
export const toCommercialTermsVersionFields = ({
  effective_from,
  requested_at,
  decided_at,
}: CommercialTermsVersionRow) => ({
  effective_from: effective_from.toISOString(),
  requested_at: requested_at.toISOString(),
  decided_at: decided_at?.toISOString() ?? null,
})

/** A kind of versions that one operator requests and another one decides. */
export interface CommercialTermsVersionKind<Row extends CommercialTermsVersionRow> {
  /** The name of a version in messages, such as "rate card". */
  readonly label: string
  find(db: SqlStatementRunner, id: string): Promise<Row | null>
  decide(tx: Tx, id: string, decision: CommercialTermsVersionDecision): Promise<Row | null>
}

/**
 * Approves or rejects a version. Throws `not-found` or `already-decided`, and for an approval `forbidden` for the
 * operator who requested it, or `invalid-state` after its effective date: past sales never change.
 */
export async function decideCommercialTermsVersion<Row extends CommercialTermsVersionRow>(
  call: Call,
  { label, find, decide }: CommercialTermsVersionKind<Row>,
  { id, reason, status }: { readonly id: string; readonly reason: string; readonly status: 'approved' | 'rejected' },
): Promise<Row> {
  const version = await find(call.unscoped, id)
  if (!version) throw new Problem('not-found', `No ${label} has the id "${id}".`)
  const now = readProcessClockTime(call)
  if (version.status === 'pending' && status === 'approved') requireApprovable(call, version, label, now)
  const decision = { status, decided_by: call.principal.id, decided_at: now, decision_reason: reason }
  const decided = await call.unscoped.transaction((tx) => decide(tx, version.id, decision))
  if (!decided) throw new Problem('already-decided', `The ${label} was approved or rejected already.`)
  return decided
}

function requireApprovable({ principal }: Call, version: CommercialTermsVersionRow, label: string, now: Date): void {
  if (version.requested_by === principal.id)
    throw new Problem('forbidden', `A ${label} is approved by another operator than the one who requested it.`)
  if (version.effective_from < now)
    throw new Problem('invalid-state', 'Its effective date has passed: request it again with a later one.')
}
