import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOperation } from '@swath/contract/registry.ts'
import { cheapPasswords } from '../../test/cheap-crypto.ts'
import type { Call } from './call.ts'
import { boundAnswers, boundPasswords } from './work-queues.ts'

const bounds = { max_wait_ms: 60_000, search_concurrency: 2, statistics_concurrency: 1, password_concurrency: 2 }

const callOf = (organization: string): Call =>
  ({ principal: { organization, id: 'x' }, signal: new AbortController().signal }) as unknown as Call

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('at most search_concurrency searches run at once, organizations take turns, and other calls do not wait', async () => {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const answer = (call: Call): Promise<unknown> => {
    begun.push(call.principal.organization!)
    return new Promise((resolve) => ends.set(`${call.principal.organization}${begun.length}`, () => resolve({})))
  }
  const handlers = new Map(
    ['stac.search', 'items.search', 'cog.statistics', 'projects.list'].map((id) => [
      id,
      { operation: findOperation(id)!, answer: answer as never },
    ]),
  )
  const answerOf = boundAnswers(handlers, bounds)
  const ask = (id: string, organization: string) => answerOf(id)!(callOf(organization), {} as never)
  const all = ['a1', 'a2', 'a3'].map(() => ask('stac.search', 'a'))
  all.push(ask('items.search', 'b'), ask('cog.statistics', 'c'), ask('projects.list', 'd'))
  await settled()
  assert.deepEqual(begun.toSorted(), ['a', 'a', 'c', 'd'])
  ends.get(`a${begun.indexOf('a') + 1}`)!()
  await settled()
  assert.equal(begun.at(-1), 'b')
  while (begun.length < 6) {
    for (const end of ends.values()) end()
    await settled()
  }
  for (const end of ends.values()) end()
  await Promise.all(all)
  assert.equal(answerOf('nothing'), null)
})

test('at most password_concurrency passwords are hashed at once, and a client with many waits behind one with few', async () => {
  let running = 0
  let most = 0
  const order: string[] = []
  const slow = {
    ...cheapPasswords,
    verify: async (password: string): Promise<boolean> => {
      most = Math.max(most, ++running)
      order.push(password)
      await settled()
      running -= 1
      return true
    },
  }
  const passwords = boundPasswords(slow, bounds)
  const many = Array.from({ length: 20 }, (_, at) => passwords.verify(`many ${at}`, null, '192.0.2.1'))
  await Promise.all([...many, passwords.verify('one', null, '192.0.2.2')])
  assert.equal(most, 2)
  assert.ok(order.indexOf('one') <= 3, order.join())
  assert.equal(await boundPasswords(cheapPasswords, bounds).verify('x', await cheapPasswords.hash('x'), 'y'), true)
})
