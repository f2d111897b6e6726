import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { hold, holdIn, release, settle } from './holds.ts'
import { balance, grant, withBooks } from './ledger.ts'

let holdings: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  holdings = await openHoldings()
})
after(() => holdings?.close())

/** Creates a wallet with lots of these sizes. */
async function wallet(...lots: readonly number[]) {
  const { owner, organization } = await holdings.organize()
  for (const amount_credits of lots) {
    const reference = { type: 'test', id: newId() }
    await owner.transaction((tx) => grant(tx, owner, { kind: 'purchase', amount_credits, reference }))
    holdings.clock.advance(1)
  }
  return { owner, organization, ...actsOf(owner) }
}

const actsOf = (call: Call) => ({
  take: (amount_credits: number) =>
    call.transaction((tx) => hold(tx, call, { amount_credits, reference: { type: 'order', id: newId() } })),
  settleHold: (id: string, amount: number) => call.transaction((tx) => settle(tx, call, id, amount)),
  releaseHold: (id: string) => call.transaction((tx) => release(tx, call, id)),
  money: async () => {
    const { available_credits, held_credits } = await balance(
      call.db,
      call.organization,
      holdings.clock.of(call.organization).now(),
    )
    return [available_credits, held_credits]
  },
  lots: () =>
    call.db.query<{ available: number; held: number; captured: number }>(sql`
      select available_credits as available, held_credits as held, captured_credits as captured from credit_lots
      where organization_id = ${call.organization} order by created_at`),
  kinds: async () =>
    (
      await call.db.query<{ kind: string; amount_credits: number }>(sql`
        select kind, amount_credits from journal_entries
        where organization_id = ${call.organization} and kind <> 'purchase' order by position`)
    ).map(({ kind, amount_credits }) => `${kind} ${amount_credits}`),
})

test('a hold moves credits from available to held', async () => {
  const { take, money, kinds } = await wallet(100)
  await take(60)
  assert.deepEqual(await money(), [40, 60])
  await assert.rejects(
    take(41),
    (error: unknown) => error instanceof Problem && error.problem === 'insufficient-credits',
  )
  await take(40)
  assert.deepEqual(await money(), [0, 100])
  assert.deepEqual(await kinds(), ['hold -60', 'hold -40'])
})

test('settling captures all or part of a hold, and the rest returns to its lots, as does a release', async () => {
  const { take, settleHold, releaseHold, money, lots, kinds } = await wallet(30, 50)
  const whole = await take(20)
  await settleHold(whole, 20)
  const part = await take(40)
  assert.deepEqual(await lots(), [
    { available: 0, held: 10, captured: 20 },
    { available: 20, held: 30, captured: 0 },
  ])
  await settleHold(part, 15)
  assert.deepEqual(await lots(), [
    { available: 0, held: 0, captured: 30 },
    { available: 45, held: 0, captured: 5 },
  ])
  await releaseHold(await take(45))
  assert.deepEqual(await money(), [45, 0])
  assert.deepEqual(await kinds(), [
    'hold -20',
    'capture -20',
    'hold -40',
    'release 25',
    'capture -15',
    'hold -45',
    'release 45',
  ])
})

test('a second settlement or release of a hold is rejected', async () => {
  const { take, settleHold, releaseHold, money } = await wallet(100)
  const settled = await take(50)
  await settleHold(settled, 30)
  const released = await take(20)
  await releaseHold(released)
  for (const again of [
    () => settleHold(settled, 30),
    () => settleHold(settled, 0),
    () => releaseHold(settled),
    () => releaseHold(released),
    () => settleHold(released, 20),
  ]) {
    await assert.rejects(again, /already resolved/)
  }
  assert.deepEqual(await money(), [70, 0])
})

test('settling more than the hold, an invalid amount or an unknown hold is rejected', async () => {
  const { take, settleHold, money } = await wallet(100)
  const id = await take(50)
  for (const amount of [51, -1, 0.5, Number.NaN]) await assert.rejects(settleHold(id, amount), /invariant/)
  await assert.rejects(settleHold(newId(), 1), /does not exist/)
  for (const amount of [0, -5, 1.5]) await assert.rejects(take(amount), /invariant/)
  assert.deepEqual(await money(), [50, 50])
})

