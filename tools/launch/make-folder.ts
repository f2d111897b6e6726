import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { computeFingerprint, fingerprintName, isBuilt, type Build } from './builds.mjs'
import { acquireFolderLock } from './folder-lock.mjs'

/**
 * Makes the folder of a build again: beside the present one, which it replaces when all of it is there, because a
 * server may be running. With `--if-stale` among the arguments only if the sources changed. If `make` throws, nothing
 * is changed.
 *
 * @param root folder of package.json
 * @param make writes all files into the folder that is passed.
 */
export async function makeFolder(root: string, build: Build, make: (folder: string) => Promise<void>): Promise<void> {
  const folder = join(root, build.folder)
  const [next, previous] = [`${folder}-next`, `${folder}-previous`]
  // Two at once would write into each other's folders.
  const release = acquireFolderLock(root, build.name)
  try {
    if (process.argv.includes('--if-stale') && isBuilt(root, build)) return
    // Of the sources as they were before they were read.
    const fingerprint = computeFingerprint(root, build)
    await rm(next, { recursive: true, force: true })
    await mkdir(next, { recursive: true })
    await make(next)
    await writeFile(join(next, fingerprintName), fingerprint)
    await rm(previous, { recursive: true, force: true })
    await rename(folder, previous).catch(ignoreMissing)
    await rename(next, folder)
    await rm(previous, { recursive: true, force: true })
  } finally {
    release()
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
