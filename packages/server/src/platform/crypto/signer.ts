import { createSecretKey, type KeyObject } from 'node:crypto'
import { deriveKey, decryptText, encryptText, signText, verifyText } from './signatures.ts'

/** Signs and encrypts with keys derived from the master secret, one for each purpose. */
export interface Signer {
  /** HMAC-SHA256 over the parts, unambiguously separated, as base64url. */
  sign(purpose: string, parts: readonly string[]): string
  /** Verifies in constant time. */
  verify(purpose: string, parts: readonly string[], signature: string): boolean
  /** Encrypts a text for storage. */
  encrypt(purpose: string, text: string): string
  /** Null if the text was encrypted for another purpose, with another master secret, or was changed. */
  decrypt(purpose: string, encrypted: string): string | null
}

/** Each part is on its own line, so that no two different lists give the same text. */
const joinParts = (parts: readonly string[]): string => parts.map((part) => encodeURIComponent(part)).join('\n')

export function createSigner(master: Uint8Array): Signer {
  // Key objects: `createHmac` converts bytes to one on each use, which costs more than the signature.
  const keys = new Map<string, KeyObject>()
  const getKey = (purpose: string): KeyObject => {
    const key = keys.get(purpose) ?? createSecretKey(deriveKey(master, purpose))
    keys.set(purpose, key)
    return key
  }
  return {
    sign: (purpose, parts) => signText(getKey(purpose), joinParts(parts)),
    verify: (purpose, parts, signature) => verifyText(getKey(purpose), joinParts(parts), signature),
    encrypt: (purpose, text) => encryptText(getKey(purpose), text),
    decrypt: (purpose, encrypted) => decryptText(getKey(purpose), encrypted),
  }
}
