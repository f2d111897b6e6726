import { link, rm, writeFile } from 'node:fs/promises'
import { newId } from './ids.ts'

/**
 * Writes a file that only its owner can read, unless it exists: the whole text under another name, then linked into place, so that two
 * processes that start at once agree on one. Whoever wants the text reads the file afterwards.
 */
export async function writeOnce(path: string, text: string): Promise<void> {
  const draft = `${path}.${newId()}`
  await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}
