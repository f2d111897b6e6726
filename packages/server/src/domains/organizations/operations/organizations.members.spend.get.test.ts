import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../../engine/call.ts'
import { sql } from '../../../platform/database/sql.ts'
import { newId } from '../../../platform/ids.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import { placeCreditHold, releaseHold, settleHold } from '../../ledger/holds.ts'
import { grantCredits } from '../../ledger/ledger.ts'
import { handler } from './organizations.members.spend.get.ts'

let app: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  app = await openTestServices()
})
after(() => app?.close())

interface SpendWindow {
  readonly window_used_credits: number
  readonly remaining_credits: number | null
  readonly frees: readonly { at: string; credits: number }[]
}

const getWindow = async (call: Call, userId?: string): Promise<SpendWindow> =>
  (await handler.handle(call, { userId } as never)) as SpendWindow

async function createWallet() {
  const { owner, organization } = await app.createOrganization()
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits: 100_000, reference }))
  const createHold = (amount_credits: number) =>
    owner.transaction((tx) => placeCreditHold(tx, owner, { amount_credits, reference }))
  const setLimit = (credits: number | null) =>
    owner.db.query(sql`
      update memberships set spend_limit_credits = ${credits}
      where organization_id = ${organization} and user_id = ${owner.principal.user}`)
  return { owner, organization, take: createHold, limit: setLimit }
}

test('holds count from their creation, settled credits stay, released credits leave, and all expire after 30 days', async () => {
  const { owner, take: createHold, limit: setLimit } = await createWallet()
  await setLimit(1000)
  const start = app.clock.now().getTime()
  const windowEndAfter = (after_ms: number): string => new Date(start + after_ms + 30 * day_ms).toISOString()
  const first = await createHold(300)
  app.clock.advance(day_ms)
  const second = await createHold(200)
  const third = await createHold(50)
  assert.deepEqual(await getWindow(owner), {
    user_id: owner.principal.user,
    per_order_limit_credits: null,
    spend_limit_credits: 1000,
    window_days: 30,
    window_used_credits: 550,
    remaining_credits: 450,
    frees: [
      { at: windowEndAfter(0), credits: 300 },
      { at: windowEndAfter(day_ms), credits: 200 },
      { at: windowEndAfter(day_ms), credits: 50 },
    ],
  })
  await owner.transaction((tx) => settleHold(tx, owner, { hold_id: first, amount_credits: 120 }))
  await owner.transaction((tx) => releaseHold(tx, owner, second))
  const afterSettlement = await getWindow(owner)
  assert.deepEqual([afterSettlement.window_used_credits, afterSettlement.remaining_credits], [170, 830])
  assert.deepEqual(afterSettlement.frees, [
    { at: windowEndAfter(0), credits: 120 },
    { at: windowEndAfter(day_ms), credits: 50 },
  ])
  await setLimit(100)
  assert.equal((await getWindow(owner)).remaining_credits, 0, 'a lower limit leaves 0, never less')
  app.clock.advance(29 * day_ms)
  assert.deepEqual((await getWindow(owner)).frees, [{ at: windowEndAfter(day_ms), credits: 50 }])
  app.clock.advance(day_ms)
  const { window_used_credits, remaining_credits, frees } = await getWindow(owner)
  assert.deepEqual([window_used_credits, remaining_credits, frees], [0, 100, []])
  await owner.transaction((tx) => releaseHold(tx, owner, third))
})

test('a card authorization in progress counts before its hold exists', async () => {
  const { owner, organization, limit: setLimit } = await createWallet()
  await setLimit(500)
  const now = app.clock.now()
  const card = newId()
  const { unscoped } = app.database
  await unscoped.query(sql`
    insert into payment_methods (organization_id, id, env, payment_method_id, kind, is_default, created_by, created_at)
    values (${organization}, ${card}, 'embedded', 'pm_card_good', 'card', false, 'test', ${now})`)
  for (const [state, credits] of [
    ['starting', 70],
    ['action', 5],
    ['voided', 1000],
  ] as const) {
    await unscoped.query(sql`
      insert into card_authorisations (organization_id, id, user_id, payment_method_id, amount_credits, reference_type,
                                       reference_id, state, created_at, updated_at)
      values (${organization}, ${newId()}, ${owner.principal.user}, ${card}, ${credits}, 'order', ${newId()}, ${state}, ${now}, ${now})`)
  }
  const window = await getWindow(owner)
  assert.deepEqual([window.window_used_credits, window.remaining_credits], [75, 425])
  assert.equal(window.frees.length, 2)
})

test('of many holds all count and the hundred that expire first are listed', async () => {
  const { owner, take: createHold } = await createWallet()
  for (let count = 0; count < 105; count += 1) await createHold(2)
  const { window_used_credits, remaining_credits, frees } = await getWindow(owner)
  assert.deepEqual([window_used_credits, remaining_credits, frees.length], [210, null, 100])
})

test('a service has to name the member', async () => {
  const { owner, organization } = await createWallet()
  const service = app.createCall({ ...owner.principal, kind: 'service', user: null })
  await assert.rejects(getWindow(service), { problem: 'user-required' })
  assert.equal((await getWindow(service, owner.principal.user!)).window_used_credits, 0)
  await assert.rejects(getWindow(service, newId()), { problem: 'not-found' })
  assert.ok(organization)
})
