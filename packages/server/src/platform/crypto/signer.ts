import { deriveKey, openText, sealText, signText, verifyText } from './signatures.ts'

/** Signs and encrypts with keys derived from the master secret, one for each purpose. */
export interface Signer {
  /** HMAC-SHA256 over the parts, unambiguously separated, as base64url. */
  sign(purpose: string, parts: readonly string[]): string
  /** Verifies in constant time. */
  verify(purpose: string, parts: readonly string[], signature: string): boolean
  /** Encrypts a text for storage. */
  seal(purpose: string, text: string): string
  /** Null if the text was encrypted for another purpose, with another master secret, or was changed. */
  open(purpose: string, sealed: string): string | null
}

/** Each part is on its own line, so that no two different lists give the same text. */
const textOf = (parts: readonly string[]): string => parts.map((part) => encodeURIComponent(part)).join('\n')

export function makeSigner(master: Uint8Array): Signer {
  const keys = new Map<string, Uint8Array>()
  const keyFor = (purpose: string): Uint8Array => {
    const known = keys.get(purpose) ?? deriveKey(master, purpose)
    keys.set(purpose, known)
    return known
  }
  return {
    sign: (purpose, parts) => signText(keyFor(purpose), textOf(parts)),
    verify: (purpose, parts, signature) => verifyText(keyFor(purpose), textOf(parts), signature),
    seal: (purpose, text) => sealText(keyFor(purpose), text),
    open: (purpose, sealed) => openText(keyFor(purpose), sealed),
  }
}
