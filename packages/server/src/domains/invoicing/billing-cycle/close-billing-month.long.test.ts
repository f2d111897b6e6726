import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Static } from 'typebox'
import type { Invoice, MonthlyBillingRun } from '@swath/contract/schemas/billing.ts'
import type { Commitment, MonthlyStatement } from '@swath/contract/schemas/commitment.ts'
import type { Call } from '../../../engine/call.ts'
import { newId } from '../../../platform/ids.ts'
import {
  createEnterprise,
  createOperator,
  dumpMoneyTables,
  advanceClockTo,
  type EnterpriseFixture,
} from '../../../../test/enterprise.ts'
import { numberIssuedDocuments } from '../../../../test/invoices.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { callOperation, createBillingKey, createClaim } from '../../../../test/payment-fixtures.ts'
import { createTaskRunner } from '../../../../test/task-runner.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'

type Run = Static<typeof MonthlyBillingRun>

let holdings: TestServices
let operator: Call
before(async () => {
  holdings = await openTestServices()
  operator = await createOperator(holdings)
})
after(() => holdings?.close())

const run = (buyer: EnterpriseFixture, call: Call = buyer.owner): Promise<Run> =>
  callOperation(call, 'billing.run_monthly_for_org', { organization_id: buyer.organization })
const invoices = async ({ owner }: EnterpriseFixture): Promise<Invoice[]> =>
  (await callOperation<{ invoices: Invoice[] }>(owner, 'billing.invoices.list', { limit: 50 })).invoices
const invoiceOf = async ({ owner }: EnterpriseFixture, invoice_id: string): Promise<Invoice> =>
  (await callOperation<{ invoice: Invoice }>(owner, 'billing.invoices.get', { invoice_id })).invoice
const statement = async (
  buyer: EnterpriseFixture,
  period: string | null,
  call: Call = buyer.owner,
): Promise<MonthlyStatement> => {
  const input = { organization_id: buyer.organization, period }
  return (await callOperation<{ statement: MonthlyStatement }>(call, 'organizations.commitments.statement', input))
    .statement
}
const createCommitment = async (organization_id: string, definition: object): Promise<Commitment> => {
  const input = { organization_id, name: 'Frame', carried_in_aud: 0, ...definition }
  return (await callOperation<{ commitment: Commitment }>(operator, 'admin.commitments.create', input)).commitment
}

/** The total and the GST of the invoice of a monthly run, in cents; empty without an invoice. */
async function readInvoiceAmounts(buyer: EnterpriseFixture, outcome: Run): Promise<(number | null)[]> {
  if (outcome.invoice_id === null) return []
  const invoice = await invoiceOf(buyer, outcome.invoice_id)
  const lines = invoice.lines.reduce((sum, line) => sum + Math.round(line.amount_aud * 100), 0)
  assert.equal(lines, Math.round(invoice.total_aud * 100))
  return [lines, invoice.gst_aud === null ? null : Math.round(invoice.gst_aud * 100)]
}

const photographsRate = { product: 'Photographs', unit: 'km2', negotiated_rate_aud: '2.1255' }

