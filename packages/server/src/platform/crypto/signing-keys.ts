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
import { liveKeys, missingStarts, nextChange_ms, signerAt, type KeyRing, type StoredKey } from './key-ring.ts'
import { openText, sealText } from './signatures.ts'

/** What most clients of a Keycloak-compatible realm expect; no other algorithm is accepted. */
const algorithm = 'RS256'
const modulusBits = 2048
const defaultType = 'JWT'
/** Allowed clock difference between two servers. */
const clockTolerance_s = 5
/** A token with an unknown `kid` reloads the key ring, at most once in this interval. */
const reload_ms = 10_000

export interface SigningKeyOptions {
  /** Loads the stored key ring; null before the first start. */
  readonly load: () => Promise<KeyRing | null>
  /** Stores a ring if the stored version is `ring.version - 1` (0 for none); false if another server was first. */
  readonly save: (ring: KeyRing) => Promise<boolean>
  readonly clock: Clock
  /** Encrypts the private keys for storage: `deriveKey(master, 'signing-keys')`. */
  readonly sealingKey: Uint8Array
  /** Creates new key pairs; a fresh one each time if omitted. */
  readonly newKeyPair?: NewKeyPair
}

/** Returns an RSA key pair with an extractable private key. */
export type NewKeyPair = () => Promise<GenerateKeyPairResult>

/** A new key pair for the algorithm that tokens are signed with. */
export const newSigningKeyPair: NewKeyPair = () =>
  generateKeyPair(algorithm, { modulusLength: modulusBits, extractable: true })

export interface TokenTerms {
  readonly issuer: string
  readonly audience: string | string[]
}

export interface SigningKeys {
  /** Signs claims as a JWT; `iat` and `exp` come from the clock. */
  sign(claims: JWTPayload, terms: TokenTerms & { lifetime_s: number; type?: string }): Promise<string>
  /** The claims of a valid token of that `type`; throws `InvalidToken` for any other text. */
  verify(token: string, terms: TokenTerms & { type?: string }): Promise<JWTPayload>
  /** The public keys of all live keys, as a JWK set. */
  publicKeys(): Promise<{ keys: JWK[] }>
  /** For a stolen key: removes the current signing key, invalidates every token it signed, and activates its successor. */
  replaceSigner(): Promise<void>
  /** Reloads the stored key ring after another process revoked a key. */
  reload(): Promise<void>
}

/** The text is not a valid token of this platform. */
export class TokenRefused extends Error {
  readonly expired: boolean
  constructor(message: string, expired: boolean) {
    super(message)
    this.expired = expired
  }
}

async function makeKey(start: Date, now: Date, options: SigningKeyOptions): Promise<StoredKey> {
  const { sealingKey, newKeyPair = newSigningKeyPair } = options
  const pair = await newKeyPair()
  const kid = randomText(16)
  const [publicJwk, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  return {
    kid,
    created_at: now.toISOString(),
    signs_from: start.toISOString(),
    public_jwk: { ...publicJwk, kid, alg: algorithm, use: 'sig' },
    private_sealed: sealText(sealingKey, JSON.stringify(privateJwk)),
  }
}

/** Brings the stored ring up to date; if another server does so at the same time, one of them wins. */
async function tendRing(options: SigningKeyOptions): Promise<KeyRing> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const now = options.clock.now()
    const stored = (await options.load()) ?? { version: 0, keys: [] }
    const live = liveKeys(stored, now)
    const starts = missingStarts(stored, now)
    if (starts.length === 0 && live.length === stored.keys.length) return stored
    const made = await Promise.all(starts.map((start) => makeKey(start, now, options)))
    const keys = [...live, ...made].toSorted(
      (left, right) => Date.parse(left.signs_from) - Date.parse(right.signs_from),
    )
    const ring = { version: stored.version + 1, keys }
    if (await options.save(ring)) return ring
  }
  throw new Error('the signing keys could not be stored: another process changes them concurrently')
}

