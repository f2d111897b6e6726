import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pool } from 'pg'
import type { DatabaseWorkKind } from '../database.ts'
import { createFairPool, type PoolConnectionLease } from './fair-pool.ts'
import { createIdleConnections } from './idle-connections.ts'

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A fair pool over one that records what is opened and closed, and the order in which callers get connections. */
function createFixture({ size = 1, timeout_ms = 60_000, isBroken = (): boolean => false } = {}) {
  const closed: boolean[] = []
  const pool = {
    connect: async () => {
      if (isBroken()) throw new Error('refused')
      return { release: (destroys: boolean) => void closed.push(destroys) }
    },
  } as unknown as Pool
  const fairPool = createFairPool(
    pool,
    createIdleConnections(() => true),
    { size, timeout_ms },
  )
  const order: string[] = []
  const lent: PoolConnectionLease[] = []
  const take = (name: string, work: DatabaseWorkKind): Promise<void> =>
    fairPool
      .connect(work, () => false)
      .then((connection) => {
        order.push(name)
        lent.push(connection)
      })
  const giveBack = async (isUsable = true): Promise<void> => {
    lent.shift()!.release(isUsable)
    await nextTick()
  }
  return { fairPool, closed, order, take, giveBack }
}

test('background work waits for one of the calls that wait, however many there are', async () => {
  const { order, take, giveBack, fairPool } = createFixture()
  for (let count = 0; count < 20; count += 1) void take(`call ${count}`, 'calls')
  void take('background 0', 'background')
  void take('background 1', 'background')
  await nextTick()
  assert.equal(fairPool.waiting, 21)
  for (let count = 0; count < 22; count += 1) await giveBack()
  assert.deepEqual(order.slice(0, 5), ['call 0', 'background 0', 'call 1', 'background 1', 'call 2'])
  assert.equal(order.length, 22)
})

test('every connection is lent to one kind of work while the other does not wait', async () => {
  const { order, take, giveBack, fairPool } = createFixture({ size: 2 })
  for (let count = 0; count < 4; count += 1) void take(`call ${count}`, 'calls')
  await nextTick()
  assert.deepEqual(order, ['call 0', 'call 1'])
  await giveBack()
  await giveBack()
  assert.deepEqual(order, ['call 0', 'call 1', 'call 2', 'call 3'])
  await giveBack()
  await giveBack()
  assert.equal(fairPool.waiting, 0)
  await take('later', 'background')
  assert.equal(order.at(-1), 'later')
})

test('a caller that waits too long is rejected, and its turn goes to the next one', async () => {
  const { order, take, giveBack, fairPool } = createFixture({ timeout_ms: 20 })
  await take('first', 'calls')
  await assert.rejects(take('late', 'calls'), /timeout exceeded/)
  assert.equal(fairPool.waiting, 0)
  const next = take('next', 'calls')
  await giveBack()
  await next
  assert.deepEqual(order, ['first', 'next'])
})

test('a connection that cannot be opened, or is not usable any more, leaves its place to others', async () => {
  let isBroken = true
  const { order, take, giveBack, closed } = createFixture({ isBroken: () => isBroken })
  await assert.rejects(take('refused', 'calls'), /refused/)
  isBroken = false
  await take('first', 'calls')
  const second = take('second', 'background')
  await giveBack(false)
  await second
  assert.deepEqual(closed, [true])
  assert.deepEqual(order, ['first', 'second'])
})
