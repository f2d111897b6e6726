import { refreshSandboxTime } from '../../platform/sandbox/sandbox-times.ts'
import type { Operation } from '@swath/contract/operation.ts'
import type { Principal } from '../../engine/call.ts'
import type { CallCredentials, UrlToken } from '../../engine/pipeline/call-request.ts'
import { Problem } from '../../engine/problem.ts'
import { hashChecksummedToken, parseApiKey } from '../../platform/crypto/secrets.ts'
import { hasTokenPrefix } from '../../platform/crypto/token-prefixes.ts'
import type { AccessTokenClaims } from './access-tokens.ts'
import {
  createAnonymousPrincipal,
  toApiKeyPrincipal,
  toTileTokenPrincipal,
  toUserPrincipal,
  toWorkerPrincipal,
} from './principals.ts'
import { isOAuthClientId } from './clients/oauth-client.ts'
import { narrowPrincipal } from './requested-scopes.ts'
import { isRuleSatisfied } from './second-factor/methods.ts'
import type { AuthenticationDependencies } from './dependencies.ts'
import type { TokenCache, VerifiedToken } from './token-cache.ts'
import {
  findApiKeyAuthByHash,
  findOrganizationRole,
  findApiKeyAuthOfSession,
  type ApiKeyAuthRow,
  type SessionUserRow,
} from './store.ts'
import { unknownPersonalTokenMessage, verifyPersonalToken } from './personal-tokens/resolve-personal-token.ts'
import { splitAssetToken, verifyAssetToken } from './asset-tokens/asset-tokens.ts'
import { toVerifiedAssetToken } from './asset-tokens/resolve-asset-token.ts'
import { findTileTokenByHash, type TileTokenRow } from './tile-tokens/store.tile-tokens.ts'
import { findWorkerToken, findWorkerTokenSubject } from './workers/store.worker-tokens.ts'
import { resolveImpersonatedPrincipal } from './impersonation/resolve-impersonation.ts'
import { findSessionUser } from './federation/admission.ts'
import { throttleUnknownCredentials, UnknownCredentials } from './unknown-credentials.ts'

export type AuthenticationRequirement = Pick<Operation, 'public' | 'scope'>

/** Cached keys are read again after this time, even without a notification of a change. */
const key_cache_ms = 300_000

/** No token of this platform is longer; longer texts are rejected without hashing. */
const max_token_length = 8192

const unknownTokenMessage = 'The token is expired, revoked or not one of this platform.'
const unknownKeyMessage = 'The API key is unknown, expired or revoked.'
const unknownWorkerTokenMessage = 'The token of the worker is unknown or expired.'
const unknownUrlTokenMessage = 'The token in the URL is unknown, expired or revoked.'

const unauthenticated = (detail: string): Problem => new Problem('unauthenticated', detail)

/** The token of an `Authorization: Bearer` header; null without a header. Throws `unauthenticated` for any other scheme. */
export function parseBearerToken(authorization: string | null): string | null {
  if (authorization === null) return null
  const match = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)
  if (!match || authorization.length > max_token_length)
    throw unauthenticated('The Authorization header does not contain a Bearer token.')
  return match[1]!
}

/**
 * The principal of a Bearer token (a JWT of this platform or an API key) or of `X-API-Key`. Both may be sent if they name
 * the same principal. A verified token is cached until it expires or changes, so further calls need neither the database
 * nor the signing keys. Without a header the token in the URL of a map tile or a file counts. Throws `unauthenticated`, `forbidden`
 * while the organization is suspended, or `rate-limited` after too many unknown tokens from the IP address.
 */
export async function authenticatePrincipal(
  dependencies: AuthenticationDependencies,
  credentials: Pick<CallCredentials, 'authorization' | 'apiKey' | 'urlToken' | 'address'>,
  requirement: AuthenticationRequirement,
): Promise<Principal> {
  const { authorization, apiKey } = credentials
  // The common case: a cached token is not parsed again.
  if (apiKey === null && authorization?.startsWith('Bearer ')) {
    const cached = dependencies.tokenCache.find(authorization.slice(7), dependencies.clock.now())
    if (cached) return recordKeyUse(dependencies, cached, credentials)
  }
  const bearer = parseBearerToken(authorization)
  if (bearer === null && apiKey === null) {
    const { urlToken } = credentials
    if (urlToken)
      return throttleUnknownCredentials(dependencies, credentials.address, () =>
        resolveUrlTokenPrincipal(dependencies, urlToken),
      )
    if (requirement.public) return createAnonymousPrincipal(requirement.scope)
    throw unauthenticated('Send a token as `Authorization: Bearer …`, or an API key as `X-API-Key`.')
  }
  const secondApiKey = apiKey === bearer ? null : apiKey
  const [fromBearer, fromKey] = await throttleUnknownCredentials(dependencies, credentials.address, async () => [
    bearer === null ? null : await resolveTokenPrincipal(dependencies, bearer, credentials),
    secondApiKey === null ? null : await resolveApiKeyPrincipal(dependencies, secondApiKey, credentials),
  ])
  const principal = fromBearer ?? fromKey!
  if (fromKey && (fromKey.kind !== principal.kind || fromKey.id !== principal.id)) {
    throw unauthenticated('The Authorization header and X-API-Key name two different callers; send one of them.')
  }
  return principal
}

