import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { hold, release, settle } from '../ledger/holds.ts'
import { grant } from '../ledger/ledger.ts'
import { getMemberSpend } from './organizations.members.spend.get.ts'

let holdings: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  holdings = await openHoldings()
})
after(() => holdings?.close())

const day_ms = 86_400_000

interface Window {
  readonly window_used_credits: number
  readonly remaining_credits: number | null
  readonly frees: readonly { at: string; credits: number }[]
}

const windowOf = async (call: Call, userId?: string): Promise<Window> =>
  (await getMemberSpend.answer(call, { userId } as never)) as Window

async function wallet() {
  const { owner, organization } = await holdings.organize()
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) => grant(tx, owner, { kind: 'purchase', amount_credits: 100_000, reference }))
  const take = (amount_credits: number) => owner.transaction((tx) => hold(tx, owner, { amount_credits, reference }))
  const limit = (credits: number | null) =>
    owner.db.query(sql`
      update memberships set spend_limit_credits = ${credits}
      where organization_id = ${organization} and user_id = ${owner.principal.user}`)
  return { owner, organization, take, limit }
}

test('holds count from their creation, settled credits stay, released credits leave, and all expire after 30 days', async () => {
  const { owner, take, limit } = await wallet()
  await limit(1000)
  const start = holdings.clock.now().getTime()
  const ends = (after_ms: number): string => new Date(start + after_ms + 30 * day_ms).toISOString()
  const first = await take(300)
  holdings.clock.advance(day_ms)
  const second = await take(200)
  const third = await take(50)
  assert.deepEqual(await windowOf(owner), {
    user_id: owner.principal.user,
    per_order_limit_credits: null,
    spend_limit_credits: 1000,
    window_days: 30,
    window_used_credits: 550,
    remaining_credits: 450,
    frees: [
      { at: ends(0), credits: 300 },
      { at: ends(day_ms), credits: 200 },
      { at: ends(day_ms), credits: 50 },
    ],
  })
  await owner.transaction((tx) => settle(tx, owner, first, 120))
  await owner.transaction((tx) => release(tx, owner, second))
  const later = await windowOf(owner)
  assert.deepEqual([later.window_used_credits, later.remaining_credits], [170, 830])
  assert.deepEqual(later.frees, [
    { at: ends(0), credits: 120 },
    { at: ends(day_ms), credits: 50 },
  ])
  await limit(100)
  assert.equal((await windowOf(owner)).remaining_credits, 0, 'a lower limit leaves 0, never less')
  holdings.clock.advance(29 * day_ms)
  assert.deepEqual((await windowOf(owner)).frees, [{ at: ends(day_ms), credits: 50 }])
  holdings.clock.advance(day_ms)
  const { window_used_credits, remaining_credits, frees } = await windowOf(owner)
  assert.deepEqual([window_used_credits, remaining_credits, frees], [0, 100, []])
  await owner.transaction((tx) => release(tx, owner, third))
})

test('a card authorization in progress counts before its hold exists', async () => {
  const { owner, organization, limit } = await wallet()
  await limit(500)
  const now = holdings.clock.now()
  const card = newId()
  const { across } = holdings.database
  await across.query(sql`
    insert into payment_methods (organization_id, id, env, payment_method_id, kind, is_default, created_by, created_at)
    values (${organization}, ${card}, 'embedded', 'pm_card_good', 'card', false, 'test', ${now})`)
  for (const [state, credits] of [
    ['starting', 70],
    ['action', 5],
    ['voided', 1000],
  ] as const) {
    await across.query(sql`
      insert into card_authorisations (organization_id, id, user_id, payment_method_id, amount_credits, reference_type,
                                       reference_id, state, created_at, updated_at)
      values (${organization}, ${newId()}, ${owner.principal.user}, ${card}, ${credits}, 'order', ${newId()}, ${state}, ${now}, ${now})`)
  }
  const window = await windowOf(owner)
  assert.deepEqual([window.window_used_credits, window.remaining_credits], [75, 425])
  assert.equal(window.frees.length, 2)
})

test('of many holds all count and the hundred that expire first are listed', async () => {
  const { owner, take } = await wallet()
  for (let count = 0; count < 105; count += 1) await take(2)
  const { window_used_credits, remaining_credits, frees } = await windowOf(owner)
  assert.deepEqual([window_used_credits, remaining_credits, frees.length], [210, null, 100])
})

test('a service has to name the member', async () => {
  const { owner, organization } = await wallet()
  const service = holdings.callAs({ ...owner.principal, kind: 'service', user: null })
  await assert.rejects(windowOf(service), { problem: 'user-required' })
  assert.equal((await windowOf(service, owner.principal.user!)).window_used_credits, 0)
  await assert.rejects(windowOf(service, newId()), { problem: 'not-found' })
  assert.ok(organization)
})
