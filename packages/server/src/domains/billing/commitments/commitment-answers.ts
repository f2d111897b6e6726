import type { Commitment } from '@swath/contract/shapes/commitment.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { audOf, rateAud } from '../aud.ts'
import { counts, rollUp, type Rollup } from './commitment-rollup.ts'
import type { CommitmentRow } from './commitments.ts'
import { sumDelivered } from './store.commitments.ts'
import { listFlagged, type DeliveredRow } from '../months/store.delivered.ts'

/**
 * Computes the rollup of a commitment from `delivered`, the sum of its lines from the database, which enters the
 * computation as one line at the start of the period.
 */
export function rollUpOf(row: CommitmentRow, delivered: number, now: OrganizationTime): Rollup {
  const { committed_cents, carried_in_cents, period_start, period_end, closed_at } = row
  const whole = { at: period_start, product: '', quantity: 1, rate_cents: delivered, amount_cents: delivered }
  const invoiced = row.invoice_id !== null
  const terms = { committed_cents, carried_in_cents, period_start, period_end, closed_at, invoiced, now }
  return rollUp({ ...terms, lines: [whole] })
}

/** The API representation of a commitment, optionally with its lines. */
export async function commitmentOf(
  db: Queryable,
  organization: string,
  row: CommitmentRow,
  options: {
    readonly now: OrganizationTime
    readonly delivered?: ReadonlyMap<string, number>
    readonly with_lines?: boolean
  },
): Promise<Commitment> {
  const delivered = options.delivered ?? (await sumDelivered(db, organization))
  const sums = rollUpOf(row, delivered.get(row.id) ?? 0, options.now)
  const lines = options.with_lines ? await listFlagged(db, organization, row.id) : null
  return {
    id: row.id,
    organization_id: organization,
    name: row.name,
    products: row.products.map(({ product, unit, rate_credits }) => ({
      product,
      unit,
      negotiated_rate_aud: rateAud(rate_credits),
    })),
    currency: 'AUD',
    period_start: row.period_start.toISOString(),
    period_end: row.period_end.toISOString(),
    committed_aud: audOf(row.committed_cents),
    carried_in_aud: audOf(row.carried_in_cents),
    delivered_aud: audOf(sums.delivered_cents),
    remaining_aud: audOf(sums.remaining_cents),
    overage_aud: audOf(sums.overage_cents),
    shortfall_aud: audOf(sums.shortfall_cents),
    pace: sums.pace,
    status: sums.status,
    version: row.version,
    closed_at: row.closed_at?.toISOString() ?? null,
    ...(lines ? { line_items: lines.filter(({ at }) => counts(row, at)).map(deliveredLineOf) } : {}),
  }
}

/** The API representation of a delivered line. */
const deliveredLineOf = (row: DeliveredRow): NonNullable<Commitment['line_items']>[number] => ({
  at: row.at.toISOString(),
  product: row.product,
  order_id: row.reference_type === 'order' ? row.reference_id : null,
  quantity: Number(row.quantity),
  unit: row.unit,
  rate_aud: rateAud(row.rate_credits),
  amount_aud: audOf(row.amount_credits),
  commitment_id: row.commitment_id,
})
