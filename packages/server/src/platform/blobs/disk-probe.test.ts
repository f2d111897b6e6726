import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createBlobFolderProbe } from './disk-probe.ts'

test('ping rejects when the disk is missing, full or not writable', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'swath-probe-'))
  const [objects, drafts] = [join(folder, 'objects'), join(folder, 'drafts')]
  for (const path of [objects, drafts]) await mkdir(path)
  const ping = createBlobFolderProbe(objects, drafts)
  await ping()
  assert.deepEqual(await readdir(drafts), [])
  await assert.rejects(createBlobFolderProbe(objects, drafts, async () => true)(), /the disk of the blob store is full/)
  for (const path of [objects, drafts]) {
    await rename(path, `${path}-away`)
    await assert.rejects(ping(), /ENOENT/)
    await rename(`${path}-away`, path)
  }
  await ping()
  await rm(folder, { recursive: true })
})

test('concurrent pings of a hanging disk share one probe', async () => {
  let probes = 0
  let resolveProbe = (_full: boolean): void => undefined
  const hanging = createBlobFolderProbe('/', '/', (): Promise<boolean> => {
    probes++
    return new Promise((resolve) => (resolveProbe = resolve))
  })
  const pings = [hanging(), hanging(), hanging()]
  assert.equal(probes, 1)
  resolveProbe(true)
  assert.equal((await Promise.allSettled(pings)).filter(({ status }) => status === 'rejected').length, 3)
  const nextPing = hanging()
  assert.equal(probes, 2)
  resolveProbe(true)
  await assert.rejects(nextPing)
})
