import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { newId } from '../../platform/ids.ts'
import type { Tx } from '../../platform/database/database.ts'
import { sql, toSqlStatement } from '../../platform/database/sql.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { readWalletBalance, grantCredits } from '../ledger/ledger.ts'
import { releasePaymentHold, capturePaymentHold, runWithReservedPayment } from './payment.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

async function createWallet(amount_credits: number) {
  const { owner, organization } = await holdings.createOrganization()
  const reference = { type: 'order', id: newId() }
  await owner.transaction((tx) => grantCredits(tx, owner, { kind: 'purchase', amount_credits, reference }))
  return {
    owner,
    pay: (amount_credits: number) =>
      runWithReservedPayment(owner, { amount_credits, subject: 'order' }, async (_tx, reservation) => reservation),
    readBalance: async () => {
      const { available_credits, held_credits } = await readWalletBalance(
        owner.db,
        organization,
        holdings.clock.forOrganization(organization).now(),
      )
      return [available_credits, held_credits]
    },
  }
}

test('a payment of zero creates no hold, and settling or releasing it writes nothing', async () => {
  const { owner, pay, readBalance } = await createWallet(10)
  const { hold_id, billing_mode } = await pay(0)
  assert.deepEqual([hold_id, billing_mode], [null, 'credit'])
  await owner.transaction(async (tx) => {
    await capturePaymentHold(tx, owner, { hold_id: null, amount_credits: 0 })
    await releasePaymentHold(tx, owner, null)
  })
  assert.deepEqual(await readBalance(), [10, 0])
})

test('a payment is settled in part with the rest released, or released in full', async () => {
  const { owner, pay, readBalance } = await createWallet(100)
  const first = await pay(60)
  assert.deepEqual(await readBalance(), [40, 60])
  await owner.transaction((tx) => capturePaymentHold(tx, owner, { hold_id: first.hold_id, amount_credits: 25 }))
  assert.deepEqual(await readBalance(), [75, 0])
  const second = await pay(75)
  await owner.transaction((tx) => releasePaymentHold(tx, owner, second.hold_id))
  assert.deepEqual(await readBalance(), [75, 0])
})

test('insufficient credits and a failing effect leave the balance unchanged', async () => {
  const { owner, pay, readBalance } = await createWallet(10)
  await assert.rejects(pay(11), { problem: 'insufficient-credits' })
  const failing = runWithReservedPayment(owner, { amount_credits: 4, subject: 'order' }, async () => {
    throw new Error('the effect fails')
  })
  await assert.rejects(failing, /the effect fails/)
  assert.deepEqual(await readBalance(), [10, 0])
})

test('the ledger is locked only after the effect has written', async () => {
  const { owner } = await createWallet(100)
  const texts: string[] = []
  const recording: Call = {
    ...owner,
    transaction: (work) =>
      owner.transaction((tx) => {
        const query: Tx['query'] = (statement) => {
          texts.push(toSqlStatement(statement).text)
          return tx.query(statement)
        }
        return work({ ...tx, query })
      }),
  }
  await runWithReservedPayment(recording, { amount_credits: 4, subject: 'order' }, (tx) =>
    tx.query(sql`select 'the effect'`),
  )
  const locked = texts.findIndex((text) => /from ledger_heads [^]*for update/.test(text))
  const effect = texts.findIndex((text) => text.includes('the effect'))
  assert.ok(effect >= 0 && effect < locked, texts.join('\n'))
})

/** A call by an API key of the owner with a spend cap. */
async function createApiKeyCall({ principal, organization }: Call, spend_cap_credits: number | null): Promise<Call> {
  const id = newId()
  await holdings.database.unscoped.query(sql`
    insert into api_keys (organization_id, id, name, prefix, last_four, permissions, spend_cap_credits, created_by, created_at)
    values (${organization}, ${id}, 'Key', 'x', 'x', '{can_process}', ${spend_cap_credits}, ${principal.user},
            ${holdings.clock.now()})`)
  return holdings.createCall({ ...principal, kind: 'api_key', id, role: null })
}

test('concurrent payments of an API key never exceed its cap, and released credits can be spent again', async () => {
  const { owner, readBalance } = await createWallet(1000)
  const key = await createApiKeyCall(owner, 100)
  const pay = (call: Call, amount_credits: number) =>
    runWithReservedPayment(call, { amount_credits, subject: 'job' }, async (_tx, reservation) => reservation.hold_id!)
  const attempts = await Promise.allSettled(Array.from({ length: 12 }, () => pay(key, 30)))
  const holds = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  assert.equal(holds.length, 3)
  assert.deepEqual(await readBalance(), [910, 90])
  const expectedProblem = {
    problem: 'spend-limit-exceeded',
    extra: { limit: 100, window_used: 90, requested: 11, frees_at: null },
  }
  await assert.rejects(pay(key, 11), expectedProblem)
  await pay(key, 10)
  await owner.transaction(async (tx) => {
    await capturePaymentHold(tx, owner, { hold_id: holds[0]!, amount_credits: 25 })
    await releasePaymentHold(tx, owner, holds[1]!)
  })
  await assert.rejects(pay(key, 36), { problem: 'spend-limit-exceeded' })
  await pay(key, 35)
  holdings.clock.advance(40 * 86_400_000)
  await assert.rejects(pay(key, 1), { problem: 'spend-limit-exceeded' })
  await pay(await createApiKeyCall(owner, null), 100)
  await assert.rejects(pay(await createApiKeyCall(owner, 0), 1), { problem: 'spend-limit-exceeded' })
})
