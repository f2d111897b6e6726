import { randomBytes } from 'node:crypto'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A UUID of version 7 (RFC 9562): 48 bits of Unix milliseconds, then 74 random bits, so that ids sort by time. */
export function newId(): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Date.now(), 0, 6)
  bytes[6] = (bytes[6]! & 0x0f) | 0x70
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const text = hex(bytes)
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}`
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
