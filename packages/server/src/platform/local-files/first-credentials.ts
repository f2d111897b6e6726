import { chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { randomText } from '../ids.ts'
import { createPrivateFile, hasErrorCode, replacePrivateFile } from './private-file.ts'

/** The credentials of the administrator after the first start. */
export interface FirstCredentials {
  readonly address: string
  readonly username: string
  readonly password: string
}

export const getCredentialsFilePath = (data_dir: string): string => join(data_dir, 'first-credentials.json')

/** The file as a page may name it: below the folder that the server was started in, or by its name alone. */
export const formatCredentialsFileName = (data_dir: string): string =>
  isAbsolute(data_dir) ? basename(getCredentialsFilePath(data_dir)) : getCredentialsFilePath(data_dir)

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

const toText = (content: FirstCredentials): string => `${JSON.stringify(content, null, 2)}\n`

/**
 * The password for the first administrator, stored on disk before the user is created. If an earlier start was
 * interrupted, or another one runs at the same time, its password is used.
 */
export async function saveFirstPassword(data_dir: string, username: string, address: string): Promise<string> {
  const path = getCredentialsFilePath(data_dir)
  await mkdir(data_dir, { recursive: true, mode: 0o700 })
  const existing = await readCredentials(path)
  if (existing?.username === username) {
    await chmod(path, 0o600)
    return existing.password
  }
  // The file belongs to another user, or is damaged.
  await rm(path, { force: true })
  const created = { address, username, password: randomText(20) }
  await createPrivateFile(path, toText(created))
  return (await readCredentials(path))?.password ?? created.password
}

/** Saves the credentials with the URL of the server, once it listens. */
export async function saveFirstCredentials(data_dir: string, credentials: FirstCredentials): Promise<void> {
  await replacePrivateFile(getCredentialsFilePath(data_dir), toText(credentials))
}

/** Updates the stored URL if a later start listens on another one. */
export async function updateFirstCredentialsUrl(data_dir: string, address: string): Promise<void> {
  const stored = await readCredentials(getCredentialsFilePath(data_dir))
  if (stored && stored.address !== address) await saveFirstCredentials(data_dir, { ...stored, address })
}
