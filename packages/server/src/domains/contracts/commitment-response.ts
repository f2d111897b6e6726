import type { Commitment } from '@swath/contract/schemas/commitment.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { centsToAud, toAudRate } from '../ledger/aud.ts'
import { countsTowardsPeriod, computeCommitmentTotals, type CommitmentRollup } from './commitment-rollup.ts'
import type { CommitmentRow } from './store.commitments.ts'
import { sumDeliveredByCommitment } from './store.commitments.ts'
import { listChargeLinesUnderCommitment, type DeliveredChargeLineRow } from './store.delivered.ts'

/**
 * Computes the rollup of a commitment from `delivered`, the sum of its lines from the database, which enters the
 * computation as one line at the start of the period.
 */
export function computeCommitmentRollup(
  row: CommitmentRow,
  delivered: number,
  now: OrganizationTime,
): CommitmentRollup {
  const { committed_cents, carried_in_cents, period_start, period_end, closed_at } = row
  const totalLine = { at: period_start, product: '', quantity: 1, rate_cents: delivered, amount_cents: delivered }
  const invoiced = row.invoice_id !== null
  const commitment = { committed_cents, carried_in_cents, period_start, period_end, closed_at, invoiced, now }
  return computeCommitmentTotals({ ...commitment, lines: [totalLine] })
}

/** The API representation of a commitment, optionally with its lines. */
export async function toCommitment(
  db: SqlStatementRunner,
  organization: string,
  row: CommitmentRow,
  options: {
    readonly now: OrganizationTime
    readonly delivered?: ReadonlyMap<string, number>
    readonly with_lines?: boolean
  },
): Promise<Commitment> {
  const delivered = options.delivered ?? (await sumDeliveredByCommitment(db, organization))
  const rollup = computeCommitmentRollup(row, delivered.get(row.id) ?? 0, options.now)
  const lines = options.with_lines ? await listChargeLinesUnderCommitment(db, organization, row.id) : null
  return {
    id: row.id,
    organization_id: organization,
    name: row.name,
    products: row.products.map(({ product, unit, rate_credits }) => ({
      product,
      unit,
      negotiated_rate_aud: toAudRate(rate_credits),
    })),
    currency: 'AUD',
    period_start: row.period_start.toISOString(),
    period_end: row.period_end.toISOString(),
    committed_aud: centsToAud(row.committed_cents),
    carried_in_aud: centsToAud(row.carried_in_cents),
    delivered_aud: centsToAud(rollup.delivered_cents),
    remaining_aud: centsToAud(rollup.remaining_cents),
    overage_aud: centsToAud(rollup.overage_cents),
    shortfall_aud: centsToAud(rollup.shortfall_cents),
    pace: rollup.pace,
    status: rollup.status,
    version: row.version,
    closed_at: row.closed_at?.toISOString() ?? null,
    ...(lines ? { line_items: lines.filter(({ at }) => countsTowardsPeriod(row, at)).map(toLineItem) } : {}),
  }
}

/** The API representation of a delivered line. */
const toLineItem = (row: DeliveredChargeLineRow): NonNullable<Commitment['line_items']>[number] => ({
  at: row.at.toISOString(),
  product: row.product,
  order_id: row.reference_type === 'order' ? row.reference_id : null,
  quantity: Number(row.quantity),
  unit: row.unit,
  rate_aud: toAudRate(row.rate_credits),
  amount_aud: centsToAud(row.amount_credits),
  commitment_id: row.commitment_id,
})
