import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../../engine/call.ts'
import { newId } from '../../../platform/ids.ts'
import {
  createEnterprise,
  createOperator,
  dumpMoneyTables,
  advanceClockTo,
  type EnterpriseFixture,
} from '../../../../test/enterprise.ts'
import { assertLedgerConsistent } from '../../../../test/ledger-assertions.ts'
import { numberIssuedDocuments } from '../../../../test/invoices.ts'
import { openTestServices, type TestServices } from '../../../../test/test-services.ts'
import { callOperation } from '../../../../test/payment-fixtures.ts'

let holdings: TestServices
let operator: Call
before(async () => {
  holdings = await openTestServices()
  operator = await createOperator(holdings)
})
after(() => holdings?.close())

interface Accrual {
  readonly period: string
  readonly total_aud: number
  readonly invoiced_aud: number
  readonly orders: readonly { order_id: string; amount_aud: number; reference: string | null }[]
}

const accrual = async ({ organization }: EnterpriseFixture, period: string | null = null): Promise<Accrual> => {
  const input = { organization_id: organization, period }
  return (await callOperation<{ accrual: Accrual }>(operator, 'billing.enterprise.accrual', input)).accrual
}
const mark = (buyer: EnterpriseFixture, overrides: object) =>
  callOperation<{ marked_count: number; total_aud: number }>(operator, 'billing.enterprise.mark_invoiced', {
    organization_id: buyer.organization,
    reference: 'SAP-1',
    ...overrides,
  })

test('accruals list charged orders, but not held or cancelled ones', async () => {
  const buyer = await createEnterprise(holdings)
  const first = await buyer.placeAndDeliver({ product: 'Radar', km2: '3' })
  const part = await buyer.placeOrder({ product: 'Radar', km2: '5' }, { product: 'Lidar', km2: '7' })
  await buyer.deliverOrder(part, 2)
  await buyer.cancelOrder(await buyer.placeOrder({ product: 'Radar', km2: '11' }))
  await buyer.placeOrder({ product: 'Radar', km2: '13' })
  const result = await accrual(buyer)
  assert.deepEqual([result.period, result.total_aud, result.invoiced_aud], ['2026-03', 10, 0])
  assert.deepEqual(
    result.orders.map(({ order_id, amount_aud, reference }) => [order_id, amount_aud, reference]),
    [
      [first.order_id, 3, null],
      [part.order_id, 7, null],
    ],
  )
  assert.deepEqual((await accrual(buyer, '2026-02')).orders, [])
  await assert.rejects(callOperation(operator, 'billing.enterprise.accrual', { organization_id: newId() }), {
    problem: 'not-found',
  })
})

test('externally invoiced charges are marked once and skipped by the monthly run', async () => {
  const buyer = await createEnterprise(holdings)
  const [first, second] = [
    await buyer.placeAndDeliver({ product: 'Radar', km2: '3' }),
    await buyer.placeAndDeliver({ product: 'Radar', km2: '4' }),
  ]
  const marked = await mark(buyer, { order_ids: [first.order_id.toUpperCase()] })
  assert.deepEqual([marked.marked_count, marked.total_aud], [1, 3])
  const before = await dumpMoneyTables(holdings)
  const again = await mark(buyer, { order_ids: [first.order_id], reference: 'SAP-2' })
  assert.deepEqual([again.marked_count, again.total_aud], [0, 0])
  assert.deepEqual(await dumpMoneyTables(holdings), before)
  const result = await accrual(buyer)
  assert.deepEqual([result.total_aud, result.invoiced_aud], [7, 3])
  assert.deepEqual(
    result.orders.map(({ reference }) => reference),
    ['SAP-1', null],
  )
  let balances = await buyer.readBalances()
  assert.deepEqual([balances['enterprise.accrued'], balances['enterprise.invoiced']], [-400, -300])
  advanceClockTo(holdings.clock, '2026-04-01T00:00:00.000Z')
  const { invoice_id } = await callOperation<{ invoice_id: string }>(buyer.owner, 'billing.run_monthly_for_org', {
    organization_id: buyer.organization,
  })
  balances = await buyer.readBalances()
  assert.deepEqual([balances['enterprise.accrued'], balances['enterprise.invoiced']], [0, -700])
  // A draft is named by its id; it is invoiced all the same.
  assert.equal((await accrual(buyer, '2026-03')).orders[1]!.reference, invoice_id)
  assert.equal((await mark(buyer, { period: '2026-03' })).marked_count, 0)
  await numberIssuedDocuments(buyer.owner.db, buyer.owner)
  assert.deepEqual(
    (await accrual(buyer, '2026-03')).orders.map(({ order_id, reference }) => [order_id, reference]),
    [
      [first.order_id, 'SAP-1'],
      [second.order_id, 'IN-000001'],
    ],
  )
  assert.equal((await mark(buyer, { period: '2026-03' })).marked_count, 0)
})

test('marks all charges of a month, by default the current one', async () => {
  const buyer = await createEnterprise(holdings)
  for (const km2 of ['1', '2']) await buyer.placeAndDeliver({ product: 'Radar', km2 })
  const open = await buyer.placeOrder({ product: 'Radar', km2: '4' })
  assert.equal((await mark(buyer, { period: '2026-03' })).marked_count, 0)
  assert.deepEqual(Object.values(await mark(buyer, {})).slice(2), [2, 3])
  await buyer.deliverOrder(open)
  assert.equal((await mark(buyer, { note: 'the rest' })).total_aud, 4)
})

test('marking unknown or uncharged orders is refused and changes nothing', async () => {
  const buyer = await createEnterprise(holdings)
  const charged = await buyer.placeAndDeliver({ product: 'Radar', km2: '1' })
  const open = await buyer.placeOrder({ product: 'Radar', km2: '2' })
  const theirs = await (await createEnterprise(holdings)).placeAndDeliver({ product: 'Radar', km2: '1' })
  const before = await dumpMoneyTables(holdings)
  for (const [order_id, problem] of [
    [newId(), 'not-found'],
    [theirs.order_id, 'not-found'],
    [open.order_id, 'invalid-state'],
  ] as const) {
    await assert.rejects(mark(buyer, { order_ids: [charged.order_id, order_id] }), { problem })
  }
  assert.deepEqual(await dumpMoneyTables(holdings), before)
})

test('the ledger is valid after all of these tests', () => assertLedgerConsistent(holdings))
