import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Commitment } from '@swath/contract/schemas/commitment.ts'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { createEnterprise, createOperator, advanceClockTo, type EnterpriseFixture } from '../../../test/enterprise.ts'
import { assertLedgerConsistent } from '../../../test/ledger-assertions.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { callOperation } from '../../../test/payment-fixtures.ts'
import { listJournalEntries } from '../ledger/store.entries.ts'

let holdings: TestServices
let operator: Call
before(async () => {
  holdings = await openTestServices()
  operator = await createOperator(holdings)
})
after(() => holdings?.close())

const rates = [{ product: 'Photographs', unit: 'km2', negotiated_rate_aud: '2.1255' }]

/** A commitment of 1,000 AUD for the next ten days. */
const commitmentInput = (organization_id: string, overrides: object = {}) => {
  const now = holdings.clock.now()
  return {
    organization_id,
    name: 'Frame',
    period_start: now.toISOString(),
    period_end: new Date(now.getTime() + 10 * 86_400_000).toISOString(),
    committed_aud: 1000,
    carried_in_aud: 0,
    products: rates,
    ...overrides,
  }
}

type CommitmentResponse = { commitment: Commitment }
const create = async (organization: string, overrides?: object) =>
  (
    await callOperation<CommitmentResponse>(
      operator,
      'admin.commitments.create',
      commitmentInput(organization, overrides),
    )
  ).commitment
const amend = async (organization_id: string, commitment_id: string, change: object) =>
  (
    await callOperation<CommitmentResponse>(operator, 'admin.commitments.amend', {
      organization_id,
      commitment_id,
      ...change,
    })
  ).commitment
const close = async (organization_id: string, commitment_id: string) =>
  (
    await callOperation<CommitmentResponse>(operator, 'admin.commitments.close_period', {
      organization_id,
      commitment_id,
    })
  ).commitment

const read = async ({ owner }: EnterpriseFixture, id: string, include_line_items = false): Promise<Commitment> => {
  const { commitments } = await callOperation<{ commitments: Commitment[] }>(owner, 'organizations.commitments.list', {
    commitment_id: id,
    include_line_items,
  })
  return commitments[0]!
}

test('a commitment applies its negotiated rates exactly', async () => {
  const buyer = await createEnterprise(holdings)
  const created = await create(buyer.organization)
  assert.deepEqual(created.products, [{ product: 'Photographs', negotiated_rate_aud: 2.1255, unit: 'km2' }])
  assert.deepEqual(
    [created.committed_aud, created.status, created.version, created.closed_at],
    [1000, 'active', 1, null],
  )
  // 10.5 km² × 212.55 cents = 2231.775 cents; 2.5 km² of a product without negotiated rate × 100 cents.
  await buyer.placeAndDeliver({ product: 'Photographs', km2: '10.5' }, { product: 'Radar', km2: '2.5' })
  const after = await read(buyer, created.id, true)
  assert.deepEqual([after.delivered_aud, after.remaining_aud, after.overage_aud], [22.32, 977.68, 0])
  assert.deepEqual(
    after.line_items?.map(({ product, quantity, rate_aud, amount_aud, commitment_id }) => [
      [product, quantity, rate_aud, amount_aud],
      commitment_id,
    ]),
    [[['Photographs', 10.5, 2.1255, 22.32], created.id]],
  )
  assert.equal((await buyer.readBalances())['enterprise.accrued'], -(2232 + 250))
})

test('held and cancelled orders do not count as delivered', async () => {
  const buyer = await createEnterprise(holdings)
  const { id } = await create(buyer.organization)
  const first = await buyer.placeOrder({ product: 'Photographs', km2: '100' })
  const second = await buyer.placeOrder({ product: 'Photographs', km2: '1' }, { product: 'Photographs', km2: '2' })
  assert.equal((await read(buyer, id)).delivered_aud, 0)
  await buyer.cancelOrder(first)
  await buyer.deliverOrder(second, 2)
  // 2 km² × 212.55 = 425.1 cents, rounded up.
  assert.equal((await read(buyer, id)).delivered_aud, 4.26)
})

