import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProcessEnvironment } from '../context.ts'

/** The folder of the settings of the command line, as each platform places it. */
export function findConfigFolder(env: ProcessEnvironment, platform: NodeJS.Platform = process.platform): string {
  if (env['SWATH_CONFIG_DIR']) return env['SWATH_CONFIG_DIR']
  if (env['XDG_CONFIG_HOME']) return join(env['XDG_CONFIG_HOME'], 'swath')
  if (platform === 'win32' && env['APPDATA']) return join(env['APPDATA'], 'swath')
  const home = env['HOME'] ?? homedir()
  return platform === 'darwin' ? join(home, 'Library', 'Application Support', 'swath') : join(home, '.config', 'swath')
}

/** Reads a JSON file; the fallback if it does not exist. */
export async function readPrivateJson<T>(path: string, fallback: T): Promise<T> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as T
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fallback
    throw new Error(`${path} cannot be read: ${(error as Error).message}. Remove it and sign in again (swath login).`, {
      cause: error,
    })
  }
}

/** Replaces a JSON file as a whole; only its owner can read it. */
export async function writePrivateJson(path: string, value: unknown): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const next = `${path}.${process.pid}.next`
  await writeFile(next, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  // The mode of a file that existed is not changed by writing it.
  await chmod(next, 0o600)
  await rename(next, path)
}
