import assert from 'node:assert/strict'
import { mkdir, mkdtemp, open, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { systemClock } from './clock.ts'
import { newId } from './ids.ts'
import { removeLegacyWorkFolders } from './legacy-work-folders.ts'

let parent: string
beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'swath-parent-')))
})
afterEach(() => rm(parent, { recursive: true }))

async function make(name: string): Promise<string> {
  await mkdir(join(parent, name, '1'), { recursive: true })
  const file = join(parent, name, '1', 'scene.tif')
  await writeFile(file, 'x')
  return file
}

test('folders of older versions are removed, except those in use and those of other programs', async () => {
  const [upload, used] = [`swath-upload-${newId()}`, `swath-upload-${newId()}`]
  const others = ['swath-upload-proof-abcdef', 'swath-delivery', 'swath-blobs-abcdef', `x-swath-upload-${newId()}`]
  for (const name of [upload, 'swath-delivery-aB3x_9', ...others]) await make(name)
  const file = await open(await make(used), 'r')
  try {
    if (process.platform === 'linux') assert.equal(await removeLegacyWorkFolders(systemClock, parent), 2)
    // Without /proc, a folder that was modified within a day is kept.
    const nowhere = join(parent, 'no-such-folder')
    assert.equal(await removeLegacyWorkFolders(systemClock, parent, nowhere), 0)
    assert.deepEqual(
      (await readdir(parent)).sort(),
      (process.platform === 'linux' ? [used, ...others] : await readdir(parent)).toSorted(),
    )
    const later = { now: () => new Date(systemClock.now().getTime() + 25 * 3_600_000) }
    await removeLegacyWorkFolders(later, parent, nowhere)
    assert.deepEqual((await readdir(parent)).sort(), others.toSorted())
  } finally {
    await file.close()
  }
})
