import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { balance, grant } from '../ledger/ledger.ts'
import { releaseSpend, reserve, settleSpend } from './spend.ts'

let holdings: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  holdings = await openHoldings()
})
after(() => holdings?.close())

async function wallet(amount_credits: number) {
  const { owner, organization } = await holdings.organize()
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) => grant(tx, owner, { kind: 'purchase', amount_credits, reference }))
  return {
    owner,
    spend: (amount: number) => owner.transaction((tx) => reserve(tx, owner, { amount_credits: amount, reference })),
    money: async () => {
      const { available_credits, held_credits } = await balance(owner.db, organization, holdings.clock.now())
      return [available_credits, held_credits]
    },
  }
}

test('what costs nothing holds nothing, and ends without a trace', async () => {
  const { owner, spend, money } = await wallet(10)
  assert.deepEqual(await spend(0), { hold_id: null, billing_mode: 'credit' })
  await owner.transaction(async (tx) => {
    await settleSpend(tx, owner, null, 0)
    await releaseSpend(tx, owner, null)
  })
  assert.deepEqual(await money(), [10, 0])
})

test('what is reserved is charged in part and the rest given back, or given back whole', async () => {
  const { owner, spend, money } = await wallet(100)
  const first = await spend(60)
  assert.deepEqual(await money(), [40, 60])
  await owner.transaction((tx) => settleSpend(tx, owner, first.hold_id, 25))
  assert.deepEqual(await money(), [75, 0])
  const second = await spend(75)
  await owner.transaction((tx) => releaseSpend(tx, owner, second.hold_id))
  assert.deepEqual(await money(), [75, 0])
})

test('what cannot be paid leaves no trace, also of what else its transaction wrote', async () => {
  const { owner, money } = await wallet(10)
  const both = owner.transaction(async (tx) => {
    await reserve(tx, owner, { amount_credits: 4, reference: { type: 'order', id: newId() } })
    await reserve(tx, owner, { amount_credits: 7, reference: { type: 'order', id: newId() } })
  })
  await assert.rejects(both, { problem: 'insufficient-credits' })
  assert.deepEqual(await money(), [10, 0])
})
