import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../platform/ids.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { balance, grant } from '../ledger/ledger.ts'
import { releaseSpend, settleSpend, spend } from './spend.ts'

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
    pay: (amount_credits: number) => spend(owner, { amount_credits, subject: 'order' }, async (_tx, paid) => paid),
    money: async () => {
      const { available_credits, held_credits } = await balance(owner.db, organization, holdings.clock.now())
      return [available_credits, held_credits]
    },
  }
}

test('what costs nothing holds nothing, and ends without a trace', async () => {
  const { owner, pay, money } = await wallet(10)
  const { hold_id, billing_mode } = await pay(0)
  assert.deepEqual([hold_id, billing_mode], [null, 'credit'])
  await owner.transaction(async (tx) => {
    await settleSpend(tx, owner, null, 0)
    await releaseSpend(tx, owner, null)
  })
  assert.deepEqual(await money(), [10, 0])
})

test('what is reserved is charged in part and the rest given back, or given back whole', async () => {
  const { owner, pay, money } = await wallet(100)
  const first = await pay(60)
  assert.deepEqual(await money(), [40, 60])
  await owner.transaction((tx) => settleSpend(tx, owner, first.hold_id, 25))
  assert.deepEqual(await money(), [75, 0])
  const second = await pay(75)
  await owner.transaction((tx) => releaseSpend(tx, owner, second.hold_id))
  assert.deepEqual(await money(), [75, 0])
})

test('what cannot be paid, and what fails after it was paid, leaves no trace', async () => {
  const { owner, pay, money } = await wallet(10)
  await assert.rejects(pay(11), { problem: 'insufficient-credits' })
  const failing = spend(owner, { amount_credits: 4, subject: 'order' }, async () => {
    throw new Error('the effect fails')
  })
  await assert.rejects(failing, /the effect fails/)
  assert.deepEqual(await money(), [10, 0])
})