test('closing accrues the shortfall once, and a closed commitment cannot be amended', async () => {
  const buyer = await createEnterprise(holdings)
  const { id, period_end } = await create(buyer.organization, { carried_in_aud: 100 })
  await buyer.placeAndDeliver({ product: 'Photographs', km2: '200' }) // 425.10
  await assert.rejects(close(buyer.organization, id), { problem: 'invalid-state' })
  advanceClockTo(holdings.clock, period_end)
  const before = await buyer.readBalances()
  const [closed, again] = await Promise.all([close(buyer.organization, id), close(buyer.organization, id)])
  assert.deepEqual(again, closed)
  // 1,000 - 425.10 - 100 carried in.
  assert.deepEqual([closed.shortfall_aud, closed.status, closed.delivered_aud], [474.9, 'closed_shortfall', 425.1])
  const after = await buyer.readBalances()
  assert.equal(after['enterprise.accrued'], before['enterprise.accrued']! - 47_490)
  assert.equal(after['revenue'], before['revenue']! + 47_490)
  const { rows: entries } = await listJournalEntries(buyer.owner.db, buyer.organization, {
    kind: 'true_up',
    limit: 5,
    offset: 0,
  })
  assert.deepEqual(
    entries.map((entry) => [entry.amount_credits, entry.reference_id, entry.actor_id]),
    [[-47_490, id, operator.principal.id]],
  )
  await assert.rejects(amend(buyer.organization, id, { name: 'Later' }), { problem: 'invalid-state' })
})

test('an order delivered after the end of the period changes neither its totals nor its true-up', async () => {
  const buyer = await createEnterprise(holdings)
  const { id, period_end } = await create(buyer.organization, { committed_aud: 500 })
  const [early, between, late] = [
    await buyer.placeOrder({ product: 'Photographs', km2: '100' }),
    await buyer.placeOrder({ product: 'Photographs', km2: '10' }),
    await buyer.placeOrder({ product: 'Photographs', km2: '20' }),
  ]
  await buyer.deliverOrder(early)
  advanceClockTo(holdings.clock, period_end)
  await buyer.deliverOrder(between)
  const closed = await close(buyer.organization, id)
  assert.deepEqual([closed.delivered_aud, closed.shortfall_aud], [212.55, 287.45])
  await buyer.deliverOrder(late)
  assert.deepEqual(await read(buyer, id), closed)
  assert.equal((await read(buyer, id, true)).line_items?.length, 1)
})

test('a met commitment, or one without a minimum, is closed without a true-up', async () => {
  const buyer = await createEnterprise(holdings)
  const met = await create(buyer.organization, { committed_aud: 2.13, name: 'Small' })
  await buyer.placeAndDeliver({ product: 'Photographs', km2: '1' }) // 212.55 → 213 cents
  assert.equal((await read(buyer, met.id)).status, 'met')
  const free = await create(buyer.organization, { committed_aud: 0, name: 'Rates only' })
  advanceClockTo(holdings.clock, free.period_end)
  for (const { id } of [met, free]) assert.equal((await close(buyer.organization, id)).status, 'closed_met')
  const { total } = await listJournalEntries(buyer.owner.db, buyer.organization, {
    kind: 'true_up',
    limit: 5,
    offset: 0,
  })
  assert.equal(total, 0)
})

