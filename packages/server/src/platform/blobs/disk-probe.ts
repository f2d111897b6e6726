import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '../disk-room.ts'
import { randomText } from '../ids.ts'

/**
 * A function that throws where the folders of a store cannot be used: they may lie on another disk than the rest of the
 * data, mounted from elsewhere, and that one may be gone, full or read-only. One probe at a time: each probe of a disk that
 * hangs would hold one of the few threads that all files are read by.
 */
export function diskProbe(objects: string, drafts: string, isFull = isDiskFull): () => Promise<void> {
  let running: Promise<void> | null = null
  const probe = async (): Promise<void> => {
    if (await isFull(objects)) throw new Error('the disk of the store of files is full')
    await readdir(objects)
    const draft = join(drafts, `probe-${randomText(22)}`)
    try {
      // What permissions and free blocks do not tell, such as a quota or a disk that turned read-only, a byte does.
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
