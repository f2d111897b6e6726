import { statfs } from 'node:fs/promises'

/** Below this the embedded database cannot begin its next segment of 16 MiB, and a file of any use does not fit. */
const least_bytes = 32 * 1024 * 1024

/** True where the disk of a folder is as good as full; false where it has room or does not say. */
export async function isDiskFull(folder: string, needed_bytes = least_bytes): Promise<boolean> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder)
    // A file system that counts no blocks says nothing about its room.
    return blocks > 0 && bavail * bsize < needed_bytes
  } catch {
    return false
  }
}
