import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'

/** HMAC-SHA256 of a text as base64url (43 characters). */
export const signTextHmac = (key: Uint8Array | KeyObject, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

/** True if `signature` is that of `signTextHmac`, in constant time. */
export const verifyTextHmac = (key: Uint8Array | KeyObject, text: string, signature: string): boolean =>
  constantTimeEqual(signTextHmac(key, text), signature)

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compares two secrets in a time that depends neither on their content nor on where they differ. */
export const constantTimeEqual = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right))

/** Derives a 32-byte key for one purpose from the master secret (HKDF-SHA256, RFC 5869). */
export const deriveKey = (master: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', master, new Uint8Array(0), `swath/${purpose}`, 32))

/** Keys of one purpose, or the master secrets that they are derived from: the first one makes, each of them is accepted. */
export type CurrentAndAcceptedKeys = readonly [Uint8Array, ...Uint8Array[]]

/** The keys for one purpose of each master secret. */
export const deriveKeys = ([current, ...accepted]: CurrentAndAcceptedKeys, purpose: string): CurrentAndAcceptedKeys => [
  deriveKey(current, purpose),
  ...accepted.map((master) => deriveKey(master, purpose)),
]

/** Eight characters that identify a key without revealing it. */
export const computeKeyId = (key: Uint8Array): string =>
  createHash('sha256').update('key id').update(key).digest('base64url').slice(0, 8)

const nonce_bytes = 12
const tag_bytes = 16

/** Encrypts a text for storage (AES-256-GCM with a key of `deriveKey`); base64url of nonce, tag and ciphertext. */
export function encryptText(key: Uint8Array | KeyObject, text: string): string {
  const nonce = randomBytes(nonce_bytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** The decrypted text; null if the key is another one or the ciphertext was changed. */
export function decryptText(key: Uint8Array | KeyObject, encrypted: string): string | null {
  const bytes = Buffer.from(encrypted, 'base64url')
  if (bytes.length < nonce_bytes + tag_bytes) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonce_bytes), { authTagLength: tag_bytes })
  decipher.setAuthTag(bytes.subarray(nonce_bytes, nonce_bytes + tag_bytes))
  try {
    return decipher.update(bytes.subarray(nonce_bytes + tag_bytes), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}

type AnyKeys = readonly (Uint8Array | KeyObject)[]

/** True if `signature` is that of `signTextHmac` with one of the keys. */
export const verifyTextHmacWithAny = (keys: AnyKeys, text: string, signature: string): boolean =>
  keys.some((key) => verifyTextHmac(key, text, signature))

/** The text that one of the keys encrypted; null if it was another key, or the ciphertext was changed. */
export function decryptTextWithAny(keys: AnyKeys, encrypted: string): string | null {
  for (const key of keys) {
    const text = decryptText(key, encrypted)
    if (text !== null) return text
  }
  return null
}
