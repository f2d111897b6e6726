import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { placeCreditHold, addCreditHold, releaseHold, settleHold } from './holds.ts'
import { readWalletBalance, grantCredits, withLedgerSession } from './ledger.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

/** Creates a wallet with lots of these sizes. */
async function createWallet(...lots: readonly number[]) {
  const { owner, organization } = await holdings.createOrganization()
  for (const amount_credits of lots) {
    const reference = { type: 'test', id: newId() }
    await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits, reference }))
    holdings.clock.advance(1)
  }
  return { owner, organization, ...actionsFor(owner) }
}

const actionsFor = (call: Call) => ({
  holdCredits: (amount_credits: number) =>
    call.transaction((tx) => placeCreditHold(tx, call, { amount_credits, reference: { type: 'order', id: newId() } })),
  settleById: (id: string, amount: number) =>
    call.transaction((tx) => settleHold(tx, call, { hold_id: id, amount_credits: amount })),
  releaseById: (id: string) => call.transaction((tx) => releaseHold(tx, call, id)),
  readBalance: async () => {
    const { available_credits, held_credits } = await readWalletBalance(
      call.db,
      call.organization,
      holdings.clock.forOrganization(call.organization).now(),
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
  const { holdCredits, readBalance, kinds } = await createWallet(100)
  await holdCredits(60)
  assert.deepEqual(await readBalance(), [40, 60])
  await assert.rejects(
    holdCredits(41),
    (error: unknown) => error instanceof Problem && error.problem === 'insufficient-credits',
  )
  await holdCredits(40)
  assert.deepEqual(await readBalance(), [0, 100])
  assert.deepEqual(await kinds(), ['hold -60', 'hold -40'])
})

test('settling captures all or part of a hold, and the rest returns to its lots, as does a release', async () => {
  const { holdCredits, settleById, releaseById, readBalance, lots, kinds } = await createWallet(30, 50)
  const whole = await holdCredits(20)
  await settleById(whole, 20)
  const part = await holdCredits(40)
  assert.deepEqual(await lots(), [
    { available: 0, held: 10, captured: 20 },
    { available: 20, held: 30, captured: 0 },
  ])
  await settleById(part, 15)
  assert.deepEqual(await lots(), [
    { available: 0, held: 0, captured: 30 },
    { available: 45, held: 0, captured: 5 },
  ])
  await releaseById(await holdCredits(45))
  assert.deepEqual(await readBalance(), [45, 0])
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
  const { holdCredits, settleById, releaseById, readBalance } = await createWallet(100)
  const settled = await holdCredits(50)
  await settleById(settled, 30)
  const released = await holdCredits(20)
  await releaseById(released)
  for (const again of [
    () => settleById(settled, 30),
    () => settleById(settled, 0),
    () => releaseById(settled),
    () => releaseById(released),
    () => settleById(released, 20),
  ]) {
    await assert.rejects(again, /already resolved/)
  }
  assert.deepEqual(await readBalance(), [70, 0])
})

test('settling more than the hold, an invalid amount or an unknown hold is rejected', async () => {
  const { holdCredits, settleById, readBalance } = await createWallet(100)
  const id = await holdCredits(50)
  for (const amount of [51, -1, 0.5, Number.NaN]) await assert.rejects(settleById(id, amount), /invariant/)
  await assert.rejects(settleById(newId(), 1), /does not exist/)
  for (const amount of [0, -5, 1.5]) await assert.rejects(holdCredits(amount), /invariant/)
  assert.deepEqual(await readBalance(), [50, 50])
})

test('a lot that expired while held is written off in full when credits return, and its deadline is deleted', async () => {
  const { owner, organization, holdCredits, releaseById, lots, kinds } = await createWallet()
  const expires_at = new Date(holdings.clock.now().getTime() + 1000)
  const reference = { type: 'test', id: newId() }
  await owner.transaction((tx) =>
    grantCredits(tx, owner, { kind: 'purchase', amount_credits: 100, reference, expires_at }),
  )
  const id = await holdCredits(40)
  holdings.clock.advance(1000)
  await releaseById(id)
  assert.deepEqual(await lots(), [{ available: 0, held: 0, captured: 0 }])
  assert.deepEqual(await kinds(), ['hold -40', 'release 40', 'expire -100'])
  const due = await owner.db.query<{ kind: string }>(sql`
    select kind from billing_deadlines where organization_id = ${organization} and kind = 'lot-expiry'`)
  assert.deepEqual(due, [])
})

test('several holds of a member in one session all count in the spend window', async () => {
  const { owner, organization, readBalance } = await createWallet(100)
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) =>
    withLedgerSession(tx, owner, (ledger) =>
      [10, 20].map((amount_credits) => addCreditHold(ledger, { amount_credits, reference })),
    ),
  )
  assert.deepEqual(await readBalance(), [70, 30])
  const [hours] = await owner.db.query<{ credits: number }>(sql`
    select credits from member_spend_hours where organization_id = ${organization}`)
  assert.deepEqual(hours, { credits: 30 })
})

