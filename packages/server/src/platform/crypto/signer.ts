import { createSecretKey, type KeyObject } from 'node:crypto'
import {
  decryptTextWithAny,
  deriveKeys,
  encryptText,
  signTextHmac,
  verifyTextHmacWithAny,
  type CurrentAndAcceptedKeys,
} from './signatures.ts'

/** Signs and encrypts with keys derived from the current master secret, one for each purpose; accepts those of previous ones. */
export interface MasterSecretSigner {
  /** HMAC-SHA256 over the parts, unambiguously separated, as base64url. */
  sign(purpose: string, parts: readonly string[]): string
  /** Verifies in constant time. */
  verify(purpose: string, parts: readonly string[], signature: string): boolean
  /** Encrypts a text for storage. */
  encrypt(purpose: string, text: string): string
  /** Null if the text was encrypted for another purpose, with an unknown master secret, or was changed. */
  decrypt(purpose: string, encrypted: string): string | null
}

/** Each part is on its own line, so that no two different lists give the same text. */
const joinParts = (parts: readonly string[]): string => parts.map((part) => encodeURIComponent(part)).join('\n')

export function createMasterSecretSigner(masterSecrets: CurrentAndAcceptedKeys): MasterSecretSigner {
  // Key objects: `createHmac` converts bytes to one on each use, which costs more than the signature.
  const keysByPurpose = new Map<string, readonly [KeyObject, ...KeyObject[]]>()
  const getKeys = (purpose: string): readonly [KeyObject, ...KeyObject[]] => {
    const known = keysByPurpose.get(purpose)
    if (known) return known
    const [current, ...accepted] = deriveKeys(masterSecrets, purpose)
    const keys = [createSecretKey(current), ...accepted.map((key) => createSecretKey(key))] as const
    keysByPurpose.set(purpose, keys)
    return keys
  }
  return {
    sign: (purpose, parts) => signTextHmac(getKeys(purpose)[0], joinParts(parts)),
    verify: (purpose, parts, signature) => verifyTextHmacWithAny(getKeys(purpose), joinParts(parts), signature),
    encrypt: (purpose, text) => encryptText(getKeys(purpose)[0], text),
    decrypt: (purpose, encrypted) => decryptTextWithAny(getKeys(purpose), encrypted),
  }
}
