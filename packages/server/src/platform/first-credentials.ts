import { chmod, link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { randomText } from './ids.ts'

/** The credentials of the administrator after the first start. */
export interface FirstCredentials {
  readonly address: string
  readonly username: string
  readonly password: string
}

export const credentialsFile = (data_dir: string): string => join(data_dir, 'first-credentials.json')

/** The file as a page may name it: below the folder that the server was started in, or by its name alone. */
export const credentialsFileName = (data_dir: string): string =>
  isAbsolute(data_dir) ? basename(credentialsFile(data_dir)) : credentialsFile(data_dir)

const hasErrorCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

async function readCredentials(path: string): Promise<FirstCredentials | null> {
  try {
    const stored = JSON.parse(await readFile(path, 'utf8')) as Partial<FirstCredentials>
    const { address = '', username, password } = stored
    return typeof username === 'string' && typeof password === 'string' ? { address, username, password } : null
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT') || error instanceof SyntaxError) return null
    throw error
  }
}

/** Writes the file under a temporary name, readable only by its owner; `moveIntoPlace` then moves it. */
async function writeDraft(path: string, content: FirstCredentials, moveIntoPlace: (draft: string) => Promise<void>) {
  const draft = `${path}.${process.pid}.${randomText(8)}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(content, null, 2)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await moveIntoPlace(draft)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * The password for the first administrator, stored on disk before the user is created. If an earlier start was
 * interrupted, or another one runs at the same time, its password is used.
 */
export async function saveFirstPassword(data_dir: string, username: string, address: string): Promise<string> {
  const path = credentialsFile(data_dir)
  await mkdir(data_dir, { recursive: true, mode: 0o700 })
  const existing = await readCredentials(path)
  if (existing?.username === username) {
    await chmod(path, 0o600)
    return existing.password
  }
  // The file belongs to another user, or is damaged.
  await rm(path, { force: true })
  const created = { address, username, password: randomText(20) }
  await writeDraft(path, created, (draft) =>
    link(draft, path).catch((error: unknown) => {
      if (!hasErrorCode(error, 'EEXIST')) throw error
    }),
  )
  return (await readCredentials(path))?.password ?? created.password
}

/** Saves the credentials with the URL of the server, once it is known. */
export async function saveFirstCredentials(data_dir: string, credentials: FirstCredentials): Promise<void> {
  const path = credentialsFile(data_dir)
  await writeDraft(path, credentials, (draft) => rename(draft, path))
}

/** Updates the stored URL if a later start listens on another one. */
export async function updateFirstCredentialsUrl(data_dir: string, address: string): Promise<void> {
  const stored = await readCredentials(credentialsFile(data_dir))
  if (stored && stored.address !== address) await saveFirstCredentials(data_dir, { ...stored, address })
}
