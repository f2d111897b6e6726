import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { kindOf } from '../../engine/background.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { openLog } from '../../platform/log.ts'
import { PaymentsFailure, type Payments } from '../../platform/outside/payments/payments.ts'
import { openHoldings, seller, type Holdings } from '../../../test/holdings.ts'
import { ask, losing, payingOrganization } from '../../../test/paying.ts'
import { openBench, type Bench } from '../../../test/work.ts'
import { closeTopups } from './topups/close-topup.task.ts'

let holdings: Holdings
let bench: Bench
before(async () => {
  holdings = await openHoldings()
  bench = openBench(holdings)
})
after(() => holdings?.close())

interface Letters {
  readonly dead_letters: readonly { id: string; kind: string; organization_id: string | null; last_error: string }[]
  readonly total: number
}

const list = (call: Call) => ask<Letters>(call, 'billing.dlq.list_pending')
const replay = (call: Call, batch_size = 100) => ask(call, 'billing.dlq.replay', { batch_size })

/** Runs an attempt of a task with a processor that is unavailable. */
async function failForGood(data: object, last = true): Promise<void> {
  const find: Payments['find'] = async () => {
    throw new PaymentsFailure('unavailable', 'The processor is unavailable.')
  }
  const { database, clock, blobs, outside, payments, quotas } = holdings
  const dark = { ...outside, payments: { ...payments, find } }
  const ground = { database, clock, blobs, seller, quotas, outside: dark, log: openLog({ level: 'silent' }) }
  const attempt = { id: newId(), number: 10, last }
  await kindOf(ground, () => bench.queue, closeTopups).run(data, new AbortController().signal, attempt)
}

/** A top-up whose response was lost, and whose close task has failed on its last attempt. */
async function stranded() {
  const made = await payingOrganization(holdings, bench)
  const outside = { ...holdings.outside, payments: losing(holdings.payments, ['charge'], () => true) }
  await assert.rejects(ask({ ...made.owner, outside }, 'billing.topup', { credits: 1100 }), { problem: 'upstream' })
  const [{ id: topup_id }] = (await made.topups()) as unknown as [{ id: string }]
  const data = { organization_id: made.organization, topup_id }
  await failForGood(data)
  holdings.clock.advance(1000)
  return { ...made, data }
}

test('a failed attempt throws if others follow, and stores a dead letter if it is the last', async () => {
  const { owner, data, organization } = await stranded()
  await assert.rejects(failForGood(data, false), /The processor is unavailable/)
  const { dead_letters, total } = await list(owner)
  assert.equal(total, 1)
  const [letter] = dead_letters
  assert.deepEqual(
    [letter!.kind, letter!.organization_id, letter!.last_error],
    ['billing.close-topup', organization, 'The processor is unavailable.'],
  )
  assert.deepEqual(await replay(owner), { replayed_count: 1, failed_count: 0 })
  await bench.run()
})

test('dead letters are replayed oldest first, each once, and their tasks run', async () => {
  const [first, second, third] = [await stranded(), await stranded(), await stranded()]
  const { owner } = first
  assert.deepEqual(
    (await list(owner)).dead_letters.map((letter) => letter.organization_id),
    [first.organization, second.organization, third.organization],
  )
  assert.deepEqual(await replay(owner, 2), { replayed_count: 2, failed_count: 0 })
  await bench.run()
  assert.deepEqual(
    [await first.journal(), await second.journal(), await third.journal()],
    [['purchase 1100', 'tax -100'], ['purchase 1100', 'tax -100'], []],
  )
  const both = await Promise.all([replay(owner), replay(owner)])
  assert.equal(
    both.reduce((sum, { replayed_count }) => sum + (replayed_count as number), 0),
    1,
  )
  await bench.run()
  assert.deepEqual(await third.charges(), ['succeeded 1100'])
  assert.deepEqual([(await list(owner)).total, await replay(owner)], [0, { replayed_count: 0, failed_count: 0 }])
})

test('a task that fails again gets a new dead letter, and one with an unknown task stays without blocking others', async () => {
  const { owner, data, journal } = await stranded()
  await holdings.database.across.query(sql`
    insert into billing_dead_letters (id, kind, organization_id, data, attempts, last_error, created_at)
    values (${newId()}, 'billing.forgotten', null, '{}', 11, 'test', ${new Date(0)})`)
  assert.deepEqual(await replay(owner), { replayed_count: 1, failed_count: 1 })
  await failForGood(data)
  const { dead_letters } = await list(owner)
  assert.deepEqual(
    dead_letters.map(({ kind }) => kind),
    ['billing.forgotten', 'billing.close-topup'],
  )
  assert.deepEqual(await replay(owner), { replayed_count: 1, failed_count: 1 })
  await bench.run()
  assert.deepEqual(await journal(), ['purchase 1100', 'tax -100'])
})
