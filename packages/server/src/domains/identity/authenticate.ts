import type { Operation } from '@swath/contract/operation.ts'
import type { Principal } from '../../engine/call.ts'
import type { Credentials } from '../../engine/pipeline.ts'
import { Problem } from '../../engine/problem.ts'
import { hashOfTileToken, looksLikeApiKey, parseApiKey } from '../../platform/crypto/secrets.ts'
import { principalOfKey, principalOfPerson, principalOfTileTokenRow, visitor } from './principals.ts'
import type { AuthenticationParts } from './parts.ts'
import type { Remembered, Verified } from './remembered.ts'
import { findKeyByHash, findKeyOfSession, findPersonOfSession, type KeyRow, type PersonRow } from './store.ts'
import { findTileTokenByHash, type TileTokenRow } from './store.tile-tokens.ts'
import { countUnknown, UnknownCredentials } from './wrong-credentials.ts'

export type Asked = Pick<Operation, 'public' | 'scope'>

/** Cached keys are read again after this time, even without a notification of a change. */
const keyMemory_ms = 300_000

/** No token of this platform is longer; longer texts are rejected without hashing. */
const longestToken = 8192

const unknownToken = 'The token is expired, revoked or not one of this platform.'
const unknownKey = 'The API key is unknown, expired or revoked.'
const unknownTileToken = 'The token in the URL is unknown, expired or revoked.'

const refuse = (detail: string): Problem => new Problem('unauthenticated', detail)

/** The token of an `Authorization: Bearer` header; null without a header. Throws `unauthenticated` for any other scheme. */
export function bearerOf(authorization: string | null): string | null {
  if (authorization === null) return null
  const match = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)
  if (!match || authorization.length > longestToken)
    throw refuse('The Authorization header does not contain a Bearer token.')
  return match[1]!
}

/**
 * The principal of a Bearer token (a JWT of this platform or an API key) or of `X-API-Key`. Both may be sent if they name
 * the same principal. A verified token is cached until it expires or changes, so further calls need neither the database
 * nor the signing keys. Without a header the token in the URL of a map tile counts. Throws `unauthenticated`, `forbidden`
 * while the organization is suspended, or `rate-limited` after too many unknown tokens from the IP address.
 */
export async function authenticate(
  parts: AuthenticationParts,
  credentials: Pick<Credentials, 'authorization' | 'apiKey' | 'tileToken' | 'address'>,
  asked: Asked,
): Promise<Principal> {
  const { authorization, apiKey } = credentials
  // The common case: a cached token is not parsed again.
  if (apiKey === null && authorization?.startsWith('Bearer ')) {
    const known = parts.remembered.find(authorization.slice(7), parts.clock.now())
    if (known) return noted(parts, known)
  }
  const bearer = bearerOf(authorization)
  if (bearer === null && apiKey === null) {
    const { tileToken } = credentials
    if (tileToken) return countUnknown(parts, credentials.address, () => principalOfTileToken(parts, tileToken))
    if (asked.public) return visitor(asked.scope)
    throw refuse('Send a token as `Authorization: Bearer …`, or an API key as `X-API-Key`.')
  }
  const keyToo = apiKey === bearer ? null : apiKey
  const [fromBearer, fromKey] = await countUnknown(parts, credentials.address, async () => [
    bearer === null ? null : await principalOfToken(parts, bearer),
    keyToo === null ? null : await principalOfApiKey(parts, keyToo),
  ])
  const principal = fromBearer ?? fromKey!
  if (fromKey && (fromKey.kind !== principal.kind || fromKey.id !== principal.id)) {
    throw refuse('The Authorization header and X-API-Key name two different callers; send one of them.')
  }
  return principal
}

/** The principal of a Bearer token of either kind. */
export const principalOfToken = (parts: AuthenticationParts, token: string): Promise<Principal> =>
  looksLikeApiKey(token) ? principalOfApiKey(parts, token) : principalOfJwt(parts, token)