function privateKeyOf(stored: StoredKey, sealingKey: Uint8Array): ReturnType<typeof importJWK> {
  const text = openText(sealingKey, stored.private_sealed)
  if (text === null) throw new Error(`signing key ${stored.kid} was encrypted with another master secret`)
  return importJWK(JSON.parse(text) as JWK, algorithm)
}

/**
 * Opens the keys that sign tokens. A key signs for 30 days; its successor is published in advance, and it stays published
 * for one hour after its period, so that clients do not notice a rotation.
 */
export async function openSigningKeys(options: SigningKeyOptions): Promise<SigningKeys> {
  const { clock } = options
  let ring = await tendRing(options)
  let readAt = clock.now().getTime()
  const opened = new Map<string, ReturnType<typeof importJWK>>()

  const current = async (): Promise<KeyRing> => {
    if (nextChange_ms(ring, new Date(readAt)) <= clock.now().getTime()) await refresh()
    return ring
  }
  const refresh = async (): Promise<void> => {
    ring = await tendRing(options)
    readAt = clock.now().getTime()
    opened.clear()
  }
  const open = (name: string, make: () => ReturnType<typeof importJWK>): ReturnType<typeof importJWK> => {
    const found = opened.get(name) ?? make()
    opened.set(name, found)
    return found
  }
  const publicKeyOf = async (kid: string): ReturnType<typeof importJWK> => {
    const find = (): StoredKey | undefined => ring.keys.find((key) => key.kid === kid)
    await current()
    if (!find() && clock.now().getTime() - readAt >= reload_ms) await refresh()
    const stored = find()
    if (!stored) throw new TokenRefused('the token was signed with an unknown key', false)
    return open(`public ${kid}`, () => importJWK({ ...stored.public_jwk } as JWK, algorithm))
  }

  return {
    async sign(claims, { issuer, audience, lifetime_s, type = defaultType }) {
      const { keys } = await current()
      const stored = keys[signerAt(ring, clock.now())]!
      const key = await open(`private ${stored.kid}`, () => privateKeyOf(stored, options.sealingKey))
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, kid: stored.kid, typ: type })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + lifetime_s)
        .sign(key)
    },
    verify: (token, terms) => verifyToken(token, terms, publicKeyOf, clock),
    async publicKeys() {
      const { keys } = await current()
      return { keys: keys.map((key) => ({ ...key.public_jwk }) as JWK) }
    },
    async replaceSigner() {
      const stored = (await options.load()) ?? ring
      const now = clock.now()
      const rest = stored.keys.slice(signerAt(stored, now) + 1)
      const keys = rest.map((key, index) => (index === 0 ? { ...key, signs_from: now.toISOString() } : key))
      if (!(await options.save({ version: stored.version + 1, keys })))
        throw new Error('the signing keys were changed concurrently')
      await refresh()
    },
    reload: refresh,
  }
}

async function verifyToken(
  token: string,
  { type = defaultType, ...terms }: TokenTerms & { type?: string },
  publicKeyOf: (kid: string) => ReturnType<typeof importJWK>,
  clock: Clock,
): Promise<JWTPayload> {
  try {
    const { kid } = decodeProtectedHeader(token)
    if (typeof kid !== 'string') throw new TokenRefused('the token has no key id', false)
    const { payload } = await jwtVerify(token, await publicKeyOf(kid), {
      ...terms,
      algorithms: [algorithm],
      // RFC 8725, 3.11: a token of another type is rejected although the key and the audience are the same.
      typ: type,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: clockTolerance_s,
      currentDate: clock.now(),
    })
    return payload
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new TokenRefused('the token has expired', true)
    if (error instanceof errors.JOSEError || error instanceof TypeError) {
      throw new TokenRefused('the token is not a valid token of this platform', false)
    }
    throw error
  }
}
