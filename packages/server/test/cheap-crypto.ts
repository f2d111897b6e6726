import { createPasswordHasher, minimalCost, type PasswordHasher } from '../src/platform/crypto/passwords.ts'
import { newSigningKeyPair, type NewKeyPair } from '../src/platform/crypto/signing-keys.ts'

/** Hashes at minimal cost: tests exercise sign-in, not resistance to brute force. */
export const cheapPasswords: PasswordHasher = createPasswordHasher(minimalCost)

/** More keys than a key ring ever holds, so that no ring holds one twice. */
const max_pairs = 8
const pairs: ReturnType<NewKeyPair>[] = []

/** Real key pairs for one server, generated once per process and handed to each server in the same order. */
function reuseKeyPairs(): NewKeyPair {
  let next = 0
  return () => {
    const place = next++ % max_pairs
    return (pairs[place] ??= newSigningKeyPair())
  }
}

export const cheapCrypto = (): { passwords: PasswordHasher; newKeyPair: NewKeyPair } => ({
  passwords: cheapPasswords,
  newKeyPair: reuseKeyPairs(),
})
