import type { Call } from '../src/engine/call.ts'
import { negotiatedRates } from '../src/domains/billing/commitments/rates.ts'
import { lineAmount } from '../src/domains/billing/rounding.ts'
import { releaseSpend, settleSpend, spend } from '../src/domains/billing/spend.ts'
import { readBooks } from '../src/domains/ledger/store.books.ts'
import type { ManualClock } from '../src/platform/clock.ts'
import { sql } from '../src/platform/database/sql.ts'
import type { Holdings } from './holdings.ts'

/** A line of an order: an area of a product at the list rate, unless a commitment fixes another rate. */
export interface Piece {
  readonly product: string
  readonly km2: string
  readonly list_rate_credits?: string
}

/** Advances a clock to a time that is not before its current one. */
export function moveTo(clock: ManualClock, time: string): void {
  const ahead = new Date(time).getTime() - clock.now().getTime()
  if (ahead < 0) throw new Error(`the clock is already past ${time}`)
  clock.advance(ahead)
}

export type Enterprise = Awaited<ReturnType<typeof makeEnterprise>>

/** An organization billed by invoice, whose orders are priced, held and settled like real ones, without imagery. */
export async function makeEnterprise(holdings: Holdings, country: string | null = null) {
  const { organization, owner, person } = await holdings.organize()
  await holdings.database.across.query(sql`
    update organizations set enterprise_billing = true, plan = 'enterprise', country = ${country}
    where organization_id = ${organization}`)

  const linesOf = async (pieces: readonly Piece[]) => {
    const now = owner.clock.now()
    const rates = await negotiatedRates(owner.db, organization, now)
    return pieces.map(({ product, km2, list_rate_credits = '100' }) => {
      const fixed = rates.get(product)
      const rate_credits = fixed ? String(fixed.rate_credits) : list_rate_credits
      return {
        product,
        description: `demo:${product}`,
        unit: 'km2',
        measured_quantity: km2,
        charged_quantity: km2,
        minimum_quantity: '0',
        list_rate_credits,
        rate_credits,
        priced_on: now.toISOString().slice(0, 10),
        discount_credits: 0,
        amount_credits: lineAmount(km2, rate_credits),
        commitment_id: fixed?.commitment_id ?? null,
      }
    })
  }

  /** Places an order; returns its hold, id and lines. */
  const order = async (...pieces: readonly Piece[]) => {
    const lines = await linesOf(pieces)
    const amount_credits = lines.reduce((sum, line) => sum + line.amount_credits, 0)
    const paid = await spend(
      owner,
      { amount_credits, subject: 'order', lines },
      async (_tx, reservation) => reservation,
    )
    return { hold_id: paid.hold_id!, order_id: paid.reference.id, amount_credits, lines }
  }
  type Placed = Awaited<ReturnType<typeof order>>

  /** Settles an order: all lines, or the given ones. */
  const deliver = ({ hold_id, lines }: Placed, ...named: readonly number[]): Promise<void> => {
    const delivered = named.length > 0 ? named : lines.map((_, index) => index + 1)
    const amount = delivered.reduce((sum, line) => sum + lines[line - 1]!.amount_credits, 0)
    return owner.transaction((tx) => settleSpend(tx, owner, hold_id, amount, delivered))
  }

  return {
    organization,
    owner,
    person,
    order,
    deliver,
    /** Places and settles an order. */
    buy: async (...pieces: readonly Piece[]) => {
      const placed = await order(...pieces)
      await deliver(placed)
      return placed
    },
    cancel: ({ hold_id }: Placed): Promise<void> => owner.transaction((tx) => releaseSpend(tx, owner, hold_id)),
    balances: async (): Promise<Record<string, number>> =>
      Object.fromEntries((await readBooks(owner.db, organization)).balances),
  }
}

/** Creates a call of a platform operator, who belongs to a separate organization. */
export async function makeOperator(holdings: Holdings): Promise<Call> {
  const { owner } = await holdings.organize()
  return { ...owner, principal: { ...owner.principal, administrator: true } }
}

const moneyTables = [
  'ledger_heads',
  'ledger_accounts',
  'journal_entries',
  'journal_postings',
  'credit_lots',
  'credit_holds',
  'credit_hold_resolutions',
  'charge_lines',
  'charge_line_settlements',
  'commitments',
  'commitment_versions',
  'invoices',
  'invoiced_charges',
  'monthly_runs',
  'monthly_grants',
  'monthly_statements',
  'free_tier_decisions',
  'billing_deadlines',
  'organizations',
  'events',
]

/** Reads every row of the billing tables of all organizations, to compare before and after a call that changes nothing. */
export async function moneyOf({ database }: Pick<Holdings, 'database'>): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const name of moneyTables) {
    const found = await database.across.query<{ text: string }>(sql`
      select to_jsonb(whole_row)::text as text from ${sql.identifier(name, moneyTables)} as whole_row order by 1`)
    rows[name] = found.map(({ text }) => text)
  }
  return rows
}
