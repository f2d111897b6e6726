import type { Call } from '../src/engine/call.ts'
import { readPriceRates } from '../src/domains/contracts/rates.ts'
import { computeLineAmount } from '../src/domains/ledger/rounding.ts'
import { releasePaymentHold, capturePaymentHold, runWithReservedPayment } from '../src/domains/billing/payment.ts'
import { findBalancesAndLots } from '../src/domains/ledger/store.ledger.ts'
import type { ManualClock } from '../src/platform/clock.ts'
import { sql } from '../src/platform/database/sql.ts'
import { newId } from '../src/platform/ids.ts'
import type { TestApp } from './test-app.ts'
import type { TestServices } from './test-services.ts'

/** A line of an order: an area of a product at the list rate, unless a commitment fixes another rate. */
export interface OrderLineInput {
  readonly product: string
  readonly km2: string
  readonly list_rate_credits?: string
}

/** Advances a clock to a time that is not before its current one. */
export function advanceClockTo(clock: ManualClock, time: string): void {
  const remaining_ms = new Date(time).getTime() - clock.now().getTime()
  if (remaining_ms < 0) throw new Error(`the clock is already past ${time}`)
  clock.advance(remaining_ms)
}

export type EnterpriseFixture = Awaited<ReturnType<typeof createEnterprise>>

/** An organization billed by invoice, whose orders are priced, held and settled like real ones, without imagery. */
export async function createEnterprise(holdings: TestServices, country: string | null = null) {
  const { organization, owner, createMemberCall } = await holdings.createOrganization()
  await holdings.database.unscoped.query(sql`
    update organizations set enterprise_billing = true, plan = 'enterprise', country = ${country}
    where organization_id = ${organization}`)

  const priceLines = async (lineInputs: readonly OrderLineInput[]) => {
    const now = owner.clock.now()
    const rates = (await readPriceRates(owner.db, organization, now)).negotiated
    return lineInputs.map(({ product, km2, list_rate_credits = '100' }) => {
      const negotiated = rates.get(product)
      const rate_credits = negotiated ? String(negotiated.rate_credits) : list_rate_credits
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
        amount_credits: computeLineAmount(km2, rate_credits),
        commitment_id: negotiated?.commitment_id ?? null,
      }
    })
  }

  /** Places an order; returns its hold, id and lines. */
  const placeOrder = async (...lineInputs: readonly OrderLineInput[]) => {
    const lines = await priceLines(lineInputs)
    const amount_credits = lines.reduce((sum, line) => sum + line.amount_credits, 0)
    const payment = await runWithReservedPayment(
      owner,
      { amount_credits, subject: 'order', lines },
      async (_tx, reservation) => reservation,
    )
    return { hold_id: payment.hold_id!, order_id: payment.reference.id, amount_credits, lines }
  }
  type PlacedOrder = Awaited<ReturnType<typeof placeOrder>>

  /** Settles an order: all lines, or these. */
  const deliverOrder = ({ hold_id, lines }: PlacedOrder, ...lineNumbers: readonly number[]): Promise<void> => {
    const deliveredLines = lineNumbers.length > 0 ? lineNumbers : lines.map((_, index) => index + 1)
    const amount = deliveredLines.reduce((sum, line) => sum + lines[line - 1]!.amount_credits, 0)
    return owner.transaction((tx) =>
      capturePaymentHold(tx, owner, { hold_id, amount_credits: amount, lines: deliveredLines }),
    )
  }

  return {
    organization,
    owner,
    createMemberCall,
    placeOrder,
    deliverOrder,
    /** Places and settles an order. */
    placeAndDeliver: async (...lineInputs: readonly OrderLineInput[]) => {
      const placed = await placeOrder(...lineInputs)
      await deliverOrder(placed)
      return placed
    },
    cancelOrder: ({ hold_id }: PlacedOrder): Promise<void> =>
      owner.transaction((tx) => releasePaymentHold(tx, owner, hold_id)),
    readBalances: async (): Promise<Record<string, number>> =>
      Object.fromEntries((await findBalancesAndLots(owner.db, organization)).balances),
  }
}

/** Creates a call of a platform operator, who belongs to a separate organization. */
export async function createOperator(holdings: TestServices): Promise<Call> {
  const { owner } = await holdings.createOrganization()
  return { ...owner, principal: { ...owner.principal, administrator: true } }
}

/** A commitment of an enterprise organization whose period has ended without a delivery; returns its id. */
export async function createEndedCommitment(
  { admin, database }: Pick<TestApp, 'admin' | 'database'>,
  organization: string,
  shortfall_cents: number,
): Promise<string> {
  const { commitment } = await admin.call<{ commitment: { id: string } }>('admin.commitments.create', {
    organization_id: organization,
    name: `Contract ${newId()}`,
    period_start: '2020-01-01T00:00:00.000Z',
    period_end: '2120-01-01T00:00:00.000Z',
    committed_aud: shortfall_cents / 100,
    products: [{ product: newId(), negotiated_rate_aud: '1.5' }],
  })
  // A commitment cannot be created with a past period, so its end is moved in the database.
  await database.unscoped.query(sql`
    update commitments set period_end = ${new Date('2021-01-01')} where id = ${commitment.id}`)
  return commitment.id
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
export async function dumpMoneyTables({ database }: Pick<TestServices, 'database'>): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  for (const name of moneyTables) {
    const tableRows = await database.unscoped.query<{ text: string }>(sql`
      select to_jsonb(whole_row)::text as text from ${sql.identifier(name, moneyTables)} as whole_row order by 1`)
    rows[name] = tableRows.map(({ text }) => text)
  }
  return rows
}
