import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Invoice } from '@swath/contract/schemas/billing.ts'
import type { Commitment, MonthlyStatement } from '@swath/contract/schemas/commitment.ts'
import type { Call } from '../../../engine/call.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { createEnterprise, createOperator, type EnterpriseFixture } from '../../../../test/enterprise.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { callOperation } from '../../../../test/payment-fixtures.ts'
import { toUtcMonth, toMonthRange } from '../../contracts/months.ts'

let holdings: TestServices
let operator: Call
before(async () => {
  holdings = await openTestServices()
  operator = await createOperator(holdings)
})
after(() => holdings?.close())

const cents = (aud: number): number => Math.round(aud * 100)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** An enterprise and the state of its random history. */
interface History {
  readonly buyer: EnterpriseFixture
  readonly waiting: Awaited<ReturnType<EnterpriseFixture['placeOrder']>>[]
  /** Cents charged for orders, and the part under each commitment, delivered in time or late. */
  charged: number
  readonly under: Map<string, number>
  contracts: number
  /** True if an operator credited an invoice. */
  credited: boolean
}

const organizationInput = ({ buyer }: History, more: object = {}) => ({ organization_id: buyer.organization, ...more })
const invoicesOf = async ({ buyer }: History): Promise<Invoice[]> =>
  (await callOperation<{ invoices: Invoice[] }>(buyer.owner, 'billing.invoices.list', { limit: 1000 })).invoices
const contractsOf = async ({ buyer }: History): Promise<Commitment[]> =>
  (await callOperation<{ commitments: Commitment[] }>(buyer.owner, 'organizations.commitments.list', {})).commitments
const now = (): Date => holdings.clock.now()

async function endMonth(history: History): Promise<void> {
  holdings.clock.advance(toMonthRange(toUtcMonth(now())).end.getTime() - now().getTime())
  const runs = [1, 2].map(() =>
    callOperation(history.buyer.owner, 'billing.run_monthly_for_org', organizationInput(history)),
  )
  await Promise.all(runs)
}

const product = (name: string, rate: number) => ({ product: name, unit: 'km2', negotiated_rate_aud: rate.toFixed(4) })

/** The possible actions; each derives its parameters from a number from 0 to 999. */
const actions: Readonly<Record<string, (history: History, n: number) => Promise<unknown>>> = {
  order: async ({ buyer, waiting }, n) => {
    const pieces = [{ product: n % 3 === 0 ? 'Radar' : 'Photographs', km2: `${(n % 97) + 1}.${n % 10}` }]
    if (n % 2 === 0) pieces.push({ product: 'Photographs', km2: '0.37' })
    waiting.push(await buyer.placeOrder(...pieces))
  },
  deliver: async (history, n) => {
    const [order] = history.waiting.splice(n % Math.max(1, history.waiting.length), 1)
    if (!order) return
    const lines = order.lines.length > 1 && n % 3 === 0 ? [2] : order.lines.map((_, index) => index + 1)
    await history.buyer.deliverOrder(order, ...lines)
    for (const line of lines) {
      const { amount_credits, commitment_id: id } = order.lines[line - 1]!
      history.charged += amount_credits
      if (id !== null) history.under.set(id, (history.under.get(id) ?? 0) + amount_credits)
    }
  },
  cancel: async ({ buyer, waiting }) => {
    const order = waiting.shift()
    if (order) await buyer.cancelOrder(order)
  },
  wait: async (_, n) => holdings.clock.advance((n % 20) * day_ms),
  endMonth,
  contract: async (history, n) => {
    history.contracts += 1
    const commitmentInput = {
      name: `Contract ${history.contracts}`,
      period_start: now().toISOString(),
      period_end: new Date(now().getTime() + ((n % 25) + 1) * day_ms).toISOString(),
      committed_aud: (n * 7) % 101,
      carried_in_aud: n % 7,
      products: [product('Photographs', (n % 50) / 25 + 0.0125)],
    }
    await callOperation(operator, 'admin.commitments.create', organizationInput(history, commitmentInput))
  },
  amend: async (history, n) => {
    const open = (await contractsOf(history)).find(({ period_end }) => new Date(period_end) > now())
    if (!open) return
    const change = n % 2 === 0 ? { committed_aud: n } : { products: [product('Photographs', n / 500 + 0.0001)] }
    await callOperation(
      operator,
      'admin.commitments.amend',
      organizationInput(history, { commitment_id: open.id, ...change }),
    )
  },
  close: async (history) => {
    const endedContract = (await contractsOf(history)).find(
      (row) => row.closed_at === null && new Date(row.period_end) <= now(),
    )
    if (endedContract)
      await callOperation(
        operator,
        'admin.commitments.close_period',
        organizationInput(history, { commitment_id: endedContract.id }),
      )
  },
  mark: (history, n) =>
    callOperation(operator, 'billing.enterprise.mark_invoiced', organizationInput(history, { reference: `SAP-${n}` })),
  credit: async (history, n) => {
    const invoice = (await invoicesOf(history)).find(({ kind }) => kind === 'invoice')
    const left = invoice ? cents(invoice.total_aud) - cents(invoice.credited_aud) : 0
    if (!invoice || left === 0) return
    const amount_aud = Math.max(1, Math.floor((left * (n % 100)) / 150)) / 100
    const commitmentInput = { invoice_id: invoice.id, amount_aud, reason: 'Agreed' }
    await callOperation(operator, 'admin.invoices.credit', organizationInput(history, commitmentInput))
    history.credited = true
  },
  pay: async (history) => {
    const invoice = (await invoicesOf(history)).find(({ kind, status }) => kind === 'invoice' && status === 'open')
    if (invoice)
      await callOperation(operator, 'admin.invoices.mark_paid', organizationInput(history, { invoice_id: invoice.id }))
  },
}