test('a year of monthly runs with deliveries, a shortfall, a late delivery and GST has the expected amounts', async () => {
  const buyer = await createEnterprise(holdings, 'AU')
  const { id } = await createCommitment(buyer.organization, {
    period_start: '2026-03-01T00:00:00.000Z',
    period_end: '2026-09-01T00:00:00.000Z',
    committed_aud: 300,
    products: [photographsRate],
  })
  const buy = (product: string, km2: string) => () => buyer.placeAndDeliver({ product, km2 })
  let late: Awaited<ReturnType<EnterpriseFixture['placeOrder']>> | undefined
  const orderLate = async () => {
    late = await buyer.placeOrder({ product: 'Photographs', km2: '100' })
  }
  // The month, its actions, the total and GST of its invoice, and its shortfall.
  const year: [string, (() => Promise<unknown>)[], (number | null)[], missing?: number][] = [
    // 10.5 × 212.55 = 2231.775 and 2.5 × 100; 2482 / 11 = 225.64
    ['2026-03', [buy('Photographs', '10.5'), buy('Radar', '2.5')], [2482, 226]],
    ['2026-04', [], []],
    ['2026-05', [buy('Photographs', '20')], [4251, 386]], // 386.45
    ['2026-06', [buy('Radar', '11')], [1100, 100]],
    ['2026-07', [buy('Photographs', '0.5')], [107, 10]], // 106.275; 9.73
    // 212.55, and a shortfall of 30,000 - 2232 - 4251 - 107 - 213; 23410 / 11 = 2128.18
    ['2026-08', [buy('Photographs', '1'), orderLate], [213 + 23_197, 2128], 23_197],
    ['2026-09', [() => buyer.deliverOrder(late!)], [21_255, 1932]], // 1932.27
    ['2026-10', [buy('Photographs', '1')], [100, 9]], // at the list price again
    ['2026-11', [], []],
    ['2026-12', [buy('Radar', '0.05')], [5, 0]], // 0.45
    ['2027-01', [], []],
    ['2027-02', [buy('Radar', '0.06')], [6, 1]], // 0.55
  ]
  const statements = new Map<string, MonthlyStatement>()
  for (const [month, actions, expected, shortfall_cents = 0] of year) {
    advanceClockTo(holdings.clock, `${month}-15T12:00:00.000Z`)
    for (const action of actions) await action()
    assert.equal((await statement(buyer, month)).closed, false)
    const next = new Date(holdings.clock.now())
    next.setUTCMonth(next.getUTCMonth() + 1, 1)
    advanceClockTo(holdings.clock, `${next.toISOString().slice(0, 7)}-01T00:00:10.000Z`)
    const outcome = await run(buyer)
    assert.deepEqual(
      [outcome.period, await readInvoiceAmounts(buyer, outcome), outcome.trued_up_aud],
      [month, expected, shortfall_cents / 100],
    )
    assert.deepEqual(await run(buyer), { ...outcome, already_done: true })
    statements.set(month, await statement(buyer, month))
  }

  // The late delivery was paid with the shortfall: its share of that invoice's GST is 21255 × 2128 / 23410 = 1932.12.
  await numberIssuedDocuments(buyer.owner.db, buyer.owner)
  const all = await invoices(buyer)
  const notes = all.filter(({ kind }) => kind === 'credit_note')
  const august = all.find(({ kind, period }) => kind === 'invoice' && period === '2026-08')!
  assert.deepEqual(
    notes.map(({ total_aud, gst_aud, belongs_to_id }) => [total_aud, gst_aud, belongs_to_id]),
    [[212.55, 19.32, august.id]],
  )
  assert.deepEqual([august.status, august.total_aud, august.credited_aud], ['open', 234.1, 212.55])

  // Statements of closed months do not change, and sum to the charged amount.
  const months = [...statements.keys()]
  for (const month of months) assert.deepEqual(await statement(buyer, month), statements.get(month))
  const totals = months.map((month) => Math.round(statements.get(month)!.total_aud * 100))
  // The credit note of 1 October is a line of October.
  assert.deepEqual(totals, [2482, 0, 4251, 1100, 107, 23_410, 21_255, 100 - 21_255, 0, 5, 0, 6])
  assert.ok([...statements.values()].every((stored) => stored.closed))
  const flagged = [...statements.values()].flatMap(({ lines }) => lines).filter((line) => line.commitment_id === id)
  assert.equal(
    flagged.reduce((sum, line) => sum + Math.round(line.amount_aud * 100), 0),
    6803,
  )
  const balances = await buyer.readBalances()
  const invoiced = 2482 + 4251 + 1100 + 107 + 23_410 + 21_255 + 100 + 5 + 6
  assert.equal(balances['enterprise.accrued'], 0)
  assert.equal(balances['enterprise.held'], 0)
  assert.equal(balances['enterprise.invoiced'], -(invoiced - 21_255))
  assert.equal(balances['tax'], 226 + 386 + 100 + 10 + 2128 + 1932 + 9 + 0 + 1 - 1932)
  assert.equal(balances['revenue']! + balances['tax']!, invoiced)
  assert.equal(balances['refunds'], -21_255)
})

/** Moves the clock ten seconds into the next month; returns the ended month. */
function advanceToNextMonth(): string {
  const now = holdings.clock.now()
  const period = now.toISOString().slice(0, 7)
  advanceClockTo(
    holdings.clock,
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 0, 0, 10)).toISOString(),
  )
  return period
}

