import { randomBytes, randomUUID } from 'node:crypto'

/**
 * A UUID of version 7 (RFC 9562): 48 bits of Unix milliseconds, then 74 random bits, so that ids sort by time. The random
 * part is that of a version 4 UUID, whose entropy Node draws in bulk.
 */
export function newId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`
}

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
