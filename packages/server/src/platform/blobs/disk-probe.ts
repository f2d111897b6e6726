import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskNearlyFull } from '../disk-space.ts'
import { randomText } from '../ids.ts'

/**
 * Creates a function that throws if the folders of the store cannot be used: they may be on a separately mounted disk that
 * is missing, full or read-only. Only one probe runs at a time, because each probe of a hanging disk would block one of
 * the few threads of the file system pool.
 */
export function createBlobFolderProbe(objects: string, drafts: string, isFull = isDiskNearlyFull): () => Promise<void> {
  let running: Promise<void> | null = null
  const probe = async (): Promise<void> => {
    if (await isFull(objects)) throw new Error('the disk of the blob store is full')
    await readdir(objects)
    const draft = join(drafts, `probe-${randomText(22)}`)
    try {
      // Writing a byte detects a quota or a read-only remount, which permissions and free blocks do not show.
      await writeFile(draft, '.')
    } finally {
      await rm(draft, { force: true })
    }
  }
  return () => {
    running ??= probe().finally(() => {
      running = null
    })
    return running
  }
}