test('an invoice outside Australia has no GST, and orders held at the end of a month are invoiced later', async () => {
  const buyer = await createEnterprise(holdings, 'NZ')
  await buyer.placeAndDeliver({ product: 'Radar', km2: '11' })
  const open = await buyer.placeOrder({ product: 'Radar', km2: '7' })
  const period = advanceToNextMonth()
  // Delivered in the new month, before the old one is closed.
  await buyer.deliverOrder(open)
  const outcome = await run(buyer)
  assert.deepEqual([outcome.period, await readInvoiceAmounts(buyer, outcome)], [period, [1100, null]])
  assert.equal((await buyer.readBalances())['enterprise.accrued'], -700)
  assert.equal((await buyer.readBalances())['tax'], 0)
  advanceToNextMonth()
  assert.deepEqual(await readInvoiceAmounts(buyer, await run(buyer)), [700, null])
})

test('the next run closes earlier months too, and their statements are final', async () => {
  const buyer = await createEnterprise(holdings)
  await buyer.placeAndDeliver({ product: 'Radar', km2: '3' })
  const first = advanceToNextMonth()
  advanceToNextMonth()
  const outcome = await run(buyer)
  assert.notEqual(outcome.period, first)
  assert.deepEqual(await readInvoiceAmounts(buyer, outcome), [300, 27])
  const stored = await statement(buyer, first)
  assert.deepEqual([stored.closed, stored.total_aud, stored.lines.length], [true, 3, 1])
  assert.deepEqual(
    [(await statement(buyer, null)).period, (await statement(buyer, null)).total_aud],
    [outcome.period, 0],
  )
})

test('of concurrent runs one closes the month, and all return the same figures', async () => {
  const buyer = await createEnterprise(holdings)
  await buyer.placeAndDeliver({ product: 'Radar', km2: '2' })
  advanceToNextMonth()
  const runs = await Promise.all(Array.from({ length: 5 }, () => run(buyer)))
  assert.equal(runs.filter(({ already_done }) => !already_done).length, 1)
  assert.equal(new Set(runs.map((outcome) => JSON.stringify({ ...outcome, already_done: null }))).size, 1)
  assert.equal((await invoices(buyer)).length, 1)
})

test('a run that fails midway writes nothing, and the next run closes the month', async () => {
  const buyer = await createEnterprise(holdings)
  const { id } = await createCommitment(buyer.organization, {
    period_start: holdings.clock.now().toISOString(),
    period_end: new Date(holdings.clock.now().getTime() + 1000).toISOString(),
    committed_aud: 10,
    products: [photographsRate],
  })
  await buyer.placeAndDeliver({ product: 'Radar', km2: '2' })
  advanceToNextMonth()
  const before = await dumpMoneyTables(holdings)
  for (const broken of ['commitment.closed', backgroundTaskTypes.numberDocument.name]) {
    const failAt = async (step: string): Promise<void> => {
      if (step === broken) throw new Error('killed')
    }
    const queue: Call['queue'] = {
      publish: (_tx, kind) => failAt(kind),
      enqueue: (_tx, { name }) => failAt(name),
    }
    await assert.rejects(run(buyer, { ...buyer.owner, queue }), /killed/)
    assert.deepEqual(await dumpMoneyTables(holdings), before)
  }
  const late = { ...createClaim(), checkpoint: async () => assert.fail('killed at the last statement') }
  await assert.rejects(run(buyer, { ...buyer.owner, claim: late }), /last statement/)
  assert.deepEqual(await dumpMoneyTables(holdings), before)
  const outcome = await run(buyer)
  assert.deepEqual([await readInvoiceAmounts(buyer, outcome), outcome.trued_up_aud], [[1200, 109], 10])
  const again = { organization_id: buyer.organization, commitment_id: id }
  const { commitment } = await callOperation<{ commitment: Commitment }>(
    operator,
    'admin.commitments.close_period',
    again,
  )
  assert.equal(commitment.status, 'invoiced')
})

test('a retry after a lost response returns the run that closed the month', async () => {
  const buyer = await createEnterprise(holdings)
  await buyer.placeAndDeliver({ product: 'Radar', km2: '2' })
  advanceToNextMonth()
  const call = { ...buyer.owner, claim: createClaim() }
  const first = await run(buyer, call)
  assert.equal(first.already_done, false)
  assert.deepEqual(await run(buyer, call), first)
  assert.equal((await run(buyer)).already_done, true)
})

