import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hour_ms } from '@swath/geo/time-units.ts'
import type { Lot } from '@swath/contract/schemas/ledger.ts'
import { openTestServices } from '../../../../test/test-services.ts'
import type { Call } from '../../../engine/call.ts'
import { newId } from '../../../platform/ids.ts'
import { placeCreditHold, settleHold } from '../../ledger/holds.ts'
import { readWalletBalance, expireDueLots, grantCredits, deductCredits, type CreditGrant } from '../../ledger/ledger.ts'
import { handler } from './billing.lots.list.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

const reference = { type: 'order', id: newId() }

const page = async (call: Call, limit = 100, offset = 0) =>
  (await handler.handle(call, { limit, offset } as never)) as { lots: Lot[]; total: number; limit: number }

const amounts = (lot: Lot): number[] => [
  lot.granted_credits,
  lot.available_credits,
  lot.held_credits,
  lot.captured_credits,
  lot.expired_credits,
  lot.refunded_credits,
]

test('lists every lot newest first, with amounts that sum to the granted credits', async () => {
  const { owner } = await holdings.createOrganization()
  const grantLot = async (options: Partial<CreditGrant> & { amount_credits: number }): Promise<void> => {
    holdings.clock.advance(1000)
    await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', reference, ...options }))
  }
  const soon = new Date(holdings.clock.now().getTime() + hour_ms)
  assert.deepEqual(await page(owner), { lots: [], limit: 100, offset: 0, total: 0 })
  await grantLot({ amount_credits: 30, kind: 'grant_signup', priority: 10 })
  await grantLot({ amount_credits: 50, kind: 'grant_monthly', priority: 20, expires_at: soon })
  await grantLot({ amount_credits: 500 })
  const charged = await owner.transaction((tx) => placeCreditHold(tx, owner, { amount_credits: 30, reference }))
  await owner.transaction((tx) => settleHold(tx, owner, { hold_id: charged, amount_credits: 30 }))
  await owner.transaction((tx) => placeCreditHold(tx, owner, { amount_credits: 20, reference }))
  const readLots = async () => (await page(owner)).lots.map((lot) => [lot.kind, lot.status, ...amounts(lot)])
  assert.deepEqual(await readLots(), [
    ['purchase', 'open', 500, 500, 0, 0, 0, 0],
    ['grant_monthly', 'open', 50, 30, 20, 0, 0, 0],
    ['grant_signup', 'empty', 30, 0, 0, 30, 0, 0],
  ])
  holdings.clock.advance(hour_ms)
  const expiredLot = ['grant_monthly', 'expired', 50, 0, 20, 0, 30, 0]
  assert.deepEqual((await readLots())[1], expiredLot, 'expired by the clock, before it is written off')
  await owner.transaction((tx) => expireDueLots(tx, owner))
  assert.deepEqual((await readLots())[1], expiredLot, 'unchanged after it is written off')
  await owner.transaction((tx) => deductCredits(tx, owner, { amount_credits: 100, reference, note: 'x' }))
  assert.deepEqual((await readLots())[0], ['purchase', 'open', 500, 400, 0, 0, 0, 100])

  const { lots } = await page(owner)
  for (const lot of lots)
    assert.equal(
      lot.granted_credits,
      amounts(lot)
        .slice(1)
        .reduce((sum, part) => sum + part, 0),
    )
  const wallet = await readWalletBalance(
    owner.db,
    owner.organization,
    holdings.clock.forOrganization(owner.organization).now(),
  )
  assert.equal(
    lots.reduce((sum, lot) => sum + lot.available_credits, 0),
    wallet.available_credits,
  )
  assert.equal(
    lots.reduce((sum, lot) => sum + lot.held_credits, 0),
    wallet.held_credits,
  )
  assert.deepEqual([lots[1]!.priority, lots[1]!.expires_at, lots[0]!.expires_at], [20, soon.toISOString(), null])

  const windows = await Promise.all([0, 1, 2, 3].map((offset) => page(owner, 1, offset)))
  assert.deepEqual(
    windows.flatMap((window) => window.lots),
    lots,
  )
  assert.deepEqual([...new Set(windows.map(({ total }) => total))], [3])
  const stranger = await holdings.createOrganization()
  assert.equal((await page(stranger.owner)).total, 0)
})
