import { createPasswordHasher, minimalCost, type PasswordHasher } from '../src/platform/crypto/passwords.ts'
import { newSigningKeyPair, type NewKeyPair } from '../src/platform/crypto/signing-keys.ts'

/** A sign-in costs what a sign-in needs to be tried, not what it takes to resist a thief. */
export const cheapPasswords: PasswordHasher = createPasswordHasher(minimalCost)

/** More keys than a ring ever holds, so that no ring has one twice. */
const max_pairs = 8
const pairs: ReturnType<NewKeyPair>[] = []

/** Key pairs for one server: real ones, made once in a process and given to each of its servers in the same order. */
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