/** Where a credential was sent from; null for one that somebody else presents. */
interface CredentialSource {
  readonly address: string | null
}

/** The principal of a Bearer token of any kind. */
export function resolveTokenPrincipal(
  dependencies: AuthenticationDependencies,
  token: string,
  source: CredentialSource,
): Promise<Principal> {
  if (hasTokenPrefix('api_key', token)) return resolveApiKeyPrincipal(dependencies, token, source)
  if (hasTokenPrefix('personal_token', token)) return resolvePersonalTokenPrincipal(dependencies, token, source)
  if (hasTokenPrefix('impersonation_token', token)) return resolveImpersonatedPrincipal(dependencies, token)
  if (hasTokenPrefix('worker_token', token)) return resolveWorkerPrincipal(dependencies, token)
  return resolveJwtPrincipal(dependencies, token, source)
}

/** Looked up at each call: a worker makes few, and its token ends with its job. */
async function resolveWorkerPrincipal(
  { unscoped, clock }: AuthenticationDependencies,
  text: string,
): Promise<Principal> {
  const hash = hashChecksummedToken('worker_token', text)
  const subject = hash && (await findWorkerTokenSubject(unscoped, hash))
  if (subject) await refreshSandboxTime({ unscoped, clock }, subject.organization_id)
  const now = subject && clock.forOrganization(subject.organization_id).now()
  const row = now && (await findWorkerToken(unscoped, subject, hash, now))
  if (!row) throw new UnknownCredentials(unknownWorkerTokenMessage)
  const principal = toWorkerPrincipal(row, clock)
  if (!principal) throw unauthenticated(unknownWorkerTokenMessage)
  return principal
}

async function resolveApiKeyPrincipal(
  dependencies: AuthenticationDependencies,
  text: string,
  source: CredentialSource,
): Promise<Principal> {
  const key = text.length <= max_token_length ? parseApiKey(text) : null
  if (!key) throw new UnknownCredentials('The API key is malformed.')
  const now = dependencies.clock.now()
  const principal = await verifyThroughCache(dependencies.tokenCache, text, now, async () => {
    const row = await findApiKeyAuthByHash(dependencies.unscoped, key)
    if (!row) throw new UnknownCredentials(unknownKeyMessage)
    return toVerifiedKey(dependencies, row, new Date(now.getTime() + key_cache_ms), [])
  })
  if (!principal) throw unauthenticated(unknownKeyMessage)
  return recordKeyUse(dependencies, principal, source)
}

async function resolvePersonalTokenPrincipal(
  dependencies: AuthenticationDependencies,
  text: string,
  source: CredentialSource,
): Promise<Principal> {
  const now = dependencies.clock.now()
  const principal = await verifyThroughCache(dependencies.tokenCache, text, now, () =>
    verifyPersonalToken(dependencies, text, new Date(now.getTime() + key_cache_ms)),
  )
  if (!principal) throw unauthenticated(unknownPersonalTokenMessage)
  return recordKeyUse(dependencies, principal, source)
}

/** A token of one kind is unknown where the route accepts the other. */
async function resolveUrlTokenPrincipal(
  dependencies: AuthenticationDependencies,
  { kind, text }: UrlToken,
): Promise<Principal> {
  const now = dependencies.clock.now()
  if (!hasTokenPrefix(`${kind}_token`, text)) throw new UnknownCredentials(unknownUrlTokenMessage)
  const principal = await verifyThroughCache(dependencies.urlTokenCache, text, now, () =>
    kind === 'tile' ? verifyTileToken(dependencies, text) : verifyFileToken(dependencies, text, now),
  )
  if (!principal) throw unauthenticated(unknownUrlTokenMessage)
  return principal
}

async function verifyTileToken(dependencies: AuthenticationDependencies, text: string): Promise<VerifiedToken | null> {
  const hash = hashChecksummedToken('tile_token', text)
  const row = hash && (await findTileTokenByHash(dependencies.unscoped, hash))
  if (!row) throw new UnknownCredentials(unknownUrlTokenMessage)
  return toVerifiedTileToken(dependencies, row)
}

/** Signed, so that it can neither be guessed nor needs the database to be refused: wrong ones are not counted. */
async function verifyFileToken(
  dependencies: AuthenticationDependencies,
  text: string,
  now: Date,
): Promise<VerifiedToken | null> {
  const { token, suffix } = splitAssetToken(text)
  const claims = verifyAssetToken(dependencies.signer, token, now)
  if (claims && suffix !== '') throw new Problem('not-found', 'There is no file beside this one.')
  return claims && toVerifiedAssetToken(dependencies, claims, new Date(now.getTime() + key_cache_ms))
}

