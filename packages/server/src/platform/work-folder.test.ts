import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { removeStaleWorkFolders, withWorkFolder } from './work-folder.ts'

let parent: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'swath-parent-'))
})
afterEach(() => rm(parent, { recursive: true }))

test('a work folder is removed when its work ends or fails', async () => {
  const fill = (folder: string): Promise<void> => writeFile(join(folder, 'scene.tif'), 'x')
  await withWorkFolder(fill, parent)
  const broken = withWorkFolder(async (folder) => {
    await fill(folder)
    throw new Error('broken')
  }, parent)
  await assert.rejects(broken, /broken/)
  assert.deepEqual(await readdir(parent), [])
})

test('folders of killed processes are removed, those of running processes and other machines remain', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version'])
  await withWorkFolder(async (own) => {
    const [, host, pid, start] = /^swath-work-([\w.]+)-(\d+)-(\d+)-/.exec(basename(own))!
    const staleOwners = [`${host}-${dead}-1`, `${host}-${pid}-${Number(start) - 1}`]
    const keptFolders = [`${host}-${process.ppid}-1`, `other-${dead}-1`].map((owner) => `swath-work-${owner}-abcdef`)
    for (const name of [...staleOwners.map((owner) => `swath-work-${owner}-abcdef`), ...keptFolders, 'somebody-else'])
      await mkdir(join(parent, name, 'inner'), { recursive: true })
    assert.equal(await removeStaleWorkFolders(parent), 2)
    assert.deepEqual((await readdir(parent)).sort(), [basename(own), ...keptFolders, 'somebody-else'].sort())
  }, parent)
})
