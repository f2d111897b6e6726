/** One signing key as it is stored. */
export interface StoredKey {
  readonly kid: string
  readonly created_at: string
  /** It signs from this time until the next key of the ring does. */
  readonly signs_from: string
  /** Public half as a JWK. */
  readonly public_jwk: Readonly<Record<string, unknown>>
  /** Private half as a JWK, sealed. */
  readonly private_sealed: string
}

/** All live keys, in the order in which they sign. `version` counts the changes. */
export interface KeyRing {
  readonly version: number
  readonly keys: readonly StoredKey[]
}

const day_ms = 24 * 3600 * 1000

/** A key signs for 30 days. */
export const signingPeriod_ms = 30 * day_ms

/** A key that no longer signs is published for one more hour, longer than any token lives. */
export const overlap_ms = 3600 * 1000

const startOf = (key: StoredKey): number => Date.parse(key.signs_from)

/** The position of the key that signs at a time: the last one that has begun. -1 for an empty ring. */
export const signerAt = (ring: KeyRing, now: Date): number =>
  ring.keys.findLastIndex((key) => startOf(key) <= now.getTime())

/** Keys to keep at a time: the one that signs, those after it, and the one before it during the overlap. */
export function liveKeys(ring: KeyRing, now: Date): readonly StoredKey[] {
  const signer = signerAt(ring, now)
  const from = ring.keys[signer]
  const overlaps = from !== undefined && now.getTime() - startOf(from) < overlap_ms
  return ring.keys.slice(Math.max(0, overlaps ? signer - 1 : signer))
}

/** When the ring has to be looked at again: a key begins to sign, or the one before it has had its hour. */
export function nextChange_ms(ring: KeyRing, now: Date): number {
  const times = ring.keys.flatMap((key, index) =>
    index === 0 ? [startOf(key)] : [startOf(key), startOf(key) + overlap_ms],
  )
  return Math.min(...times.filter((time) => time > now.getTime()))
}

/**
 * What the ring lacks at a time, as the starting times of keys to be made: a first key now when none signs,
 * and always a successor, so that clients have cached it long before it is used. Two keys are live at any time.
 */
export function missingStarts(ring: KeyRing, now: Date): readonly Date[] {
  const signer = signerAt(ring, now)
  const successor = new Date(now.getTime() + signingPeriod_ms)
  if (signer < 0) return ring.keys.length > 0 ? [now] : [now, successor]
  return signer === ring.keys.length - 1 ? [successor] : []
}
