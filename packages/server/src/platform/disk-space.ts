import { statfs } from 'node:fs/promises'

/** Below this the embedded database cannot create its next WAL segment of 16 MiB, and no useful file fits. */
const min_free_bytes = 32 * 1024 * 1024

/** True if the disk of a folder is nearly full; false if it has space or does not report it. */
export async function isDiskNearlyFull(folder: string, required_bytes = min_free_bytes): Promise<boolean> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder)
    // A file system that reports no blocks does not report its free space.
    return blocks > 0 && bavail * bsize < required_bytes
  } catch {
    return false
  }
}