test('a lot that expired while held is written off in full when credits return, and its deadline is deleted', async () => {
  const { owner, organization, take, releaseHold, lots, kinds } = await wallet()
  const expires_at = new Date(holdings.clock.now().getTime() + 1000)
  const reference = { type: 'test', id: newId() }
  await owner.transaction((tx) => grant(tx, owner, { kind: 'purchase', amount_credits: 100, reference, expires_at }))
  const id = await take(40)
  holdings.clock.advance(1000)
  await releaseHold(id)
  assert.deepEqual(await lots(), [{ available: 0, held: 0, captured: 0 }])
  assert.deepEqual(await kinds(), ['hold -40', 'release 40', 'expire -100'])
  const due = await owner.db.query<{ kind: string }>(sql`
    select kind from billing_deadlines where organization_id = ${organization} and kind = 'lot-expiry'`)
  assert.deepEqual(due, [])
})

test('several holds of a member in one session all count in the spend window', async () => {
  const { owner, organization, money } = await wallet(100)
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) =>
    withBooks(tx, owner, (books) => [10, 20].map((amount_credits) => holdIn(books, { amount_credits, reference }))),
  )
  assert.deepEqual(await money(), [70, 30])
  const [hours] = await owner.db.query<{ credits: number }>(sql`
    select credits from member_spend_hours where organization_id = ${organization}`)
  assert.deepEqual(hours, { credits: 30 })
})

test("another organization's hold cannot be settled or released", async () => {
  const mine = await wallet(100)
  const theirs = await wallet(100)
  const id = await theirs.take(10)
  await assert.rejects(mine.settleHold(id, 10), /does not exist/)
  await assert.rejects(mine.releaseHold(id), /does not exist/)
})

test('concurrent holds never exceed the balance, and each hold is resolved once', async () => {
  const { take, settleHold, releaseHold, money } = await wallet(50, 50)
  const taken = await Promise.allSettled(Array.from({ length: 15 }, () => take(10)))
  const ids = taken.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  assert.equal(ids.length, 10)
  assert.deepEqual(await money(), [0, 100])
  const ends = await Promise.allSettled(ids.flatMap((id) => [settleHold(id, 10), releaseHold(id)]))
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 10)
  const [available, held] = await money()
  assert.equal(held, 0)
  assert.equal(available! % 10, 0)
})

/** Pseudo-random numbers, the same in every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    yield state / 2 ** 31
  }
}

test('random operations give the same balances as a simple model', async () => {
  const { owner, organization, take, settleHold, releaseHold, money } = await wallet(200, 300, 50)
  const random = numbers(20_261)
  const next = (below: number): number => Math.floor(random.next().value * below)
  const model = { available: 550, held: 0, captured: 0, open: new Map<string, number>() }
  for (let step = 0; step < 150; step++) {
    const [id, amount] = [...model.open][next(Math.max(1, model.open.size))] ?? ['', 0]
    const act = next(4)
    if (act === 0 || id === '') {
      const wanted = 1 + next(120)
      if (wanted > model.available) await assert.rejects(take(wanted))
      else {
        model.open.set(await take(wanted), wanted)
        model.available -= wanted
        model.held += wanted
      }
    } else if (act === 1) {
      const charged = next(amount + 1)
      await settleHold(id, charged)
      model.available += amount - charged
      model.captured += charged
      model.held -= amount
      model.open.delete(id)
    } else if (act === 2) {
      await releaseHold(id)
      model.available += amount
      model.held -= amount
      model.open.delete(id)
    } else {
      const amount_credits = 1 + next(30)
      const reference = { type: 'test', id: newId() }
      await owner.transaction((tx) => grant(tx, owner, { kind: 'purchase', amount_credits, reference }))
      model.available += amount_credits
    }
    assert.deepEqual(await money(), [model.available, model.held], `step ${step}`)
  }
  const [books] = await owner.db.query<{ total: number; captured: number; revenue: number }>(sql`
    select (select sum(amount_credits) from journal_postings where organization_id = ${organization})::bigint as total,
           (select sum(captured_credits) from credit_lots where organization_id = ${organization})::bigint as captured,
           (select coalesce(sum(amount_credits), 0) from journal_postings
            where organization_id = ${organization} and account = 'revenue')::bigint as revenue`)
  assert.deepEqual(books, { total: 0, captured: model.captured, revenue: model.captured })
})
