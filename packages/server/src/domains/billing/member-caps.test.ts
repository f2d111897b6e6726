import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call, Principal } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openHoldings, type Holdings } from '../../../test/holdings.ts'
import { grant } from '../ledger/ledger.ts'
import { releaseSpend, settleSpend, spend } from './spend.ts'

const hour_ms = 3_600_000
const window_ms = 30 * 24 * hour_ms

let holdings: Holdings
before(async () => {
  holdings = await openHoldings()
})
after(() => holdings?.close())

/** An owner with credits and spend limits, with an API key and a service that act for the owner. */
async function capped(limit: number | null, perOrder: number | null = null) {
  const { owner, organization } = await holdings.organize()
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) => grant(tx, owner, { kind: 'purchase', amount_credits: 1_000_000, reference }))
  const { database, callAs } = holdings
  const setCaps = (thirtyDays: number | null, order: number | null) =>
    database.across.query(sql`
      update memberships set spend_limit_credits = ${thirtyDays}, per_order_limit_credits = ${order}
      where organization_id = ${organization} and user_id = ${owner.principal.user}`)
  await setCaps(limit, perOrder)
  const inTheNameOf = (facts: Partial<Principal>): Call => callAs({ ...owner.principal, id: newId(), ...facts })
  return {
    owner,
    setCaps,
    key: inTheNameOf({ kind: 'api_key', role: null }),
    service: inTheNameOf({ kind: 'service', user: null, role: null }),
  }
}

const pay = (call: Call, amount_credits: number) =>
  spend(call, { amount_credits, subject: 'job' }, async (_tx, paid) => paid.hold_id)

const refused = (extra: object) => (error: { problem?: string; extra?: object }) => {
  assert.equal(error.problem, 'spend-limit-exceeded')
  assert.deepEqual({ ...error.extra, ...extra }, error.extra)
  return true
}

test("an API key's spend counts against the limit of its creator, and a service's spend against no one's", async () => {
  const { owner, key, service } = await capped(100)
  await pay(key, 60)
  await assert.rejects(pay(owner, 41), refused({ limit: 100, window_used: 60, requested: 41 }))
  await pay(owner, 40)
  await assert.rejects(pay(key, 1), refused({ window_used: 100 }))
  await pay(service, 5000)
  await assert.rejects(pay(owner, 1), refused({ window_used: 100 }))
})

test('a hold counts for 30 days from its creation, and with the charged amount once it is resolved', async () => {
  const { owner } = await capped(100)
  const { clock } = holdings
  clock.advance(1234)
  const start = clock.now().getTime()
  const first = await pay(owner, 60)
  clock.advance(5 * hour_ms + 7)
  const second = await pay(owner, 40)
  await assert.rejects(pay(owner, 30), refused({ frees_at: new Date(start + window_ms).toISOString() }))
  // Settled in part: the charged amount counts from the same creation time.
  await owner.transaction((tx) => settleSpend(tx, owner, first, 10))
  await pay(owner, 50)
  await assert.rejects(pay(owner, 41), refused({ window_used: 100 }))
  await owner.transaction((tx) => releaseSpend(tx, owner, second))
  await assert.rejects(
    pay(owner, 45),
    refused({ window_used: 60, frees_at: new Date(start + window_ms).toISOString() }),
  )
  clock.advance(start + window_ms - clock.now().getTime() - 1)
  await assert.rejects(pay(owner, 45), refused({ window_used: 60 }))
  clock.advance(1)
  await pay(owner, 45)
})

test('changed limits apply to new payments, and a former member has none', async () => {
  const { owner, setCaps } = await capped(100)
  await pay(owner, 90)
  await setCaps(50, null)
  await assert.rejects(pay(owner, 1), refused({ limit: 50, window_used: 90 }))
  await setCaps(null, 5)
  await assert.rejects(pay(owner, 6), refused({ limit: 5, frees_at: null }))
  await pay(owner, 5)
  await setCaps(0, 0)
  await assert.rejects(pay(owner, 1), refused({ limit: 0, frees_at: null }))
  assert.equal(await pay(owner, 0), null)
  await holdings.database.across.query(sql`
    delete from memberships where organization_id = ${owner.organization} and user_id = ${owner.principal.user}`)
  await pay(owner, 1000)
})

test('concurrent payments of one member never exceed the limit', async () => {
  const { owner, key } = await capped(50)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => pay(index % 2 ? owner : key, 10)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 5)
  for (const outcome of outcomes) if (outcome.status === 'rejected') refused({ window_used: 50 })(outcome.reason)
})
