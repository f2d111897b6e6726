import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sendAdminRequest, findAdminSocketPath, openAdminSocket } from './admin-socket.ts'

const deadTask = { id: 'a', task: 'orders.fulfil', data: { order_id: 'x' }, error: 'broken', failed_at: new Date(0) }

test('an admin client lists and retries dead tasks over the socket, which only its owner can use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-socket-'))
  const path = findAdminSocketPath(folder)!
  assert.equal(await sendAdminRequest(path, { ask: 'dead' }), null, 'no server is running')

  const retriedIds: string[] = []
  const queue = {
    dead: async () => [deadTask],
    retry: async (id: string) => {
      if (id === 'worse') throw new Error('the database is gone')
      return retriedIds.push(id) > 0 && id === 'a'
    },
    renewTerminalApiKey: async () => 'terminal-key',
  }
  const adminSocket = await openAdminSocket(path, queue)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await sendAdminRequest(path, { ask: 'dead' }), {
    dead: [{ ...deadTask, failed_at: '1970-01-01T00:00:00.000Z' }],
  })
  assert.deepEqual(await sendAdminRequest(path, { ask: 'retry', id: 'a' }), { revived: true })
  assert.deepEqual(await sendAdminRequest(path, { ask: 'retry', id: 'b' }), { revived: false })
  assert.deepEqual(await sendAdminRequest(path, { ask: 'retry', id: 'worse' }), { fault: 'the database is gone' })
  assert.deepEqual(retriedIds, ['a', 'b'])
  assert.deepEqual(await sendAdminRequest(path, { ask: 'terminal-key' }), { terminal_key: 'terminal-key' })

  await adminSocket.close()
  assert.equal(await sendAdminRequest(path, { ask: 'dead' }), null, 'the server has closed its socket')
  const reopenedDatabase = await openAdminSocket(path, queue)
  assert.notEqual(await sendAdminRequest(path, { ask: 'dead' }), null, 'a stale socket is replaced')
  await reopenedDatabase.close()
  await rm(folder, { recursive: true })
})

test('a path too long for a socket gives null', () => {
  assert.equal(findAdminSocketPath(`/${'deep/'.repeat(40)}`), null)
})
