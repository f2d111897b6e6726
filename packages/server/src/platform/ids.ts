import { randomBytes, randomUUID } from 'node:crypto'

let last_ms = 0
let count = 0

/**
 * A UUID of version 7 (RFC 9562): 48 bits of Unix milliseconds, a count of 12 bits, 62 random bits. Within a process every
 * id is greater than the one before (the count begins somewhere in its lower half at every millisecond, and borrows from
 * the next one when it is used up), so that what is sorted by id is sorted by the order in which it was made. The random
 * part is that of a version 4 UUID, whose entropy Node draws in bulk.
 */
export function newId(): string {
  const random = randomUUID()
  const now_ms = Date.now()
  if (now_ms > last_ms) {
    last_ms = now_ms
    count = Number.parseInt(random.slice(15, 18), 16) >> 1
  } else if (++count > 0xfff) {
    last_ms++
    count = 0
  }
  const time = last_ms.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count.toString(16).padStart(3, '0')}${random.slice(18)}`
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** True for a text that can be an id, in capitals too. */
export const isUuid = (text: string): boolean => uuid.test(text)

/** Digits of base 62 in the order of ASCII. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Random text over 62 letters and digits; every character equally likely (bytes of 248 and more are thrown away). */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += base62[byte % 62]
    }
  }
  return text
}

/** A whole number from 0 (included) to `below` (excluded), for jitter. */
export const randomBelow = (below: number): number => (randomBytes(4).readUInt32BE(0) / 2 ** 32) * below

const processName = randomText(10)
let requests = 0

/** A name for a request that no other request of any process has: the process, then a count. */
export const nextRequestId = (): string => `${processName}-${(++requests).toString(36)}`
