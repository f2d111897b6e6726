import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/** The cost of one hash: memory in KiB, passes over it, and lanes. */
export interface PasswordCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** The minimum that OWASP recommends for argon2id (19 MiB, 2, 1). */
const owasp_password_cost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }

/** The minimum of argon2id, for tests only: sixty times cheaper. */
export const min_password_cost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }

/** Hashes and verifies passwords. */
export interface PasswordHasher {
  /**
   * Hashes a password with argon2id, off the main thread, in PHC format (`$argon2id$v=19$m=19456,t=2,p=1$salt$hash`).
   * `sender` identifies the client for fair scheduling. Throws a RangeError for input longer than `max_password_bytes`.
   */
  hash(password: string, sender?: string): Promise<string>
  /**
   * True if the password matches the stored hash. With `null` (no such user) or a damaged hash the same work is done
   * against a decoy, so that timing does not reveal which users exist.
   */
  verify(password: string, stored: string | null, sender?: string): Promise<boolean>
  /** True if a stored hash has another cost than the current one; hash again at the next successful sign-in. */
  needsNewHash(stored: string): boolean
}

const salt_bytes = 16
const hash_bytes = 32

/** A stored hash with a higher cost than this is damaged or hostile. */
const maxCost = { memory: 1_048_576, passes: 16, parallelism: 16 } as const

/** Longer input only costs time. In bytes of UTF-8. */
export const max_password_bytes = 1024

interface StoredPassword extends PasswordCost {
  readonly salt: Buffer
  readonly hash: Buffer
}

/** Normalizes with NFKC, as NIST SP 800-63B requires, so that the same text from two keyboards gives the same bytes. */
const toBytes = (password: string): Buffer => Buffer.from(password.normalize('NFKC'), 'utf8')

function deriveHash(message: Buffer, stored: Omit<StoredPassword, 'hash'>, length: number): Promise<Buffer> {
  const { memory, passes, parallelism, salt } = stored
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: length }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

const toUnpaddedBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** Null if the text is not an argon2id hash in PHC format within bounds. */
function parseStored(text: string): StoredPassword | null {
  const phcPattern =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/
  const match = phcPattern.exec(text)
  if (!match) return null
  const [memory, passes, parallelism] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (memory > maxCost.memory || passes > maxCost.passes || parallelism > maxCost.parallelism) return null
  if (memory < 8 * parallelism || passes < 1 || parallelism < 1) return null
  return { memory, passes, parallelism, salt: Buffer.from(match[4]!, 'base64'), hash: Buffer.from(match[5]!, 'base64') }
}

/** Hashes with this cost; verifies hashes of any cost within bounds. */
export function createPasswordHasher(cost: PasswordCost = owasp_password_cost): PasswordHasher {
  const { memory, passes, parallelism } = cost
  const decoy: StoredPassword = { ...cost, salt: Buffer.alloc(salt_bytes, 1), hash: Buffer.alloc(hash_bytes) }
  return {
    async hash(password) {
      const message = toBytes(password)
      if (message.length > max_password_bytes) {
        throw new RangeError(`a password must have at most ${max_password_bytes} bytes`)
      }
      const salt = randomBytes(salt_bytes)
      const hash = await deriveHash(message, { ...cost, salt }, hash_bytes)
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(hash)}`
    },
    async verify(password, stored) {
      const parsed = stored === null ? null : parseStored(stored)
      const message = toBytes(password)
      const isShortEnough = message.length <= max_password_bytes
      const expected = parsed ?? decoy
      const hash = await deriveHash(isShortEnough ? message : Buffer.alloc(1), expected, expected.hash.length)
      return timingSafeEqual(hash, expected.hash) && parsed !== null && isShortEnough
    },
    needsNewHash(stored) {
      const parsed = parseStored(stored)
      if (!parsed) return true
      return parsed.memory !== memory || parsed.passes !== passes || parsed.parallelism !== parallelism
    },
  }
}
