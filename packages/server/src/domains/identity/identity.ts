import type { Principal } from '../../engine/call.ts'
import type { Credentials } from '../../engine/pipeline.ts'
import type { Clock, OrganizationClocks } from '../../platform/clock.ts'
import type { PasswordHasher } from '../../platform/crypto/passwords.ts'
import { openSigningKeys, type NewKeyPair } from '../../platform/crypto/signing-keys.ts'
import type { Database, Db } from '../../platform/database/database.ts'
import { listenTo } from '../../platform/database/listen.ts'
import type { KeyRing } from '../../platform/crypto/key-ring.ts'
import type { Logger } from '../../platform/log.ts'
import type { RateLimiter } from '../../platform/rate-limits/rate-limit.ts'
import { makeAccessTokens } from './access-tokens.ts'
import { authenticate, type Asked } from './authenticate.ts'
import { announceChange, keyRingSubject, listenToChanges } from './changes.ts'
import { makeEndpoints, type Endpoints } from './endpoints.ts'
import { noteKeyUses } from './key-uses.ts'
import type { IdentityParts, SignInLimits } from './parts.ts'
import { rememberTokens } from './remembered.ts'
import { changesChannel } from './store.changes.ts'
import { findKeyRing, saveKeyRing } from './store.keyring.ts'
import { makeThrottle } from './throttle.ts'
import { listenAcross, startUpkeep } from './upkeep.ts'

const minute_ms = 60_000
const mostTokens = 20_000

/**
 * Sixty failures a minute per IP address, ten in five minutes per account and address, three while an account is attacked.
 */
export const usualLimits: SignInLimits = {
  per_address: { failures: 60, window_ms: minute_ms },
  per_pair: { failures: 10, window_ms: 5 * minute_ms },
  per_account: { failures: 100, window_ms: 5 * minute_ms, strained_failures: 3 },
}

export interface IdentityOptions {
  readonly database: Database
  readonly clock: Clock & OrganizationClocks
  readonly log: Logger
  /** Encrypts the private signing keys: `deriveKey(master, 'signing-keys')`. */
  readonly sealing_key: Uint8Array
  readonly passwords: PasswordHasher
  readonly newKeyPair?: NewKeyPair
  /** The configured base URL of the platform; null uses the URL of each request. */
  readonly base_url: string | null
  readonly limits?: Partial<SignInLimits>
  /** Counts failed sign-ins; owned by the caller. */
  readonly rates: RateLimiter
}

/** Authentication of users and API keys, and the OAuth endpoints. */
export interface Identity extends Endpoints {
  /** The configured base URL of the platform; null uses the URL of each request. */
  readonly base_url: string | null
  /** Throws `unauthenticated`. */
  authenticate(credentials: Credentials, operation: Asked): Promise<Principal>
  /** Writes the pending last-used times of keys. */
  flush(): Promise<void>
  /** Reads the changes of other processes; runs every two seconds in addition to notifications. */
  poll(): Promise<void>
  close(): Promise<void>
}

/** Creates the identity service on a migrated database; creates the signing keys at first start. */
export async function createIdentity(options: IdentityOptions): Promise<Identity> {
  const { database, clock, log, base_url } = options
  const { across } = database
  // The embedded database belongs to one process alone.
  const shared = database.kind === 'postgres'
  const warn = (sentence: string) => (error: unknown) => log.warn({ err: error }, sentence)
  const forget = (subject: string): void => {
    for (const memory of [remembered, tileTokens]) memory.forget(subject)
    if (subject !== keyRingSubject) return
    remembered.clear()
    void keys.reload().catch(warn('could not reload the signing keys'))
  }
  const listening = listenAcross(across, forget)
  const isInformed = (): boolean => !shared || listening.isInformed()
  const remembered = rememberTokens(mostTokens, isInformed, clock)
  const tileTokens = rememberTokens(mostTokens, isInformed, clock)
  const uses = noteKeyUses(across, clock)
  const keys = await openSigningKeys({
    load: () => findKeyRing(across),
    save: (ring) => saveAnnounced(across, ring),
    clock,
    sealingKey: options.sealing_key,
    ...(options.newKeyPair ? { newKeyPair: options.newKeyPair } : {}),
  })
  const parts: IdentityParts = {
    across,
    clock,
    keys,
    passwords: options.passwords,
    remembered,
    tileTokens,
    uses,
    tokens: makeAccessTokens(keys, base_url),
    throttle: makeThrottle(options.rates),
    limits: { ...usualLimits, ...options.limits },
  }
  await listening.poll()
  const stopHearing = listenToChanges(forget)
  const readMissed = (): void => void listening.poll().catch(warn('could not read missed changes'))
  const deafen = await listenTo(database, changesChannel, forget, readMissed).catch(
    warn('could not listen for changes of other processes; polling instead'),
  )
  const stopUpkeep = startUpkeep({ across, clock, log, uses, listening: shared ? listening : null })

  return {
    ...makeEndpoints(parts),
    base_url,
    authenticate: (credentials, operation) => authenticate(parts, credentials, operation),
    flush: () => uses.flush(),
    poll: () => listening.poll(),
    close: async () => {
      await stopUpkeep()
      await deafen?.()
      stopHearing()
      await uses.flush()
    },
  }
}

/** Publishes a replaced key ring: every process must reject a stolen key. */
const saveAnnounced = (across: Db, ring: KeyRing): Promise<boolean> =>
  across.transaction(async (tx) => {
    const saved = await saveKeyRing(tx, ring)
    if (saved && ring.version > 1) await announceChange(tx, keyRingSubject)
    return saved
  })
