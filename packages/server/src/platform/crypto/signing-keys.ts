import {
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  type GenerateKeyPairResult,
  importJWK,
  jwtVerify,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'
import type { Clock } from '../clock.ts'
import { randomText } from '../ids.ts'
import {
  listRetainedSigningKeys,
  findMissingSigningKeyStarts,
  computeNextKeyRotation_ms,
  findSigningKeyIndex,
  type KeyRing,
  type StoredSigningKey,
} from './key-ring.ts'
import { decryptTextWithAny, encryptText, type CurrentAndAcceptedKeys } from './signatures.ts'

/** The algorithm that most clients of a Keycloak-compatible realm expect; no other is accepted. */
const algorithm = 'RS256'
const modulus_bits = 2048
const defaultType = 'JWT'
/** Allowed clock difference between two servers. */
const clock_tolerance_s = 5
/** A token with an unknown `kid` reloads the key ring, at most once in this interval. */
const min_reload_interval_ms = 10_000

export interface SigningKeyOptions {
  /** Loads the stored key ring; null before the first start. */
  readonly load: () => Promise<KeyRing | null>
  /** Stores a ring if the stored version is `ring.version - 1` (0 for none); false if another server was first. */
  readonly save: (ring: KeyRing) => Promise<boolean>
  readonly clock: Clock
  /** Encrypt the private keys for storage: `deriveKeys(masterSecrets, 'signing-keys')`. */
  readonly sealingKeys: CurrentAndAcceptedKeys
  /** Creates new key pairs; a fresh one each time if omitted. */
  readonly newKeyPair?: KeyPairGenerator
}

/** Returns an RSA key pair with an extractable private key. */
export type KeyPairGenerator = () => Promise<GenerateKeyPairResult>

/** A new key pair for the algorithm that tokens are signed with. */
export const generateSigningKeyPair: KeyPairGenerator = () =>
  generateKeyPair(algorithm, { modulusLength: modulus_bits, extractable: true })

export interface TokenIssuerOptions {
  readonly issuer: string
  readonly audience: string | string[]
}

export interface TokenVerificationOptions extends TokenIssuerOptions {
  readonly type?: string
  /** Accepts a token for this time after it expired; default 0. */
  readonly expired_tolerance_s?: number
}

export interface SigningKeys {
  /** Signs claims as a JWT; `iat` and `exp` come from the clock. */
  sign(claims: JWTPayload, tokenOptions: TokenIssuerOptions & { lifetime_s: number; type?: string }): Promise<string>
  /** The claims of a valid token of that `type`; throws `InvalidToken` for any other text. */
  verify(token: string, tokenOptions: TokenVerificationOptions): Promise<JWTPayload>
  /** The public keys of all live keys, as a JWK set. */
  publicKeys(): Promise<{ keys: JWK[] }>
  /** Removes a stolen current signing key, invalidates every token that it signed, and activates its successor. */
  revokeSigningKey(): Promise<void>
  /** Reloads the stored key ring after another process revoked a key. */
  reload(): Promise<void>
}

/** The text is not a valid token of this platform. */
export class InvalidToken extends Error {
  readonly expired: boolean
  constructor(message: string, expired: boolean) {
    super(message)
    this.expired = expired
  }
}

async function createStoredKey(start: Date, now: Date, options: SigningKeyOptions): Promise<StoredSigningKey> {
  const { sealingKeys, newKeyPair = generateSigningKeyPair } = options
  const pair = await newKeyPair()
  const kid = randomText(16)
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  return {
    kid,
    created_at: now.toISOString(),
    signs_from: start.toISOString(),
    public_jwk: { ...publicJwk, kid, alg: algorithm, use: 'sig' },
    private_sealed: encryptText(sealingKeys[0], JSON.stringify(privateJwk)),
  }
}

/** Brings the stored ring up to date; if another server does so at the same time, one of them wins. */
async function rotateKeyRing(options: SigningKeyOptions): Promise<KeyRing> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const now = options.clock.now()
    const stored = (await options.load()) ?? { version: 0, keys: [] }
    const remainingKeys = listRetainedSigningKeys(stored, now)
    const startTimes = findMissingSigningKeyStarts(stored, now)
    if (startTimes.length === 0 && remainingKeys.length === stored.keys.length) return stored
    const created = await Promise.all(startTimes.map((start) => createStoredKey(start, now, options)))
    const keys = [...remainingKeys, ...created].toSorted(
      (left, right) => Date.parse(left.signs_from) - Date.parse(right.signs_from),
    )
    const ring = { version: stored.version + 1, keys }
    if (await options.save(ring)) return ring
  }
  throw new Error('the signing keys could not be stored: another process changes them concurrently')
}

