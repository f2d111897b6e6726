import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseFailure } from '../failures.ts'
import { openDatabaseEngineClient } from './engine-client.ts'
import type { DatabaseEngineThreadOpener, DatabaseEngineThreadEvents } from './thread.ts'

const engine = { dir: '/nowhere', bundle: '', durable: false, storage: 'folder' } as const
const script = { kind: 'script', session: { role: 'owner', organization: null }, text: '', alone: true } as const
const options = { timeout_ms: 60_000 }

test('a database that cannot be reopened reports the cause and is retried once its disk has space', async () => {
  let hasSpace = true
  let events: DatabaseEngineThreadEvents | undefined
  const openEngineThread: DatabaseEngineThreadOpener = async (_engine, threadEvents) => {
    if (!hasSpace) throw new DatabaseFailure('disk-full', 'the disk is full')
    events = threadEvents
    return {
      send: ({ id }) => threadEvents.onReply({ kind: 'answer', id, outcomes: [] }),
      begun: () => 0,
      syncs: () => 0,
      keepAlive: () => undefined,
      end: async () => undefined,
    }
  }
  const isFull = (error: unknown): boolean => error instanceof DatabaseFailure && error.failure === 'disk-full'
  const engineClient = await openDatabaseEngineClient({
    engine,
    openThread: openEngineThread,
    reopen_delay_ms: 0,
    onReopen: () => undefined,
  })
  assert.deepEqual(await engineClient.post(script, options), [])
  const { ready_ms } = engineClient
  hasSpace = false
  events?.onEnded('the engine broke')
  await assert.rejects(engineClient.post(script, options), isFull)
  await assert.rejects(engineClient.post(script, options), isFull)
  assert.equal(engineClient.ready_ms, ready_ms)
  hasSpace = true
  assert.deepEqual(await engineClient.post(script, options), [])
  assert.ok(engineClient.ready_ms > ready_ms)
  await engineClient.close()
})
