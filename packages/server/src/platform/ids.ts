import { createHash, randomBytes, randomUUID } from 'node:crypto'

let lastTime_ms = 0
let sequence = 0

/**
 * A UUID of version 7 (RFC 9562): 48 bits of Unix milliseconds, a sequence of 12 bits, 62 random bits. Within a process
 * every id is greater than the one before (the sequence starts in its lower half each millisecond, and overflows into the
 * next millisecond), so that sorting by id sorts by creation. The random part is that of a version 4 UUID, whose entropy
 * Node draws in bulk.
 */
export function newId(): string {
  const random = randomUUID()
  const now_ms = Date.now()
  if (now_ms > lastTime_ms) {
    lastTime_ms = now_ms
    sequence = Number.parseInt(random.slice(15, 18), 16) >> 1
  } else if (++sequence > 0xfff) {
    lastTime_ms++
    sequence = 0
  }
  const time = lastTime_ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}${random.slice(18)}`
}

/** The smallest id that can be made at the time of an id of version 7, less a duration, which may be negative. */
export function findLowestIdBefore(id: string, duration_ms: number): string {
  const time_ms = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  const time = Math.max(0, time_ms - duration_ms)
    .toString(16)
    .padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}

/** The clocks of two processes differ by less. */
const max_clock_difference_ms = 86_400_000

/** True for a UUID of version 7, which begins with its time. */
export const isTimeOrderedUuid = (id: string): boolean => isUuid(id) && id.charCodeAt(14) === 0x37

/**
 * The smallest id that something can have which was made after an entity, by the id of the entity: so that partitions of earlier days
 * are not read. Ids that have no time limit nothing.
 */
export const findLowestIdAfter = (entity_id: string): string =>
  isTimeOrderedUuid(entity_id)
    ? findLowestIdBefore(entity_id, max_clock_difference_ms)
    : '00000000-0000-0000-0000-000000000000'

/** True for an id of version 7 that was made longer ago than a duration. */
export const isIdOlderThan = (id: string, duration_ms: number): boolean =>
  isTimeOrderedUuid(id) && id.toLowerCase() < findLowestIdBefore(newId(), duration_ms)

/**
 * The id of a sandbox organization: a UUID of version 8 (RFC 9562), whose other bits are those of `newId`. The version is the
 * mark of a sandbox, so that every process knows one from its id, and no organization can become one or cease to be one.
 */
export function createSandboxUuid(): string {
  const id = newId()
  return `${id.slice(0, 14)}8${id.slice(15)}`
}

/** True for the id of a sandbox organization. */
export const isSandboxId = (organization: string): boolean => organization.charCodeAt(14) === 0x38

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** True for a text that is a UUID, also in upper case. */
export const isUuid = (text: string): boolean => uuid.test(text)

/** Digits of base 62 in ASCII order. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random text of 62 letters and digits, uniformly distributed (bytes of 248 and more are rejected). */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += base62[byte % 62]
    }
  }
  return text
}

/** A random number from 0 (inclusive) to `below` (exclusive), for jitter. */
export const randomIntegerBelow = (below: number): number => (randomBytes(4).readUInt32BE(0) / 2 ** 32) * below

const processId = randomText(10)
let requestCount = 0

/** A request id that is unique across processes: the process id, then a counter. */
export const createRequestId = (): string => `${processId}-${(++requestCount).toString(36)}`

/** The namespace of derived ids. */
const idNamespace = Buffer.from('8f2c1f0a6d5b4c7e9a3d2b1e0c4f6a70', 'hex')

/** A UUID of version 5 (RFC 9562): the same for the same name, on every installation. */
export function deriveId(name: string): string {
  const bytes = createHash('sha1').update(idNamespace).update(name).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