function importPrivateKey(stored: StoredSigningKey, sealingKeys: CurrentAndAcceptedKeys): ReturnType<typeof importJWK> {
  const text = decryptTextWithAny(sealingKeys, stored.private_sealed)
  if (text === null) throw new Error(`signing key ${stored.kid} was encrypted with another master secret`)
  return importJWK(JSON.parse(text) as JWK, algorithm)
}

/**
 * Opens the keys that sign tokens. A key signs for 30 days; its successor is published in advance, and it stays published
 * for one hour after its period, so that clients do not notice a rotation.
 */
export async function openSigningKeys(options: SigningKeyOptions): Promise<SigningKeys> {
  const { clock } = options
  let ring = await rotateKeyRing(options)
  let readAt_ms = clock.now().getTime()
  const importedKeys = new Map<string, ReturnType<typeof importJWK>>()

  const getCurrentRing = async (): Promise<KeyRing> => {
    if (computeNextKeyRotation_ms(ring, new Date(readAt_ms)) <= clock.now().getTime()) await reloadRing()
    return ring
  }
  const reloadRing = async (): Promise<void> => {
    ring = await rotateKeyRing(options)
    readAt_ms = clock.now().getTime()
    importedKeys.clear()
  }
  const importOnce = (name: string, importKey: () => ReturnType<typeof importJWK>): ReturnType<typeof importJWK> => {
    const importedKey = importedKeys.get(name) ?? importKey()
    importedKeys.set(name, importedKey)
    return importedKey
  }
  const getPublicKey = async (kid: string): ReturnType<typeof importJWK> => {
    const findStoredKey = (): StoredSigningKey | undefined => ring.keys.find((key) => key.kid === kid)
    await getCurrentRing()
    if (!findStoredKey() && clock.now().getTime() - readAt_ms >= min_reload_interval_ms) await reloadRing()
    const stored = findStoredKey()
    if (!stored) throw new InvalidToken('the token was signed with an unknown key', false)
    return importOnce(`public ${kid}`, () => importJWK({ ...stored.public_jwk } as JWK, algorithm))
  }

  return {
    async sign(claims, { issuer, audience, lifetime_s, type = defaultType }) {
      const { keys } = await getCurrentRing()
      const stored = keys[findSigningKeyIndex(ring, clock.now())]!
      const key = await importOnce(`private ${stored.kid}`, () => importPrivateKey(stored, options.sealingKeys))
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, kid: stored.kid, typ: type })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetime_s)
        .sign(key)
    },
    verify: (token, tokenOptions) => verifyToken(token, tokenOptions, getPublicKey, clock),
    async publicKeys() {
      const { keys } = await getCurrentRing()
      return { keys: keys.map((key) => ({ ...key.public_jwk }) as JWK) }
    },
    async revokeSigningKey() {
      const stored = (await options.load()) ?? ring
      const now = clock.now()
      const laterKeys = stored.keys.slice(findSigningKeyIndex(stored, now) + 1)
      const keys = laterKeys.map((key, index) => (index === 0 ? { ...key, signs_from: now.toISOString() } : key))
      if (!(await options.save({ version: stored.version + 1, keys })))
        throw new Error('the signing keys were changed concurrently')
      await reloadRing()
    },
    reload: reloadRing,
  }
}

async function verifyToken(
  token: string,
  { type = defaultType, expired_tolerance_s = 0, ...tokenOptions }: TokenVerificationOptions,
  getPublicKey: (kid: string) => ReturnType<typeof importJWK>,
  clock: Clock,
): Promise<JWTPayload> {
  try {
    const { kid } = decodeProtectedHeader(token)
    if (typeof kid !== 'string') throw new InvalidToken('the token has no key id', false)
    const { payload } = await jwtVerify(token, await getPublicKey(kid), {
      ...tokenOptions,
      algorithms: [algorithm],
      // RFC 8725, 3.11: a token of another type is rejected although the key and the audience are the same.
      typ: type,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: clock_tolerance_s + expired_tolerance_s,
      currentDate: clock.now(),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new InvalidToken('the token has expired', true)
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw new InvalidToken('the token is not a valid token of this platform', false)
    }
    throw error
  }
}