/** Delivers open orders and advances until all periods are closed and late deliveries credited. */
async function finishHistory(history: History): Promise<void> {
  while (history.waiting.length > 0) await actions['deliver']!(history, 1)
  for (let month = 0; month < 4; month++) await endMonth(history)
}

async function statementsOf(history: History, from: Date): Promise<MonthlyStatement[]> {
  const statements: MonthlyStatement[] = []
  for (let at = from; at <= now(); at = toMonthRange(toUtcMonth(at)).end) {
    const statementInput = organizationInput(history, { period: toUtcMonth(at) })
    const { statement } = await callOperation<{ statement: MonthlyStatement }>(
      history.buyer.owner,
      'organizations.commitments.statement',
      statementInput,
    )
    statements.push(statement)
  }
  return statements
}

/** Orders, deliveries and waiting are more frequent than other actions. */
const frequentActions = ['order', 'order', 'deliver', 'deliver', 'wait', 'wait']
const step = fc.tuple(fc.constantFrom(...Object.keys(actions), ...frequentActions), fc.nat(999))

/** Checks that late deliveries were credited up to the shortfall. */
function checkLateDeliveries({ under, credited }: History, contract: Commitment, invoices: readonly Invoice[]): void {
  const late = (under.get(contract.id) ?? 0) - cents(contract.delivered_aud)
  const owed = Math.min(late, cents(contract.shortfall_aud))
  const description = `Delivered after the close of "${contract.name}", whose minimum was paid`
  const notes = invoices.filter(({ lines }) => lines[0]!.description === description)
  const credited_cents = sum(notes.map(({ total_aud }) => cents(total_aud)))
  assert.ok(late >= 0 && credited_cents <= owed)
  if (!credited) assert.equal(credited_cents, owed)
}

test('for random histories, statements, invoices and commitments have consistent totals', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
    const buyer = await createEnterprise(holdings, 'AU')
    const history: History = { buyer, waiting: [], charged: 0, under: new Map(), contracts: 0, credited: false }
    const startedAt = now()
    for (const [action, n] of [['contract', 500] as const, ...steps]) await actions[action]!(history, n)
    await finishHistory(history)

    const balances = await history.buyer.readBalances()
    assert.deepEqual([balances['enterprise.held'], balances['enterprise.accrued']], [0, 0])
    const contracts = await contractsOf(history)
    assert.ok(contracts.every(({ status }) => status === 'closed_met' || status === 'invoiced'))
    const invoices = await invoicesOf(history)
    const credited = invoices.filter(({ kind }) => kind === 'credit_note').map(({ total_aud }) => cents(total_aud))
    const shortfalls = contracts.map(({ shortfall_aud }) => cents(shortfall_aud))
    const statements = await statementsOf(history, startedAt)
    const statementTotals = statements.map(({ total_aud }) => cents(total_aud))
    assert.equal(sum(statementTotals), history.charged + sum(shortfalls) - sum(credited))
    const lines = statements.flatMap((statement) => statement.lines)
    for (const contract of contracts) {
      const { id, delivered_aud, remaining_aud, overage_aud, committed_aud } = contract
      checkLateDeliveries(history, contract, invoices)
      const flagged = lines.filter((line) => line.commitment_id === id).map(({ amount_aud }) => cents(amount_aud))
      assert.equal(sum(flagged), cents(delivered_aud))
      assert.equal(cents(delivered_aud) + cents(remaining_aud) - cents(overage_aud), cents(committed_aud))
    }
  })
  await fc.assert(property, { numRuns: 10, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false })
  await assertLedgerConsistent(holdings)
})