async function principalOfApiKey(parts: AuthenticationParts, text: string): Promise<Principal> {
  const key = text.length <= longestToken ? parseApiKey(text) : null
  if (!key) throw new UnknownCredentials('The API key is malformed.')
  const now = parts.clock.now()
  const principal = await remember(parts.remembered, text, now, async () => {
    const row = await findKeyByHash(parts.across, key.hash)
    if (!row) throw new UnknownCredentials(unknownKey)
    return verifiedKey(parts, row, new Date(now.getTime() + keyMemory_ms), [])
  })
  if (!principal) throw refuse(unknownKey)
  parts.uses.note(principal)
  return principal
}

async function principalOfTileToken(parts: AuthenticationParts, text: string): Promise<Principal> {
  const hash = hashOfTileToken(text)
  if (!hash) throw new UnknownCredentials(unknownTileToken)
  const now = parts.clock.now()
  const found = await remember(parts.tileTokens, text, now, async () => {
    const row = await findTileTokenByHash(parts.across, hash)
    if (!row) throw new UnknownCredentials(unknownTileToken)
    return verifiedTileToken(parts, row)
  })
  if (!found) throw refuse(unknownTileToken)
  return found
}

/** The token also ends with the API key that created it and with its organization. */
function verifiedTileToken({ clock }: AuthenticationParts, row: TileTokenRow): Verified | null {
  const principal = principalOfTileTokenRow(row, clock)
  const expires_at = new Date(clock.now().getTime() + keyMemory_ms)
  const { key_expires_at } = row
  const ends_at = key_expires_at !== null && key_expires_at < row.expires_at ? key_expires_at : row.expires_at
  const subjects = [
    `tile:${row.id}`,
    `user:${row.issuer}`,
    `organization:${row.organization_id}`,
    ...(row.key_id === null ? [] : [`key:${row.key_id}`]),
  ]
  return principal && { principal, expires_at, ends_at, subjects }
}

async function principalOfJwt(parts: AuthenticationParts, token: string): Promise<Principal> {
  const now = parts.clock.now()
  const principal = await remember(parts.remembered, token, now, async () => {
    const claims = await parts.tokens.read(token)
    if (!claims) throw new UnknownCredentials(unknownToken)
    if (claims === 'expired') return null
    const subject = `session:${claims.session}`
    if (claims.kind === 'api_key') {
      const row = await findKeyOfSession(parts.across, claims.session, claims.subject)
      return row && verifiedKey(parts, row, claims.expires_at, [subject])
    }
    const row = await findPersonOfSession(parts.across, claims.session, claims.subject)
    return row && verifiedPerson(row, claims.expires_at, [subject])
  })
  if (!principal) throw refuse(unknownToken)
  return noted(parts, principal)
}

/** Records the use of a key; it is written later. */
function noted(parts: AuthenticationParts, principal: Principal): Principal {
  if (principal.kind === 'api_key') parts.uses.note(principal)
  return principal
}

async function remember(
  remembered: Remembered,
  token: string,
  now: Date,
  verify: () => Promise<Verified | null>,
): Promise<Principal | null> {
  const known = remembered.find(token, now)
  if (known) return known
  const memory = remembered.open()
  const verified = await verify()
  if (verified) memory.keep(token, verified)
  return verified?.principal ?? null
}

function verifiedPerson(row: PersonRow, expires_at: Date, subjects: readonly string[]): Verified | null {
  const principal = principalOfPerson(row)
  const organization = row.organization_id === null ? [] : [`organization:${row.organization_id}`]
  return (
    principal && { principal, expires_at, ends_at: null, subjects: [...subjects, ...organization, `user:${row.id}`] }
  )
}

function verifiedKey(
  { clock }: AuthenticationParts,
  row: KeyRow,
  expires_at: Date,
  subjects: readonly string[],
): Verified | null {
  const principal = principalOfKey(row, clock)
  return (
    principal && {
      principal,
      expires_at,
      ends_at: row.expires_at,
      subjects: [...subjects, `organization:${row.organization_id}`, `key:${row.id}`],
    }
  )
}
