import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOperation } from '@swath/contract/registry.ts'
import { testPasswordHasher } from '../../test/test-crypto.ts'
import type { Call } from './call.ts'
import { limitHandlerConcurrency, limitPasswordHashing } from './concurrency-limits.ts'

const limits = { max_wait_ms: 60_000, search_concurrency: 2, statistics_concurrency: 1, password_concurrency: 2 }

const callOf = (organization: string): Call =>
  ({ principal: { organization, id: 'x' }, signal: new AbortController().signal }) as unknown as Call

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('at most search_concurrency searches run at once, organizations take turns, and other calls do not wait', async () => {
  const started: string[] = []
  const finishers = new Map<string, () => void>()
  const handle = (call: Call): Promise<unknown> => {
    started.push(call.principal.organization!)
    return new Promise((resolve) => finishers.set(`${call.principal.organization}${started.length}`, () => resolve({})))
  }
  const handlers = new Map(
    ['stac.search', 'items.search', 'cog.statistics', 'projects.list'].map((id) => [
      id,
      { operation: findOperation(id)!, handle: handle as never },
    ]),
  )
  const limitedHandlers = limitHandlerConcurrency(handlers, limits)
  const callOperation = (id: string, organization: string) =>
    limitedHandlers.get(id)!.handle(callOf(organization), {} as never)
  const pending = ['a1', 'a2', 'a3'].map(() => callOperation('stac.search', 'a'))
  pending.push(
    callOperation('items.search', 'b'),
    callOperation('cog.statistics', 'c'),
    callOperation('projects.list', 'd'),
  )
  await settled()
  assert.deepEqual(started.toSorted(), ['a', 'a', 'c', 'd'])
  finishers.get(`a${started.indexOf('a') + 1}`)!()
  await settled()
  assert.equal(started.at(-1), 'b')
  while (started.length < 6) {
    for (const finish of finishers.values()) finish()
    await settled()
  }
  for (const finish of finishers.values()) finish()
  await Promise.all(pending)
})

test('at most password_concurrency passwords are hashed at once, and a client with many waits behind one with few', async () => {
  let running = 0
  let max_concurrent = 0
  const order: string[] = []
  const slow = {
    ...testPasswordHasher,
    verify: async (password: string): Promise<boolean> => {
      max_concurrent = Math.max(max_concurrent, ++running)
      order.push(password)
      await settled()
      running -= 1
      return true
    },
  }
  const passwords = limitPasswordHashing(slow, limits)
  const many = Array.from({ length: 20 }, (_, at) => passwords.verify(`many ${at}`, null, '192.0.2.1'))
  await Promise.all([...many, passwords.verify('one', null, '192.0.2.2')])
  assert.equal(max_concurrent, 2)
  assert.ok(order.indexOf('one') <= 3, order.join())
  assert.equal(
    await limitPasswordHashing(testPasswordHasher, limits).verify('x', await testPasswordHasher.hash('x'), 'y'),
    true,
  )
})
