import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { sql } from '../../platform/database/sql.ts'
import { Problem } from '../../engine/problem.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { readWalletBalance, grantCredits, postJournalEntry, deductCredits, type CreditGrant } from './ledger.ts'
import { listJournalEntries } from './store.entries.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

const reference = { type: 'test', id: 'x' }
const page = { kind: null, limit: 100, offset: 0 }

/** Creates an empty wallet. */
async function createWallet() {
  const { organization, owner } = await holdings.createOrganization()
  const grantToWallet = (options: Partial<CreditGrant> & { amount_credits: number }) =>
    owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', reference, ...options }))
  const deduct = (amount_credits: number) =>
    owner.transaction((tx) => deductCredits(tx, owner, { amount_credits, reference, note: 'taken' }))
  const now = () => readWalletBalance(owner.db, organization, holdings.clock.forOrganization(organization).now())
  return { organization, owner, grantToWallet, deduct, now }
}

test('a grant creates a lot and an entry that sums to zero', async () => {
  const { organization, owner, grantToWallet, now } = await createWallet()
  assert.deepEqual(await now(), { available_credits: 0, held_credits: 0, lots: [] })
  const { entry_id: id } = await grantToWallet({ amount_credits: 500, kind: 'grant_signup', note: 'welcome' })
  const { available_credits, lots } = await now()
  assert.equal(available_credits, 500)
  assert.deepEqual(
    lots.map((lot) => [lot.kind, lot.available_credits]),
    [['grant_signup', 500]],
  )
  const { rows: lines, total } = await listJournalEntries(owner.db, organization, page)
  assert.equal(total, 1)
  assert.deepEqual(
    [lines[0]?.id, lines[0]?.kind, lines[0]?.amount_credits, lines[0]?.available_after_credits, lines[0]?.note],
    [id, 'grant_signup', 500, 500, 'welcome'],
  )
  const postings = await owner.db.query<{ account: string; amount_credits: number }>(sql`
    select account, amount_credits from journal_postings where organization_id = ${organization} order by line`)
  assert.deepEqual(postings, [
    { account: 'wallet.available', amount_credits: 500 },
    { account: 'promo.expense', amount_credits: -500 },
  ])
})

test('lots are allocated by priority, then earliest expiry, then age', async () => {
  const { grantToWallet, deduct, now } = await createWallet()
  const day = (number: number): Date => new Date(holdings.clock.now().getTime() + number * 86_400_000)
  await grantToWallet({ amount_credits: 10, note: 'bought first' })
  holdings.clock.advance(1000)
  await grantToWallet({ amount_credits: 20, note: 'bought later' })
  await grantToWallet({ amount_credits: 30, kind: 'grant_monthly', priority: 10, expires_at: day(30) })
  await grantToWallet({ amount_credits: 40, kind: 'grant_monthly', priority: 10, expires_at: day(2) })
  const left = async () => (await now()).lots.map((lot) => lot.available_credits)
  assert.deepEqual(await left(), [40, 30, 10, 20])
  await deduct(45)
  assert.deepEqual(await left(), [25, 10, 20])
  await deduct(30)
  assert.deepEqual(await left(), [5, 20])
  assert.equal((await now()).available_credits, 25)
})

test('deducting more than the balance throws insufficient-credits and writes nothing', async () => {
  const { organization, owner, grantToWallet, deduct, now } = await createWallet()
  await grantToWallet({ amount_credits: 100 })
  await assert.rejects(deduct(101), (error: Problem) => {
    assert.equal(error.problem, 'insufficient-credits')
    assert.deepEqual(error.extra, { required_credits: 101, available_credits: 100 })
    return true
  })
  assert.equal((await listJournalEntries(owner.db, organization, page)).total, 1)
  await deduct(100)
  assert.deepEqual(await now(), { available_credits: 0, held_credits: 0, lots: [] })
})

test('a grant of zero, a negative or a non-integer amount is rejected', async () => {
  const { owner, grantToWallet, organization } = await createWallet()
  for (const amount_credits of [0, -5, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
    await assert.rejects(grantToWallet({ amount_credits }), /invariant/)
  }
  assert.equal((await listJournalEntries(owner.db, organization, page)).total, 0)
})

test('an entry that does not sum to zero, or has a fraction, is rejected', async () => {
  const { owner } = await createWallet()
  const attempt = (...amounts: number[]) =>
    owner.transaction((tx) => {
      const account = 'wallet.available' as const
      const postings = amounts.map((amount_credits) => ({ account, amount_credits, lot_id: null }))
      return postJournalEntry(tx, owner, { kind: 'adjust', amount_credits: 1, reference, postings })
    })
  for (const amounts of [[], [1], [1, -2], [0.5, -0.5], [0]]) await assert.rejects(attempt(...amounts), String(amounts))
})

test('the database rejects a negative wallet balance', async () => {
  const { owner, organization } = await createWallet()
  await assert.rejects(
    owner.transaction((tx) =>
      postJournalEntry(tx, owner, {
        kind: 'adjust',
        amount_credits: -1,
        reference,
        postings: [
          { account: 'wallet.available', amount_credits: -1, lot_id: null },
          { account: 'promo.expense', amount_credits: 1, lot_id: null },
        ],
      }),
    ),
  )
  assert.equal((await listJournalEntries(owner.db, organization, page)).total, 0)
})

test('concurrent entries are numbered without gaps and listed newest first', async () => {
  const { owner, organization, grantToWallet } = await createWallet()
  await Promise.all(Array.from({ length: 12 }, (_, index) => grantToWallet({ amount_credits: index + 1 })))
  const { rows: lines } = await listJournalEntries(owner.db, organization, page)
  assert.deepEqual(
    lines.map((line) => line.position),
    Array.from({ length: 12 }, (_, index) => 12 - index),
  )
  assert.equal(lines[0]?.available_after_credits, 78)
  const windows = await Promise.all(
    [0, 5, 10].map((offset) => listJournalEntries(owner.db, organization, { ...page, limit: 5, offset })),
  )
  assert.deepEqual(
    windows.flatMap((window) => window.rows.map(({ id }) => id)),
    lines.map(({ id }) => id),
  )
  assert.equal((await listJournalEntries(owner.db, organization, { ...page, kind: 'hold' })).total, 0)
})

test("an organization cannot read another organization's balance and entries", async () => {
  const mine = await createWallet()
  const theirs = await createWallet()
  await theirs.grantToWallet({ amount_credits: 5 })
  assert.equal(
    (
      await readWalletBalance(
        mine.owner.db,
        theirs.organization,
        holdings.clock.forOrganization(theirs.organization).now(),
      )
    ).available_credits,
    0,
  )
  assert.equal((await listJournalEntries(mine.owner.db, theirs.organization, page)).total, 0)
  assert.equal(
    (await readWalletBalance(mine.owner.db, newId(), holdings.clock.forOrganization(newId()).now())).available_credits,
    0,
  )
})
