import { link, rm, writeFile } from 'node:fs/promises'
import { newId } from './ids.ts'

/**
 * Writes a file that only its owner can read, unless it exists: the whole text under a temporary name, then linked into
 * place, so that concurrent processes agree on one. Read the file afterwards to get the text that is stored.
 */
export async function writeFileOnce(path: string, text: string): Promise<void> {
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
