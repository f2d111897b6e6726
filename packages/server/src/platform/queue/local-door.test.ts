import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { askLocalDoor, localDoorPath, openLocalDoor } from './local-door.ts'

const dead = { id: 'a', task: 'orders.fulfil', data: { order_id: 'x' }, error: 'broken', failed_at: new Date(0) }

test('an admin client lists and retries dead tasks over the socket, which only its owner can use', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-socket-'))
  const path = localDoorPath(folder)!
  assert.equal(await askLocalDoor(path, { ask: 'dead' }), null, 'no server is running')

  const revived: string[] = []
  const queue = {
    dead: async () => [dead],
    retry: async (id: string) => {
      if (id === 'worse') throw new Error('the database is gone')
      return revived.push(id) > 0 && id === 'a'
    },
  }
  const door = await openLocalDoor(path, queue)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual(await askLocalDoor(path, { ask: 'dead' }), {
    dead: [{ ...dead, failed_at: '1970-01-01T00:00:00.000Z' }],
  })
  assert.deepEqual(await askLocalDoor(path, { ask: 'retry', id: 'a' }), { revived: true })
  assert.deepEqual(await askLocalDoor(path, { ask: 'retry', id: 'b' }), { revived: false })
  assert.deepEqual(await askLocalDoor(path, { ask: 'retry', id: 'worse' }), { fault: 'the database is gone' })
  assert.deepEqual(revived, ['a', 'b'])

  await door.close()
  assert.equal(await askLocalDoor(path, { ask: 'dead' }), null, 'the server has closed its socket')
  const again = await openLocalDoor(path, queue)
  assert.notEqual(await askLocalDoor(path, { ask: 'dead' }), null, 'a stale socket is replaced')
  await again.close()
  await rm(folder, { recursive: true })
})

test('a path too long for a socket gives null', () => {
  assert.equal(localDoorPath(`/${'deep/'.repeat(40)}`), null)
})
