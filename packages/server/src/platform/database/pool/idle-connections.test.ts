import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PoolClient } from 'pg'
import { createIdleConnections } from './idle-connections.ts'

/** Connections by name, with those that were released to the pool: true if closed. */
function createFixture() {
  const released = new Map<string, boolean>()
  const lost = new Set<PoolClient>()
  const connect = (name: string): PoolClient =>
    ({ name, release: (closes = false) => void released.set(name, closes) }) as unknown as PoolClient
  const kept = createIdleConnections((client) => !lost.has(client))
  return { kept, released, lost, connect }
}

const nameOf = (client: PoolClient | undefined): string | undefined => (client as { name?: string } | undefined)?.name
const any = (): boolean => true
const none = (): boolean => false

test('a caller gets the suitable connection that was returned last, else the one that is unused longest', () => {
  const { kept, released, connect } = createFixture()
  assert.equal(kept.take(any), undefined)
  for (const name of ['a', 'b', 'c', 'd']) kept.keep(connect(name))
  assert.equal(nameOf(kept.take((client) => ['b', 'c'].includes(nameOf(client)!))), 'c')
  assert.equal(nameOf(kept.take(none)), 'a')
  assert.equal(nameOf(kept.take(any)), 'd')
  assert.equal(kept.size, 1)
  assert.equal(released.size, 0)
  kept.close()
})

test('a connection that was lost meanwhile is closed, and the next one is taken', () => {
  const { kept, released, lost, connect } = createFixture()
  const [good, bad] = [connect('good'), connect('bad')]
  kept.keep(good)
  kept.keep(bad)
  lost.add(bad)
  assert.equal(kept.take(any), good)
  assert.deepEqual([...released], [['bad', true]])
  lost.add(good)
  kept.keep(good)
  assert.equal(kept.take(any), undefined)
  assert.equal(released.get('good'), true)
})

test('unused connections return to the pool, those that were used meanwhile later', (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let now_ms = 0
  context.mock.method(performance, 'now', () => now_ms)
  const pass = (duration_ms: number): void => {
    now_ms += duration_ms
    context.mock.timers.tick(duration_ms)
  }
  const { kept, released, connect } = createFixture()
  kept.keep(connect('a'))
  kept.keep(connect('b'))
  pass(1_000)
  kept.keep(kept.take((client) => nameOf(client) === 'b')!)
  pass(1_000)
  assert.deepEqual([...released], [['a', false]])
  pass(2_000)
  assert.deepEqual([...released.keys()], ['a', 'b'])
  assert.equal(kept.size, 0)
})

test('after closing, every connection returns to the pool', () => {
  const { kept, released, connect } = createFixture()
  kept.keep(connect('a'))
  kept.close()
  kept.keep(connect('b'))
  assert.deepEqual(
    [...released],
    [
      ['a', false],
      ['b', false],
    ],
  )
  assert.equal(kept.take(any), undefined)
})