test('an amendment adds a version whose rates apply to later orders only', async () => {
  const buyer = await createEnterprise(holdings)
  const { id } = await create(buyer.organization)
  const before = await buyer.placeOrder({ product: 'Photographs', km2: '10' }) // 2125.5 → 2126, half to even
  const products = [{ product: 'Photographs', unit: 'km2', negotiated_rate_aud: '1.5' }]
  const amended = await amend(buyer.organization, id, { products, committed_aud: 20, reason: 'renegotiated' })
  assert.deepEqual([amended.version, amended.committed_aud, amended.products[0]!.negotiated_rate_aud], [2, 20, 1.5])
  await buyer.placeAndDeliver({ product: 'Photographs', km2: '10' }) // 1500
  await buyer.deliverOrder(before)
  const after = await read(buyer, id)
  assert.deepEqual([after.delivered_aud, after.overage_aud, after.status], [36.26, 16.26, 'met'])
  assert.deepEqual(await amend(buyer.organization, id, { committed_aud: 20 }), after)
  await amend(buyer.organization, id, { name: 'Renamed' })
  const versions = await buyer.owner.db.query<{ version: number; name: string; reason: string | null }>(sql`
    select version, name, reason from commitment_versions
    where organization_id = ${buyer.organization} and commitment_id = ${id} order by version`)
  assert.deepEqual(
    versions.map(({ version, name, reason }) => [version, name, reason]),
    [
      [1, 'Frame', null],
      [2, 'Frame', 'renegotiated'],
      [3, 'Renamed', null],
    ],
  )
})

test('the end of a period can be amended, but not to a time in the past', async () => {
  const buyer = await createEnterprise(holdings)
  const { id, period_start } = await create(buyer.organization)
  holdings.clock.advance(1000)
  await buyer.placeAndDeliver({ product: 'Photographs', km2: '10' })
  for (const period_end of [holdings.clock.now().toISOString(), period_start]) {
    await assert.rejects(amend(buyer.organization, id, { period_end }), /must be in the future|must be after/)
  }
  const soon = new Date(holdings.clock.now().getTime() + 1).toISOString()
  assert.equal((await amend(buyer.organization, id, { period_end: soon })).period_end, soon)
  advanceClockTo(holdings.clock, soon)
  const closed = await close(buyer.organization, id)
  assert.deepEqual([closed.delivered_aud, closed.shortfall_aud], [21.26, 978.74])
})

test('an invalid commitment is refused and writes nothing', async () => {
  const buyer = await createEnterprise(holdings)
  const { organization } = await holdings.createOrganization()
  await assert.rejects(create(organization), { problem: 'invalid-state' })
  await assert.rejects(create(newId()), { problem: 'not-found' })
  await create(buyer.organization)
  const pastTime = new Date(holdings.clock.now().getTime() - 1).toISOString()
  for (const [overrides, problem] of [
    [{ name: 'Frame' }, 'name-taken'],
    [{ period_start: '2020-01-01T00:00:00Z', period_end: pastTime, name: 'a' }, 'invalid-state'],
    [{ period_start: '2100-01-01T00:00:00Z', name: 'b' }, 'validation'],
    [{ products: [...rates, ...rates], name: 'c' }, 'validation'],
    [{ committed_aud: 10.005, name: 'd' }, 'validation'],
  ] as const) {
    await assert.rejects(create(buyer.organization, overrides), { problem })
  }
  const rows = await buyer.owner.db.query(sql`
    select id from commitments where organization_id = ${buyer.organization}`)
  assert.equal(rows.length, 1)
  const other = await createEnterprise(holdings)
  const { id } = await create(other.organization)
  await assert.rejects(amend(buyer.organization, id, { name: 'Ours' }), { problem: 'not-found' })
  await assert.rejects(close(buyer.organization, id), { problem: 'not-found' })
  await assert.rejects(read(buyer, id), { problem: 'not-found' })
})

test('lists the commitments of the organization by end of period, latest first', async () => {
  const buyer = await createEnterprise(holdings)
  const first = await create(buyer.organization)
  const second = await create(buyer.organization, { name: 'Next', period_end: '2030-01-01T00:00:00.000Z' })
  const { commitments, total } = await callOperation<{ commitments: Commitment[]; total: number }>(
    buyer.owner,
    'organizations.commitments.list',
    { commitment_id: null, include_line_items: false },
  )
  assert.deepEqual([commitments.map(({ id }) => id), total], [[second.id, first.id], 2])
  assert.equal('line_items' in commitments[0]!, false)
})

test('the ledger is valid after all of these tests', () => assertLedgerConsistent(holdings))