test("another organization's hold cannot be settled or released", async () => {
  const mine = await createWallet(100)
  const theirs = await createWallet(100)
  const id = await theirs.holdCredits(10)
  await assert.rejects(mine.settleById(id, 10), /does not exist/)
  await assert.rejects(mine.releaseById(id), /does not exist/)
})

test('concurrent holds never exceed the balance, and each hold is resolved once', async () => {
  const { holdCredits, settleById, releaseById, readBalance } = await createWallet(50, 50)
  const attempts = await Promise.allSettled(Array.from({ length: 15 }, () => holdCredits(10)))
  const ids = attempts.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  assert.equal(ids.length, 10)
  assert.deepEqual(await readBalance(), [0, 100])
  const ends = await Promise.allSettled(ids.flatMap((id) => [settleById(id, 10), releaseById(id)]))
  assert.equal(ends.filter(({ status }) => status === 'fulfilled').length, 10)
  const [available, held] = await readBalance()
  assert.equal(held, 0)
  assert.equal(available! % 10, 0)
})

/** Pseudo-random numbers, the same in every run. */
function* pseudoRandomNumbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    yield state / 2 ** 31
  }
}

test('random operations give the same balances as a simple model', async () => {
  const { owner, organization, holdCredits, settleById, releaseById, readBalance } = await createWallet(200, 300, 50)
  const random = pseudoRandomNumbers(20_261)
  const next = (below: number): number => Math.floor(random.next().value * below)
  const model = { available: 550, held: 0, captured: 0, open: new Map<string, number>() }
  for (let step = 0; step < 150; step++) {
    const [id, amount] = [...model.open][next(Math.max(1, model.open.size))] ?? ['', 0]
    const act = next(4)
    if (act === 0 || id === '') {
      const amount_requested = 1 + next(120)
      if (amount_requested > model.available) await assert.rejects(holdCredits(amount_requested))
      else {
        model.open.set(await holdCredits(amount_requested), amount_requested)
        model.available -= amount_requested
        model.held += amount_requested
      }
    } else if (act === 1) {
      const charged = next(amount + 1)
      await settleById(id, charged)
      model.available += amount - charged
      model.captured += charged
      model.held -= amount
      model.open.delete(id)
    } else if (act === 2) {
      await releaseById(id)
      model.available += amount
      model.held -= amount
      model.open.delete(id)
    } else {
      const amount_credits = 1 + next(30)
      const reference = { type: 'test', id: newId() }
      await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits, reference }))
      model.available += amount_credits
    }
    assert.deepEqual(await readBalance(), [model.available, model.held], `step ${step}`)
  }
  const [ledger] = await owner.db.query<{ total: number; captured: number; revenue: number }>(sql`
    select (select sum(amount_credits) from journal_postings where organization_id = ${organization})::bigint as total,
           (select sum(captured_credits) from credit_lots where organization_id = ${organization})::bigint as captured,
           (select coalesce(sum(amount_credits), 0) from journal_postings
            where organization_id = ${organization} and account = 'revenue')::bigint as revenue`)
  assert.deepEqual(ledger, { total: 0, captured: model.captured, revenue: model.captured })
})
