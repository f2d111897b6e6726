import { day_ms } from '@swath/geo/time-units.ts'
/** A signing key as it is stored. */
export interface StoredSigningKey {
  readonly kid: string
  readonly created_at: string
  /** It signs from this time until the next key of the ring takes over. */
  readonly signs_from: string
  /** The public key as a JWK. */
  readonly public_jwk: Readonly<Record<string, unknown>>
  /** The private key as an encrypted JWK. */
  readonly private_sealed: string
}

/** All live keys, in the order in which they sign. `version` grows by one with each change. */
export interface KeyRing {
  readonly version: number
  readonly keys: readonly StoredSigningKey[]
}

/** A key signs for 30 days. */
export const signing_period_ms = 30 * day_ms

/** A key that no longer signs is published for one more hour, longer than any token is valid. */
export const key_publication_overlap_ms = 3600 * 1000

const signsFrom_ms = (key: StoredSigningKey): number => Date.parse(key.signs_from)

/** The index of the key that signs at a time: the last one whose period has started. -1 for an empty ring. */
export const findSigningKeyIndex = (ring: KeyRing, now: Date): number =>
  ring.keys.findLastIndex((key) => signsFrom_ms(key) <= now.getTime())

/** The keys to keep at a time: the current one, its successors, and its predecessor during the overlap. */
export function listRetainedSigningKeys(ring: KeyRing, now: Date): readonly StoredSigningKey[] {
  const signingIndex = findSigningKeyIndex(ring, now)
  const signingKey = ring.keys[signingIndex]
  const overlaps = signingKey !== undefined && now.getTime() - signsFrom_ms(signingKey) < key_publication_overlap_ms
  return ring.keys.slice(Math.max(0, overlaps ? signingIndex - 1 : signingIndex))
}

/** The time of the next change: a key starts to sign, or the overlap of its predecessor ends. */
export function computeNextKeyRotation_ms(ring: KeyRing, now: Date): number {
  const times = ring.keys.flatMap((key, index) =>
    index === 0 ? [signsFrom_ms(key)] : [signsFrom_ms(key), signsFrom_ms(key) + key_publication_overlap_ms],
  )
  return Math.min(...times.filter((time) => time > now.getTime()))
}

/**
 * The start times of the keys that are missing at a time: one now if no key signs, and always a successor, so that clients
 * have cached it long before it is used. Two keys are live at any time.
 */
export function findMissingSigningKeyStarts(ring: KeyRing, now: Date): readonly Date[] {
  const signingIndex = findSigningKeyIndex(ring, now)
  const successor = new Date(now.getTime() + signing_period_ms)
  if (signingIndex < 0) return ring.keys.length > 0 ? [now] : [now, successor]
  return signingIndex === ring.keys.length - 1 ? [successor] : []
}
