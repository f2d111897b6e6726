import { randomBytes } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeOnce } from '../write-once.ts'

const secretBytes = 32

/** The file that holds the master secret is damaged, or other people of the machine can read it. */
export class MasterSecretFault extends Error {}

async function readSecret(path: string): Promise<Uint8Array | null> {
  let text: string
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
      throw new MasterSecretFault(`${path} can be read by others; give it the mode 600`)
    }
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new MasterSecretFault(`${path} does not hold 64 hexadecimal digits`)
  return new Uint8Array(Buffer.from(text, 'hex'))
}

/**
 * The secret that every other key of the house is derived from: `given` (from the configuration, for several servers
 * that must agree) or the file `master-secret` in the data folder, made at first start and readable by its owner only.
 */
export async function openMasterSecret(dataDir: string, given: string | null = null): Promise<Uint8Array> {
  if (given !== null) return new Uint8Array(Buffer.from(given, 'utf8'))
  const path = join(dataDir, 'master-secret')
  const found = await readSecret(path)
  if (found) return found
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeOnce(path, `${randomBytes(secretBytes).toString('hex')}\n`)
  const made = await readSecret(path)
  if (!made) throw new MasterSecretFault(`${path} could not be written`)
  return made
}
