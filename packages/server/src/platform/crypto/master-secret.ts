import { randomBytes } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { writeOnce } from '../write-once.ts'

const secretBytes = 32

/** The file of the master secret is damaged, or other users of the machine can read it. */
export class MasterSecretFault extends Error {}

async function readSecret(path: string): Promise<Uint8Array | null> {
  let text: string
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
      throw new MasterSecretFault(`${path} is readable by other users; set its mode to 600`)
    }
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new MasterSecretFault(`${path} does not contain 64 hexadecimal digits`)
  return new Uint8Array(Buffer.from(text, 'hex'))
}

/**
 * The secret that all other keys are derived from: `configured` (for several servers that must share it), or the file
 * `master-secret` in the data folder, created at the first start and readable only by its owner.
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
