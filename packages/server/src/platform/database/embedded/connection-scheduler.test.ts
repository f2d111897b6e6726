import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SearchCooldownFailure } from '../failures.ts'
import { createConnectionScheduler, type StatementKind, type ConnectionScheduler } from './connection-scheduler.ts'

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Sends statements that the test answers one by one, in the order in which they were sent. */
function createStatementSender(scheduler: ConnectionScheduler) {
  const sent: string[] = []
  const pendingAnswers: (() => void)[] = []
  return {
    sent,
    send: (name: string, organization: string | null, statementKind?: StatementKind): void => {
      void scheduler.acquire(organization, statementKind).then((grant) => {
        sent.push(name)
        pendingAnswers.push(grant.markSent())
        grant.release()
      })
    },
    answer: async (): Promise<void> => {
      await nextTick()
      pendingAnswers.shift()!()
      await nextTick()
    },
  }
}

test('many statements of one organization delay another organization only by those already sent', async () => {
  const { send, sent, answer: answerOldest } = createStatementSender(createConnectionScheduler())
  for (let count = 0; count < 100; count++) send(`many ${count}`, 'many')
  await nextTick()
  assert.deepEqual(sent, ['many 0', 'many 1'])
  send('one', 'one')
  send('all', null)
  for (let count = 0; count < 3; count++) await answerOldest()
  assert.deepEqual(sent.slice(2), ['all', 'many 2', 'one'])
})

test('background work of an organization waits for one statement of its calls, however many wait', async () => {
  const { send, sent, answer: answerOldest } = createStatementSender(createConnectionScheduler())
  for (let count = 0; count < 100; count++) send(`call ${count}`, 'many')
  await nextTick()
  for (let count = 0; count < 2; count++) send(`background ${count}`, 'many', 'background')
  for (let count = 0; count < 4; count++) await answerOldest()
  assert.deepEqual(sent.slice(2), ['call 2', 'background 0', 'call 3', 'background 1'])
})

test('nothing is sent while a search is running', async () => {
  const { send, sent, answer: answerOldest } = createStatementSender(createConnectionScheduler())
  send('search', 'many', 'search')
  send('list', 'many')
  send('one', 'one')
  await nextTick()
  assert.deepEqual(sent, ['search'])
  await answerOldest()
  assert.deepEqual(sent, ['search', 'list', 'one'])
})

test('a transaction holds the connection until release, and a second release has no effect', async () => {
  const scheduler = createConnectionScheduler()
  const { release } = await scheduler.acquire('one')
  const { send, sent } = createStatementSender(scheduler)
  send('other', 'other')
  await nextTick()
  assert.deepEqual(sent, [])
  release()
  release()
  await nextTick()
  assert.deepEqual(sent, ['other'])
})

test('after a long search, the next search of the organization is delayed while others use the database', async () => {
  let now = 0
  const timers: { work: () => void; delay_ms: number }[] = []
  const scheduler = createConnectionScheduler({
    now_ms: () => now,
    schedule: (work, delay_ms) => void timers.push({ work, delay_ms }),
  })
  const { send, sent, answer: answerOldest } = createStatementSender(scheduler)
  send('long', 'many', 'search')
  send('one', 'one')
  await nextTick()
  now += 600
  await answerOldest()
  send('again', 'many', 'search')
  send('list', 'many')
  await answerOldest()
  await answerOldest()
  assert.deepEqual(sent, ['long', 'one', 'list'])
  assert.deepEqual(
    timers.map(({ delay_ms }) => delay_ms),
    [1800],
  )
  now += 1000
  send('still here', 'one')
  await answerOldest()
  now += 800
  timers[0]!.work()
  await nextTick()
  assert.deepEqual(sent, ['long', 'one', 'list', 'still here', 'again'])
})

test('a quick search is not delayed because of a slow statement before it', async () => {
  let now = 0
  const scheduler = createConnectionScheduler({ now_ms: () => now, schedule: () => assert.fail('nobody has to wait') })
  const { send, sent, answer: answerOldest } = createStatementSender(scheduler)
  send('slow', 'many')
  await nextTick()
  send('quick', 'one', 'search')
  await nextTick()
  now += 4000
  await answerOldest()
  now += 5
  await answerOldest()
  send('again', 'one', 'search')
  await nextTick()
  assert.deepEqual(sent, ['slow', 'quick', 'again'])
})

test('a search is not counted as long because it waited until the database was open again', async () => {
  let now = 0
  let ready = 0
  const scheduler = createConnectionScheduler({
    now_ms: () => now,
    ready_ms: () => ready,
    schedule: () => assert.fail('nobody has to wait'),
  })
  const { send, sent, answer: answerOldest } = createStatementSender(scheduler)
  send('list', 'other')
  await answerOldest()
  send('quick', 'one', 'search')
  await nextTick()
  now += 2600
  ready = now
  now += 5
  await answerOldest()
  send('again', 'one', 'search')
  await nextTick()
  assert.deepEqual(sent, ['list', 'quick', 'again'])
})

test('a search with a long cooldown is rejected with a retry time, and other statements run', async () => {
  let now = 0
  const scheduler = createConnectionScheduler({ now_ms: () => now, schedule: () => assert.fail('nobody has to wait') })
  const { send, sent, answer: answerOldest } = createStatementSender(scheduler)
  send('long', 'many', 'search')
  const waiting = scheduler.acquire('many', 'search')
  send('one', 'one')
  await nextTick()
  // The other organization queued long ago and is still waiting, which counts as recent use.
  now += 4000
  const refused = assert.rejects(
    waiting,
    (error) => error instanceof SearchCooldownFailure && error.retry_after_s === 10,
  )
  await answerOldest()
  await refused
  await assert.rejects(scheduler.acquire('many', 'search'), SearchCooldownFailure)
  send('list', 'many')
  await nextTick()
  assert.deepEqual(sent, ['long', 'one', 'list'])
  now += 10_000
  await answerOldest()
  send('short', 'many', 'search')
  await answerOldest()
  assert.equal(sent.at(-1), 'short')
})

test('searches of the only active organization are never delayed', async () => {
  let now = 0
  const scheduler = createConnectionScheduler({ now_ms: () => now, schedule: () => assert.fail('nobody has to wait') })
  const { send, sent, answer: answerOldest } = createStatementSender(scheduler)
  for (const name of ['a', 'b', 'c']) send(name, 'many', 'search')
  for (let count = 0; count < 2; count++) {
    await nextTick()
    now += 1000
    await answerOldest()
  }
  assert.deepEqual(sent, ['a', 'b', 'c'])
})

test('organizations that wait for an unscoped statement still count as recent users after a long search', async () => {
  let now = 0
  const scheduler = createConnectionScheduler({ now_ms: () => now, schedule: () => assert.fail('nobody has to wait') })
  const { send, answer: answerOldest } = createStatementSender(scheduler)
  send('list', 'one')
  await answerOldest()
  send('long', 'many', 'search')
  send('units of a limit', null)
  await nextTick()
  now += 5000
  await answerOldest()
  await assert.rejects(scheduler.acquire('many', 'search'), SearchCooldownFailure)
})