/** The token also ends with the API key that created it and with its organization. */
async function toVerifiedTileToken(
  { unscoped, clock }: AuthenticationDependencies,
  row: TileTokenRow,
): Promise<VerifiedToken | null> {
  await refreshSandboxTime({ unscoped, clock }, row.organization_id)
  const principal = toTileTokenPrincipal(row, clock)
  const expires_at = new Date(clock.now().getTime() + key_cache_ms)
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

async function resolveJwtPrincipal(
  dependencies: AuthenticationDependencies,
  token: string,
  source: CredentialSource,
): Promise<Principal> {
  const now = dependencies.clock.now()
  const principal = await verifyThroughCache(dependencies.tokenCache, token, now, async () => {
    const claims = await dependencies.tokens.verifyUnlessExpired(token)
    if (!claims) throw new UnknownCredentials(unknownTokenMessage)
    if (claims === 'expired') return null
    const subject = `session:${claims.session}`
    if (claims.kind === 'api_key') {
      const row = await findApiKeyAuthOfSession(dependencies.unscoped, claims.session, claims.subject)
      return row && narrowToken(await toVerifiedKey(dependencies, row, claims.expires_at, [subject]), claims)
    }
    const row = await findSessionUser(dependencies.unscoped, claims.session, claims.subject)
    const isCurrent = row !== null && isOfOrganization(row, claims) && isRuleSatisfied(row.second_factor_rule, row.amr)
    return isCurrent ? narrowToken(toVerifiedUser(row, claims.expires_at, [subject]), claims) : null
  })
  if (!principal) throw unauthenticated(unknownTokenMessage)
  return recordKeyUse(dependencies, principal, source)
}

/** The scopes of a token are signed: it has those that its user or key still has. */
const narrowToken = (verified: VerifiedToken | null, { scope }: AccessTokenClaims): VerifiedToken | null =>
  verified && { ...verified, principal: narrowPrincipal(verified.principal, scope.split(' ')) }

/**
 * False for a token that names another organization than its session: the session was switched after the token was issued, and what
 * still holds the token must not act in the new organization unknowingly.
 */
const isOfOrganization = (
  { session_organization_id }: SessionUserRow,
  { organization }: Pick<AccessTokenClaims, 'organization'>,
): boolean => organization === null || session_organization_id === null || organization === session_organization_id

/** Records the use of a key or of a personal access token; it is written later. */
function recordKeyUse(
  dependencies: AuthenticationDependencies,
  principal: Principal,
  source: CredentialSource,
): Principal {
  if (principal.kind === 'api_key' || principal.personal_token !== undefined)
    dependencies.keyUsage.record(principal, source.address)
  return principal
}

async function verifyThroughCache(
  cache: TokenCache,
  token: string,
  now: Date,
  verify: () => Promise<VerifiedToken | null>,
): Promise<Principal | null> {
  const cached = cache.find(token, now)
  if (cached) return cached
  const lookup = cache.beginLookup()
  const verified = await verify()
  if (!verified) return null
  const principal = { ...verified.principal, token_subjects: verified.subjects }
  lookup.store(token, { ...verified, principal })
  return principal
}

function toVerifiedUser(row: SessionUserRow, expires_at: Date, subjects: readonly string[]): VerifiedToken | null {
  const user = toUserPrincipal(row)
  const program = row.client_id !== null && isOAuthClientId(row.client_id) ? row.client_id : null
  const principal = user && program !== null ? { ...user, program } : user
  const optionalSubjects = [
    ...(row.organization_id === null ? [] : [`organization:${row.organization_id}`]),
    ...(program === null ? [] : [`client:${program}`]),
    ...(row.browser_session_id === null ? [] : [`session:${row.browser_session_id}`]),
  ]
  return (
    principal && {
      principal,
      expires_at,
      ends_at: null,
      subjects: [...subjects, ...optionalSubjects, `user:${row.id}`],
    }
  )
}

/** The principal of an API key, with the role of its issuer; null for an inactive key. */
export async function toVerifiedKey(
  { unscoped, clock }: Pick<AuthenticationDependencies, 'unscoped' | 'clock'>,
  row: ApiKeyAuthRow,
  expires_at: Date,
  subjects: readonly string[],
): Promise<VerifiedToken | null> {
  await refreshSandboxTime({ unscoped, clock }, row.organization_id)
  const principal = toApiKeyPrincipal(row, clock)
  return (
    principal && {
      principal: { ...principal, issuer_role: await findOrganizationRole(unscoped, row.organization_id, row.issuer) },
      expires_at,
      ends_at: row.expires_at,
      subjects: [...subjects, `organization:${row.organization_id}`, `key:${row.id}`, `user:${row.issuer}`],
    }
  )
}
