import { randomBytes } from 'node:crypto'
import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { CurrentAndAcceptedKeys } from './signatures.ts'
import { writeFileOnce } from '../write-file-once.ts'

const secret_bytes = 32

/** The file of the master secret is damaged, or other users of the machine can read it. */
export class MasterSecretError extends Error {}

async function readSecret(path: string): Promise<Uint8Array | null> {
  let text: string
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0 && process.platform !== 'win32') {
      throw new MasterSecretError(`${path} is readable by other users; set its mode to 600`)
    }
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  if (!/^[0-9a-f]{64}$/.test(text)) throw new MasterSecretError(`${path} does not contain 64 hexadecimal digits`)
  return new Uint8Array(Buffer.from(text, 'hex'))
}

/**
 * The secret that all other keys are derived from: `configured` (for several servers that must share it), or the file
 * `master-secret` in the data folder, created at the first start and readable only by its owner.
 */
export async function loadMasterSecret(dataDir: string, configured: string | null = null): Promise<Uint8Array> {
  if (configured !== null) return new Uint8Array(Buffer.from(configured, 'utf8'))
  const path = join(dataDir, 'master-secret')
  const existing = await readSecret(path)
  if (existing) return existing
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeFileOnce(path, `${randomBytes(secret_bytes).toString('hex')}\n`)
  const created = await readSecret(path)
  if (!created) throw new MasterSecretError(`${path} could not be written`)
  return created
}

/** The file of the replaced secret in the data folder. */
const previousSecretFile = 'master-secret-previous'

/**
 * The secret of `loadMasterSecret`, and the one that it replaces: the setting, or the file `master-secret-previous` in
 * the data folder. Tokens and texts made with it are accepted, and no new ones are made with it.
 */
export async function loadMasterSecrets({
  data_dir,
  secret,
  secret_previous: previous,
}: Pick<Config, 'data_dir' | 'secret' | 'secret_previous'>): Promise<CurrentAndAcceptedKeys> {
  const current = await loadMasterSecret(data_dir, secret)
  const replaced =
    previous === null ? await readSecret(join(data_dir, previousSecretFile)) : new Uint8Array(Buffer.from(previous))
  return replaced === null ? [current] : [current, replaced]
}
