import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { acquireFolderLock } from './folder-lock.mjs'

const module = fileURLToPath(new URL('./folder-lock.mjs', import.meta.url))

/** A process that takes the lock and says so; `keeps` ends it without a release. */
const spawnHolder = (root: string, keeps: boolean) =>
  spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { acquireFolderLock } from ${JSON.stringify(module)}
     const release = acquireFolderLock(${JSON.stringify(root)}, 'test')
     process.stdout.write('taken')
     ${keeps ? 'process.kill(process.pid, "SIGKILL")' : 'release()'}`,
  ])

test('a second process waits for the lock until the first releases it', async () => {
  const root = await mkdtemp(join(tmpdir(), 'swath-lock-'))
  const release = acquireFolderLock(root, 'test')
  const other = spawnHolder(root, false)
  let isTaken = false
  other.stdout.on('data', () => (isTaken = true))
  await sleep(1000)
  assert.equal(isTaken, false)
  release()
  await once(other, 'close')
  assert.equal(isTaken, true)
  await rm(root, { recursive: true })
})

test('the lock of a process that was killed is taken over', async () => {
  const root = await mkdtemp(join(tmpdir(), 'swath-lock-'))
  await once(spawnHolder(root, true), 'close')
  acquireFolderLock(root, 'test')()
  await rm(root, { recursive: true })
})
