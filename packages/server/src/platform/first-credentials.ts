import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomText } from './ids.ts'

/** How to get into a house that was started for the first time. */
export interface FirstCredentials {
  readonly address: string
  readonly username: string
  readonly password: string
}

export const credentialsFile = (data_dir: string): string => join(data_dir, 'first-credentials.json')

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

async function readCredentials(path: string): Promise<FirstCredentials | null> {
  try {
    const kept = JSON.parse(await readFile(path, 'utf8')) as Partial<FirstCredentials>
    const { address = '', username, password } = kept
    return typeof username === 'string' && typeof password === 'string' ? { address, username, password } : null
  } catch (error) {
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return null
    throw error
  }
}

/** Writes the whole file under another name, readable by its owner only, and lets `place` put it where it belongs. */
async function writeDraft(path: string, content: FirstCredentials, place: (draft: string) => Promise<void>) {
  const draft = `${path}.${process.pid}.${randomText(8)}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await place(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * The password of a first administrator that is about to be made, on disk before anybody exists who has it. A start that
 * broke off left its file behind: the next one, or another one at the same time, takes the password from there.
 */
export async function keepFirstPassword(data_dir: string, username: string, address: string): Promise<string> {
  const path = credentialsFile(data_dir)
  await mkdir(data_dir, { recursive: true, mode: 0o700 })
  const found = await readCredentials(path)
  if (found?.username === username) {
    await chmod(path, 0o600)
    return found.password
  }
  // What lies there is for somebody else, or torn.
  await rm(path, { force: true })
  const made = { address, username, password: randomText(20) }
  await writeDraft(path, made, (draft) =>
    link(draft, path).catch((error: unknown) => {
      if (!isCode(error, 'EEXIST')) throw error
    }),
  )
  return (await readCredentials(path))?.password ?? made.password
}

/** Says where the house listens, once that is known. */
export async function keepFirstCredentials(data_dir: string, credentials: FirstCredentials): Promise<void> {
  const path = credentialsFile(data_dir)
  await writeDraft(path, credentials, (draft) => rename(draft, path))
}

/** A later start may listen elsewhere; what is kept follows it. */
export async function keepAddress(data_dir: string, address: string): Promise<void> {
  const kept = await readCredentials(credentialsFile(data_dir))
  if (kept && kept.address !== address) await keepFirstCredentials(data_dir, { ...kept, address })
}
