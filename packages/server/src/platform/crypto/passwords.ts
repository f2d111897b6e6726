import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'

/** What one hash costs whoever makes it: memory in KiB, passes over it, and lanes. */
export interface PasswordCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** The minimum that OWASP names for argon2id (19 MiB, 2, 1). */
const owaspCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }

/** The least that argon2id takes, for tests: sixty times cheaper, and good for nothing else. */
export const minimalCost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }

/** Makes and checks stored passwords. */
export interface PasswordHasher {
  /**
   * `sender` is who asks, where turns are taken. Hashes a password with argon2id, off the main thread, into the PHC form
   * `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. Throws a RangeError for input longer than `longestPassword_bytes`.
   */
  hash(password: string, sender?: string): Promise<string>
  /**
   * True when the password fits the stored hash. With `null` (no such person) or a damaged hash the same work is done
   * against a decoy, so that the time tells nobody who exists.
   */
  verify(password: string, stored: string | null, sender?: string): Promise<boolean>
  /** True when a stored hash was made with another cost than today's; hash again at the next successful sign-in. */
  needsNewHash(stored: string): boolean
}

const saltBytes = 16
const hashBytes = 32

/** A stored hash that asks for more than this is damaged or hostile, never ours. */
const ceiling = { memory: 1_048_576, passes: 16, parallelism: 16 } as const

/** Longer input is never a password; it would only cost time. In bytes of UTF-8. */
export const longestPassword_bytes = 1024

interface StoredPassword extends PasswordCost {
  readonly salt: Buffer
  readonly hash: Buffer
}

/** The same text typed on two keyboards gives the same bytes (NFKC, as NIST SP 800-63B asks). */
const bytesOf = (password: string): Buffer => Buffer.from(password.normalize('NFKC'), 'utf8')

function derive(message: Buffer, stored: Omit<StoredPassword, 'hash'>, length: number): Promise<Buffer> {
  const { memory, passes, parallelism, salt } = stored
  return new Promise((resolve, reject) => {
    argon2('argon2id', { message, nonce: salt, memory, passes, parallelism, tagLength: length }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** Null where the text is not an argon2id hash in PHC form within bounds. */
function parseStored(text: string): StoredPassword | null {
  const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/
  const match = form.exec(text)
  if (!match) return null
  const [memory, passes, parallelism] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (memory > ceiling.memory || passes > ceiling.passes || parallelism > ceiling.parallelism) return null
  if (memory < 8 * parallelism || passes < 1 || parallelism < 1) return null
  return { memory, passes, parallelism, salt: Buffer.from(match[4]!, 'base64'), hash: Buffer.from(match[5]!, 'base64') }
}

/** Hashes at this cost; verifies hashes of any cost within bounds. */
export function createPasswordHasher(cost: PasswordCost = owaspCost): PasswordHasher {
  const { memory, passes, parallelism } = cost
  const decoy: StoredPassword = { ...cost, salt: Buffer.alloc(saltBytes, 1), hash: Buffer.alloc(hashBytes) }
  return {
    async hash(password) {
      const message = bytesOf(password)
      if (message.length > longestPassword_bytes) {
        throw new RangeError(`a password has at most ${longestPassword_bytes} bytes`)
      }
      const salt = randomBytes(saltBytes)
      const hash = await derive(message, { ...cost, salt }, hashBytes)
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`
    },
    async verify(password, stored) {
      const parsed = stored === null ? null : parseStored(stored)
      const message = bytesOf(password)
      const fits = message.length <= longestPassword_bytes
      const against = parsed ?? decoy
      const hash = await derive(fits ? message : Buffer.alloc(1), against, against.hash.length)
      return timingSafeEqual(hash, against.hash) && parsed !== null && fits
    },
    needsNewHash(stored) {
      const parsed = parseStored(stored)
      if (!parsed) return true
      return parsed.memory !== memory || parsed.passes !== passes || parsed.parallelism !== parallelism
    },
  }
}
