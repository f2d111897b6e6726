import { deriveKey, openText, sealText, signText, verifyText } from './signatures.ts'

/** Signs and seals in the name of the house, with a key of its own for every purpose. */
export interface Signer {
  /** HMAC-SHA256 over the parts, each told apart from the next, as base64url. */
  sign(purpose: string, parts: readonly string[]): string
  /** Takes the same time wherever the signature differs. */
  verify(purpose: string, parts: readonly string[], signature: string): boolean
  /** Encrypts a text for storing at rest. */
  seal(purpose: string, text: string): string
  /** Null where the text was sealed for another purpose, by another house, or was changed. */
  open(purpose: string, sealed: string): string | null
}

/** Every part on a line of its own, so that no two different lists give one text. */
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
