import { createPasswordHasher, min_password_cost, type PasswordHasher } from '../src/platform/crypto/passwords.ts'
import { generateSigningKeyPair, type KeyPairGenerator } from '../src/platform/crypto/signing-keys.ts'

/** Hashes at minimal cost: tests exercise sign-in, not resistance to brute force. */
export const testPasswordHasher: PasswordHasher = createPasswordHasher(min_password_cost)

/** More keys than a key ring ever holds, so that no ring holds one twice. */
const max_key_pairs = 8
const cachedKeyPairs: ReturnType<KeyPairGenerator>[] = []

/** Real key pairs for one server, generated once per process and handed to each server in the same order. */
function createKeyPairSource(): KeyPairGenerator {
  let next = 0
  return () => {
    const index = next++ % max_key_pairs
    return (cachedKeyPairs[index] ??= generateSigningKeyPair())
  }
}

export const createTestCrypto = (): { passwords: PasswordHasher; newKeyPair: KeyPairGenerator } => ({
  passwords: testPasswordHasher,
  newKeyPair: createKeyPairSource(),
})
