import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a small file in one step: after a crash there is the old text or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`
  {
    await using file = await open(temporary, 'w', 0o600)
    await file.writeFile(text)
    await file.sync()
  }
  await rename(temporary, path)
  await syncFolder(dirname(path))
}

/** Makes a rename last over a power failure, where the system can do that. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null)
  // Windows opens no folders; its file systems log renames.
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

export const removeFile = (path: string): Promise<void> => rm(path, { force: true })
