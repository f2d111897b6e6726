import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SearchCooldown } from '../failures.ts'
import { openTurns, type Sending, type Turns } from './turns.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Sends statements that the test answers one by one, in the order in which they were sent. */
function statementsOn(turns: Turns) {
  const sent: string[] = []
  const answers: (() => void)[] = []
  return {
    sent,
    send: (name: string, organization: string | null, sending?: Sending): void => {
      void turns.take(organization, sending).then((turn) => {
        sent.push(name)
        answers.push(turn.sent())
        turn.release()
      })
    },
    answer: async (): Promise<void> => {
      await settled()
      answers.shift()!()
      await settled()
    },
  }
}

test('many statements of one organization delay another organization only by those already sent', async () => {
  const { send, sent, answer } = statementsOn(openTurns())
  for (let count = 0; count < 100; count++) send(`many ${count}`, 'many')
  await settled()
  assert.deepEqual(sent, ['many 0', 'many 1'])
  send('one', 'one')
  send('all', null)
  for (let count = 0; count < 3; count++) await answer()
  assert.deepEqual(sent.slice(2), ['all', 'many 2', 'one'])
})

test('nothing is sent while a search is running', async () => {
  const { send, sent, answer } = statementsOn(openTurns())
  send('search', 'many', 'search')
  send('list', 'many')
  send('one', 'one')
  await settled()
  assert.deepEqual(sent, ['search'])
  await answer()
  assert.deepEqual(sent, ['search', 'list', 'one'])
})

test('a transaction holds the connection until release, and a second release has no effect', async () => {
  const turns = openTurns()
  const { release } = await turns.take('one')
  const { send, sent } = statementsOn(turns)
  send('other', 'other')
  await settled()
  assert.deepEqual(sent, [])
  release()
  release()
  await settled()
  assert.deepEqual(sent, ['other'])
})

test('after a long search, the next search of the organization is delayed while others use the database', async () => {
  let now = 0
  const wakes: { work: () => void; delay_ms: number }[] = []
  const turns = openTurns({ now_ms: () => now, later: (work, delay_ms) => void wakes.push({ work, delay_ms }) })
  const { send, sent, answer } = statementsOn(turns)
  send('long', 'many', 'search')
  send('one', 'one')
  await settled()
  now += 600
  await answer()
  send('again', 'many', 'search')
  send('list', 'many')
  await answer()
  await answer()
  assert.deepEqual(sent, ['long', 'one', 'list'])
  assert.deepEqual(
    wakes.map(({ delay_ms }) => delay_ms),
    [1800],
  )
  now += 1000
  send('still here', 'one')
  await answer()
  now += 800
  wakes[0]!.work()
  await settled()
  assert.deepEqual(sent, ['long', 'one', 'list', 'still here', 'again'])
})

test('a quick search is not delayed because of a slow statement before it', async () => {
  let now = 0
  const turns = openTurns({ now_ms: () => now, later: () => assert.fail('nobody has to wait') })
  const { send, sent, answer } = statementsOn(turns)
  send('slow', 'many')
  await settled()
  send('quick', 'one', 'search')
  await settled()
  now += 4000
  await answer()
  now += 5
  await answer()
  send('again', 'one', 'search')
  await settled()
  assert.deepEqual(sent, ['slow', 'quick', 'again'])
})

test('a search with a long cooldown is rejected with a retry time, and other statements run', async () => {
  let now = 0
  const turns = openTurns({ now_ms: () => now, later: () => assert.fail('nobody has to wait') })
  const { send, sent, answer } = statementsOn(turns)
  send('long', 'many', 'search')
  const waiting = turns.take('many', 'search')
  send('one', 'one')
  await settled()
  // The other organization queued long ago and is still waiting, which counts as recent use.
  now += 4000
  const refused = assert.rejects(waiting, (error) => error instanceof SearchCooldown && error.retry_after_s === 10)
  await answer()
  await refused
  await assert.rejects(turns.take('many', 'search'), SearchCooldown)
  send('list', 'many')
  await settled()
  assert.deepEqual(sent, ['long', 'one', 'list'])
  now += 10_000
  await answer()
  send('short', 'many', 'search')
  await answer()
  assert.equal(sent.at(-1), 'short')
})

test('searches of the only active organization are never delayed', async () => {
  let now = 0
  const turns = openTurns({ now_ms: () => now, later: () => assert.fail('nobody has to wait') })
  const { send, sent, answer } = statementsOn(turns)
  for (const name of ['a', 'b', 'c']) send(name, 'many', 'search')
  for (let count = 0; count < 2; count++) {
    await settled()
    now += 1000
    await answer()
  }
  assert.deepEqual(sent, ['a', 'b', 'c'])
})

test('organizations that wait for an unscoped statement still count as recent users after a long search', async () => {
  let now = 0
  const turns = openTurns({ now_ms: () => now, later: () => assert.fail('nobody has to wait') })
  const { send, answer } = statementsOn(turns)
  send('list', 'one')
  await answer()
  send('long', 'many', 'search')
  send('units of a limit', null)
  await settled()
  now += 5000
  await answer()
  await assert.rejects(turns.take('many', 'search'), SearchCooldown)
})