test('only owners and admins can close a month of their own organization', async () => {
  const buyer = await createEnterprise(holdings)
  const before = await dumpMoneyTables(holdings)
  for (const role of ['member', 'billing'] as const) {
    await assert.rejects(run(buyer, { ...(await buyer.createMemberCall(role)) }), { problem: 'forbidden' })
  }
  const other = await createEnterprise(holdings)
  await assert.rejects(run(buyer, other.owner), { problem: 'not-found' })
  await assert.rejects(statement(buyer, null, other.owner), { problem: 'not-found' })
  await assert.rejects(statement(buyer, null, await buyer.createMemberCall('member')), { problem: 'forbidden' })
  const { organizations: _, ...after } = await dumpMoneyTables(holdings)
  const { organizations: __, ...stored } = before
  assert.deepEqual(after, stored)
  assert.equal((await statement(buyer, null, await buyer.createMemberCall('billing'))).closed, false)
  assert.equal((await run(buyer, await buyer.createMemberCall('admin'))).invoice_id, null)
})

test('a failing organization does not stop the monthly runs of others', async () => {
  const [first, second] = [await createEnterprise(holdings), await createEnterprise(holdings)]
  for (const buyer of [first, second]) await buyer.placeAndDeliver({ product: 'Radar', km2: '1' })
  advanceToNextMonth()
  const enqueue: Call['queue']['enqueue'] = async (_tx, _task, data) => {
    if ((data as { organization_id?: string }).organization_id === first.organization) throw new Error('broken')
  }
  const call = { ...operator, queue: { ...operator.queue, enqueue } }
  const { runs, failures } = await callOperation<{ runs: Run[]; failures: object[] }>(
    call,
    'billing.run_monthly_cron',
    {},
  )
  assert.deepEqual(failures, [{ organization_id: first.organization, error: 'An internal error occurred.' }])
  assert.ok(runs.find((outcome) => outcome.organization_id === second.organization)?.invoice_id)
  assert.equal((await invoices(first)).length, 0)
  const again = await callOperation<{ runs: Run[]; failures: object[] }>(operator, 'billing.run_monthly_cron', {})
  assert.deepEqual(again.failures, [])
  assert.deepEqual(
    again.runs.filter(({ already_done }) => !already_done).map(({ organization_id }) => organization_id),
    [first.organization],
  )
})

test('the sweep closes a month by its scheduled deadline and sets the next one', async () => {
  const bench = createTaskRunner(holdings)
  const buyer = await createEnterprise(holdings)
  await buyer.placeAndDeliver({ product: 'Radar', km2: '4' })
  await bench.runTask(backgroundTaskTypes.scheduleMonthEnds)
  await bench.runTask(backgroundTaskTypes.scheduleMonthEnds)
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  assert.equal((await invoices(buyer)).length, 0)
  const period = advanceToNextMonth()
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  await bench.runPending()
  assert.deepEqual(
    (await invoices(buyer)).map((invoice) => [invoice.period, invoice.total_aud, invoice.status]),
    [[period, 4, 'open']],
  )
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  await buyer.placeAndDeliver({ product: 'Radar', km2: '5' })
  advanceToNextMonth()
  await bench.runTask(backgroundTaskTypes.sweepBillingDeadlines)
  assert.deepEqual(
    (await invoices(buyer)).map(({ total_aud }) => total_aud),
    [5, 4],
  )
  assert.equal(
    (await callOperation<Run>(buyer.owner, 'billing.run_monthly_for_org', { organization_id: buyer.organization }))
      .already_done,
    true,
  )
})

test('an unknown invoice answers not-found', async () => {
  const buyer = await createEnterprise(holdings)
  await assert.rejects(invoiceOf(buyer, newId()), { problem: 'not-found' })
})

test('the ledger is valid after all of these tests', () => assertLedgerConsistent(holdings))

test('a capped API key closes a month only if the shortfall is within its cap', async () => {
  const buyer = await createEnterprise(holdings)
  await createCommitment(buyer.organization, {
    period_start: holdings.clock.now().toISOString(),
    period_end: new Date(holdings.clock.now().getTime() + 1000).toISOString(),
    committed_aud: 10,
    products: [photographsRate],
  })
  const [below, enough] = [await createBillingKey(buyer.owner, 999), await createBillingKey(buyer.owner, 1000)]
  advanceToNextMonth()
  const before = await dumpMoneyTables(holdings)
  await assert.rejects(run(buyer, below), { problem: 'spend-limit-exceeded' })
  assert.deepEqual(await dumpMoneyTables(holdings), before)
  assert.equal((await run(buyer, enough)).trued_up_aud, 10)
})
