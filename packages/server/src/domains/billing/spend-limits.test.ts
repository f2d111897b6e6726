import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour_ms } from '@swath/geo/time-units.ts'
import type { Call, Principal } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openTestServices, type TestServices } from '../../../test/test-services.ts'
import { grantCredits } from '../ledger/ledger.ts'
import { releasePaymentHold, capturePaymentHold, runWithReservedPayment } from './payment.ts'

const spend_window_ms = 30 * 24 * hour_ms

let holdings: TestServices
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

/** An owner with credits and spend limits, with an API key and a service that act for the owner. */
async function createLimitedOwner(limit: number | null, perOrder: number | null = null) {
  const { owner, organization } = await holdings.createOrganization()
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits: 1_000_000, reference }))
  const { database, createCall } = holdings
  const setLimits = (thirtyDays: number | null, order: number | null) =>
    database.unscoped.query(sql`
      update memberships set spend_limit_credits = ${thirtyDays}, per_order_limit_credits = ${order}
      where organization_id = ${organization} and user_id = ${owner.principal.user}`)
  await setLimits(limit, perOrder)
  const callOnBehalf = (principal: Partial<Principal>): Call =>
    createCall({ ...owner.principal, id: newId(), ...principal })
  return {
    owner,
    setLimits,
    key: callOnBehalf({ kind: 'api_key', role: null }),
    service: callOnBehalf({ kind: 'service', user: null, role: null }),
  }
}

const pay = (call: Call, amount_credits: number) =>
  runWithReservedPayment(call, { amount_credits, subject: 'job' }, async (_tx, reservation) => reservation.hold_id)

const isRejectedWith = (extra: object) => (error: { problem?: string; extra?: object }) => {
  assert.equal(error.problem, 'spend-limit-exceeded')
  assert.deepEqual({ ...error.extra, ...extra }, error.extra)
  return true
}

test("an API key's spend counts against the limit of its creator, and a service's spend against no one's", async () => {
  const { owner, key, service } = await createLimitedOwner(100)
  await pay(key, 60)
  await assert.rejects(pay(owner, 41), isRejectedWith({ limit: 100, window_used: 60, requested: 41 }))
  await pay(owner, 40)
  await assert.rejects(pay(key, 1), isRejectedWith({ window_used: 100 }))
  await pay(service, 5000)
  await assert.rejects(pay(owner, 1), isRejectedWith({ window_used: 100 }))
})

test('a hold counts for 30 days from its creation, and with the charged amount once it is resolved', async () => {
  const { owner } = await createLimitedOwner(100)
  const { clock } = holdings
  clock.advance(1234)
  const start = clock.now().getTime()
  const first = await pay(owner, 60)
  clock.advance(5 * hour_ms + 7)
  const second = await pay(owner, 40)
  await assert.rejects(pay(owner, 30), isRejectedWith({ frees_at: new Date(start + spend_window_ms).toISOString() }))
  // Settled in part: the charged amount counts from the same creation time.
  await owner.transaction((tx) => capturePaymentHold(tx, owner, { hold_id: first, amount_credits: 10 }))
  await pay(owner, 50)
  await assert.rejects(pay(owner, 41), isRejectedWith({ window_used: 100 }))
  await owner.transaction((tx) => releasePaymentHold(tx, owner, second))
  await assert.rejects(
    pay(owner, 45),
    isRejectedWith({ window_used: 60, frees_at: new Date(start + spend_window_ms).toISOString() }),
  )
  clock.advance(start + spend_window_ms - clock.now().getTime() - 1)
  await assert.rejects(pay(owner, 45), isRejectedWith({ window_used: 60 }))
  clock.advance(1)
  await pay(owner, 45)
})

test('changed limits apply to new payments, and a former member has none', async () => {
  const { owner, setLimits } = await createLimitedOwner(100)
  await pay(owner, 90)
  await setLimits(50, null)
  await assert.rejects(pay(owner, 1), isRejectedWith({ limit: 50, window_used: 90 }))
  await setLimits(null, 5)
  await assert.rejects(pay(owner, 6), isRejectedWith({ limit: 5, frees_at: null }))
  await pay(owner, 5)
  await setLimits(0, 0)
  await assert.rejects(pay(owner, 1), isRejectedWith({ limit: 0, frees_at: null }))
  assert.equal(await pay(owner, 0), null)
  await holdings.database.unscoped.query(sql`
    delete from memberships where organization_id = ${owner.organization} and user_id = ${owner.principal.user}`)
  await pay(owner, 1000)
})

test('concurrent payments of one member never exceed the limit', async () => {
  const { owner, key } = await createLimitedOwner(50)
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => pay(index % 2 ? owner : key, 10)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 5)
  for (const outcome of outcomes) if (outcome.status === 'rejected') isRejectedWith({ window_used: 50 })(outcome.reason)
})
