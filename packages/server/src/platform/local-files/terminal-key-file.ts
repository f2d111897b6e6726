import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasErrorCode, replacePrivateFile } from './private-file.ts'

/** The credentials with which tools on the machine of the server call it. */
export interface TerminalApiKey {
  /** An API key. */
  readonly key: string
  /** The URL of the server. */
  readonly address: string
}

/** The key is its first line, so that a shell reads it with `head -n 1`; the URL of the server is the second. */
export const getTerminalApiKeyFilePath = (data_dir: string): string => join(data_dir, 'terminal-key')

/** The stored key; null if there is no file. */
export async function readTerminalApiKey(data_dir: string): Promise<TerminalApiKey | null> {
  try {
    const [key = '', address = ''] = (await readFile(getTerminalApiKeyFilePath(data_dir), 'utf8')).split('\n')
    return { key, address }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Stores the key in a file that only its owner can read. */
export const saveTerminalApiKey = (data_dir: string, { key, address }: TerminalApiKey): Promise<void> =>
  replacePrivateFile(getTerminalApiKeyFilePath(data_dir), `${key}\n${address}\n`)
