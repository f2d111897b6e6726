import { Problem, validationProblem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import { openLedgerSession } from '../ledger/ledger-session.ts'
import { findOrganization } from '../organizations/store.ts'
import {
  insertCommitmentAmendment,
  findCommitment,
  insertCommitment,
  listCommitments,
  type CommitmentRow,
  type ProductRate,
} from './store.commitments.ts'

export type NewCommitment = Pick<
  CommitmentRow,
  'name' | 'period_start' | 'period_end' | 'committed_cents' | 'carried_in_cents' | 'products'
>

/** Creates a commitment. Throws `invalid-state` without enterprise billing or for a past period, `name-taken`, `validation`. */
export async function createCommitment(tx: Tx, actor: Actor, definition: NewCommitment): Promise<CommitmentRow> {
  const { organization } = actor
  // The ledger lock serializes this with price quotes, deliveries and closes.
  const { now } = await openLedgerSession(tx, actor)
  await requireEnterpriseBilling(tx, organization)
  requireUniqueProducts(definition.products)
  if (definition.period_end <= definition.period_start) throw invalidPeriodProblem()
  requireFuturePeriodEnd(definition.period_end, now)
  const row = { ...definition, id: newId(), version: 1 }
  await requireUniqueName(tx, organization, row)
  await insertCommitment(tx, organization, row, { actor: actor.principal.id, reason: null, now })
  await emitCommitmentEvent(tx, actor, 'commitment.created', row)
  return requireCommitment(tx, organization, row.id)
}

export interface CommitmentAmendment extends Partial<
  Pick<CommitmentRow, 'name' | 'period_end' | 'committed_cents' | 'products'>
> {
  readonly reason: string | null
}

/**
 * Amends a commitment during its period by adding a version. New rates apply to orders from now on, and the period must
 * end in the future, so that delivered lines stay within it. An amendment without changes adds no version. Throws
 * `not-found`, `invalid-state`, `name-taken`, `validation`.
 */
export async function amendCommitment(
  tx: Tx,
  actor: Actor,
  id: string,
  change: CommitmentAmendment,
): Promise<CommitmentRow> {
  const { organization } = actor
  const { now } = await openLedgerSession(tx, actor)
  const row = await requireCommitment(tx, organization, id)
  if (row.closed_at !== null) throw new Problem('invalid-state', 'The commitment is closed.')
  if (row.period_end <= now) throw new Problem('invalid-state', 'The period of the commitment has ended.')
  const { reason, ...definition } = change
  const amended = { ...row, ...definition, version: row.version + 1 }
  if (isUnchanged(row, amended)) return row
  requireUniqueProducts(amended.products)
  if (amended.period_end <= amended.period_start) throw invalidPeriodProblem()
  requireFuturePeriodEnd(amended.period_end, now)
  await requireUniqueName(tx, organization, amended)
  await insertCommitmentAmendment(tx, organization, amended, { actor: actor.principal.id, reason, now })
  await emitCommitmentEvent(tx, actor, 'commitment.amended', amended)
  return amended
}

/** Finds a commitment by id. Throws `not-found`. */
export async function requireCommitment(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<CommitmentRow> {
  const row = await findCommitment(db, organization, id)
  if (!row) throw new Problem('not-found', `No commitment has the id "${id}".`)
  return row
}

async function requireEnterpriseBilling(tx: Tx, organization: string): Promise<void> {
  if ((await findOrganization(tx, organization))?.enterprise_billing) return
  throw new Problem('invalid-state', 'Only an organization with enterprise billing can have a commitment.')
}

const invalidPeriodProblem = () => validationProblem([{ path: 'period_end', message: 'must be after period_start' }])

function requireFuturePeriodEnd(period_end: Date, now: OrganizationTime): void {
  if (period_end <= now) throw new Problem('invalid-state', 'The end of the period must be in the future.')
}

function requireUniqueProducts(products: readonly ProductRate[]): void {
  const seen = new Set<string>()
  for (const [index, { product }] of products.entries()) {
    if (seen.has(product))
      throw validationProblem([{ path: `products.${index}.product`, message: 'must not be repeated' }])
    seen.add(product)
  }
}

/** Prevents a commitment from being created twice by a repeated request. */
async function requireUniqueName(tx: Tx, organization: string, { id, name }: { id: string; name: string }) {
  const rows = await listCommitments(tx, organization)
  if (rows.every((row) => row.id === id || row.closed_at !== null || row.name !== name)) return
  throw new Problem('name-taken', `An open commitment with the name "${name}" exists.`)
}

const serializeDefinition = ({ name, period_end, committed_cents, products }: CommitmentRow) =>
  JSON.stringify([
    name,
    period_end,
    committed_cents,
    products.map((rate) => [rate.product, rate.unit, rate.rate_credits]),
  ])

const isUnchanged = (left: CommitmentRow, right: CommitmentRow): boolean =>
  serializeDefinition(left) === serializeDefinition(right)

const emitCommitmentEvent = (
  tx: Tx,
  actor: Actor,
  kind: 'commitment.created' | 'commitment.amended',
  row: Pick<CommitmentRow, 'id' | 'name' | 'version' | 'period_start' | 'period_end' | 'committed_cents'>,
): Promise<void> => {
  const { id, name, version, committed_cents } = row
  const period = { period_start: row.period_start.toISOString(), period_end: row.period_end.toISOString() }
  const data = { name, version, ...period, committed_aud: committed_cents / 100 }
  return emitEvent(tx, actor, { kind, entity_type: 'commitment', entity_id: id, data })
}
