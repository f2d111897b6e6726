import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseFailure } from '../failures.ts'
import { openBridge } from './bridge.ts'
import type { OpenThread, ThreadEvents } from './thread.ts'

const engine = { dir: '/nowhere', bundle: '', durable: false, storage: 'folder' } as const
const script = { kind: 'script', session: { eyes: 'owner', organization: null }, text: '', alone: true } as const
const limit = { limit_ms: 60_000 }

test('a database that cannot be reopened reports the cause and is retried once its disk has space', async () => {
  let hasRoom = true
  let events: ThreadEvents | undefined
  const openThread: OpenThread = async (_engine, given) => {
    if (!hasRoom) throw new DatabaseFailure('disk-full', 'the disk is full')
    events = given
    return {
      send: ({ id }) => given.onReply({ kind: 'answer', id, outcomes: [] }),
      begun: () => 0,
      syncs: () => 0,
      keepAlive: () => undefined,
      end: async () => undefined,
    }
  }
  const isFull = (error: unknown): boolean => error instanceof DatabaseFailure && error.failure === 'disk-full'
  const bridge = await openBridge({ engine, openThread, reviveAfter_ms: 0, onReopen: () => undefined })
  assert.deepEqual(await bridge.post(script, limit), [])
  hasRoom = false
  events?.onGone('the engine broke')
  await assert.rejects(bridge.post(script, limit), isFull)
  await assert.rejects(bridge.post(script, limit), isFull)
  hasRoom = true
  assert.deepEqual(await bridge.post(script, limit), [])
  await bridge.close()
})
