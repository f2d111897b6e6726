import { limits } from '@swath/contract/limits.ts'
import { findScopeBeyond } from '@swath/contract/scopes.ts'
import type { Clock, OrganizationClock } from '../../platform/clock.ts'
import type { DbConnection, SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { hashSecretSha256 } from '../../platform/crypto/secrets.ts'
import { newId } from '../../platform/ids.ts'
import { generateToken } from '../../platform/crypto/token-prefixes.ts'
import { findUserIn } from './memberships/choose-organization.ts'
import { areGrantedResources } from './clients/resource-indicators.ts'
import { isOAuthClientId } from './clients/oauth-client.ts'
import { publishPrincipalChange } from './principal-changes.ts'
import { toUserPrincipal } from './principals.ts'
import { isAllowedByRule } from './second-factor/rule.ts'
import {
  findRefreshToken,
  insertSession,
  lockRefreshToken,
  markApiKeySessionsRevoked,
  markSessionRevoked,
  findRootSession,
  insertRefreshTokenSuccessor,
  updateSessionOrganization,
  type RefreshTokenRow,
  type SessionClientFields,
  type SessionOrigin,
  type SessionRow,
} from './store.sessions.ts'

/**
 * The dependencies of sessions; `unscoped`, because the organization of a refresh token is unknown before it is looked
 * up.
 */
export interface SessionDependencies {
  readonly unscoped: DbConnection
  readonly clock: Clock
}

/** The maximum lifetime of a session, however often it is refreshed. */
export const max_session_ms = limits.max_session_days * 24 * 3600 * 1000

/** A session ends when it is not used for this time. */
export const max_session_idle_ms = limits.refresh_token_seconds * 1000

/** 48 characters of base 62: 285 random bits, stored as their SHA-256. */
const generateRefreshToken = (): { text: string; token_hash: string } => {
  const text = generateToken('refresh_token', 48)
  return { text, token_hash: hashSecretSha256(text) }
}

export type SessionOwner =
  | { readonly kind: 'human'; readonly user: string; readonly organization: string | null }
  | { readonly kind: 'api_key'; readonly key: string; readonly organization: string }

/** What the tokens of a session are for. */
export interface SessionTerms {
  readonly scopes: readonly string[]
  readonly client?: SessionClientFields | null
  readonly resources?: readonly string[] | null
  /** The organization whose provider began it; null for a password. */
  readonly provider_organization?: string | null
  /** How the user signed in (RFC 8176). */
  readonly amr?: readonly string[] | null
  readonly origin?: SessionOrigin | null
}

export interface CreatedSession {
  readonly session: string
  readonly refresh_token: string
  readonly scopes: readonly string[]
}

/** Creates a session with its first refresh token, in a transaction or on an unscoped connection. */
export async function createSession(
  db: SqlStatementRunner,
  owner: SessionOwner,
  now: Date,
  { scopes, client = null, resources = null, provider_organization = null, amr = null, origin = null }: SessionTerms,
): Promise<CreatedSession> {
  const { text, token_hash } = generateRefreshToken()
  const session: SessionRow = {
    id: newId(),
    kind: owner.kind,
    user_id: owner.kind === 'human' ? owner.user : null,
    key_id: owner.kind === 'api_key' ? owner.key : null,
    organization_id: owner.organization,
    created_at: now,
    expires_at: new Date(now.getTime() + max_session_idle_ms),
    revoked_at: null,
    scopes,
    client,
    resources,
    provider_organization_id: provider_organization,
    amr,
  }
  await insertSession(db, { ...session, origin }, token_hash)
  return { session: session.id, refresh_token: text, scopes }
}

export type RefreshTokenRotation =
  | { readonly outcome: 'rotated'; readonly session: SessionRow; readonly refresh_token: string }
  | { readonly outcome: RefreshTokenRefusal }

/** The reasons for refusing a refresh token. */
export type RefreshTokenRefusal =
  | 'unknown'
  | 'expired'
  | 'reused'
  | 'revoked'
  | 'otherClient'
  | 'otherResource'
  | 'notMember'
  | 'secondFactor'
  | 'wider'

export interface RefreshTokenUse {
  /** The client that asks; null if it does not say. One of others was authenticated. */
  readonly client_id: string | null
  /** The organization that the session is to name from now on; null leaves it as it is. */
  readonly organization: string | null
  /** The scopes that are asked for; null for those of the session. */
  readonly scopes: readonly string[] | null
  /** The resources that the token is to be for; null for those of the session. */
  readonly resources: readonly string[] | null
}

/**
 * Consumes a refresh token and issues the next one. A token that is used twice was stolen, or its response was: the session
 * ends, with all its access tokens. A token whose user is not in the organization that is switched to, or has to sign in to it with a
 * second factor, or whose session has not the scopes that are asked for, is not consumed.
 */
export async function rotateRefreshToken(
  { unscoped, clock }: SessionDependencies,
  token: string,
  { client_id, organization, scopes, resources }: RefreshTokenUse,
): Promise<RefreshTokenRotation> {
  const used_hash = hashSecretSha256(token)
  return unscoped.transaction(async (tx): Promise<RefreshTokenRotation> => {
    const now = clock.now()
    const row = await lockRefreshToken(tx, used_hash)
    if (!row) return { outcome: 'unknown' }
    if (row.revoked_at !== null) return { outcome: 'revoked' }
    if (row.used_at !== null) {
      await revokeSession(tx, row.id, 'refresh-token-reused', now)
      return { outcome: 'reused' }
    }
    if (isOtherClient(row, client_id)) return { outcome: 'otherClient' }
    if (scopes !== null && !isWithin(scopes, row.scopes)) return { outcome: 'wider' }
    if (!areGrantedResources(resources, row.resources)) return { outcome: 'otherResource' }
    const session_end_ms = row.started_at.getTime() + max_session_ms
    if (row.token_expires_at <= now || session_end_ms <= now.getTime()) return { outcome: 'expired' }
    if (!(await isAllowedByRule(tx, organization === null ? row : { ...row, organization_id: organization })))
      return { outcome: 'secondFactor' }
    const session = organization === null ? row : await switchSession(tx, row, organization)
    if (!session) return { outcome: 'notMember' }
    const { text, token_hash } = generateRefreshToken()
    const expires_at = new Date(now.getTime() + max_session_idle_ms)
    await insertRefreshTokenSuccessor(tx, row, used_hash, { token_hash, created_at: now, expires_at })
    return { outcome: 'rotated', session, refresh_token: text }
  })
}

/** Programs of the platform need not say who they are, those of others must. */
function isOtherClient({ client }: Pick<SessionRow, 'client'>, client_id: string | null): boolean {
  if (client_id === null) return client !== null && isOAuthClientId(client.client_id)
  return client === null ? isOAuthClientId(client_id) : client.client_id !== client_id
}

/** True if a session may have all that these scopes cover. */
const isWithin = (scopes: readonly string[], most: readonly string[] | null): boolean =>
  most === null || findScopeBeyond(scopes, most) === undefined

/** Lets a session name another organization of its user; null if it cannot. Its former access tokens end. */
async function switchSession(tx: Tx, session: RefreshTokenRow, named: string): Promise<RefreshTokenRow | null> {
  const organization_id = named.toLowerCase()
  if (session.organization_id === organization_id) return session
  const { provider_organization_id } = session
  const user =
    session.user_id === null ? null : await findUserIn(tx, organization_id, session.user_id, provider_organization_id)
  if (!user || !toUserPrincipal(user)) return null
  await updateSessionOrganization(tx, session.id, organization_id)
  await publishPrincipalChange(tx, `session:${session.id}`)
  return { ...session, organization_id }
}

/** The session of a refresh token, consumed or not; null if the text is not a refresh token. */
export const findSessionByRefreshToken = (
  { unscoped }: SessionDependencies,
  token: string,
): Promise<RefreshTokenRow | null> => findRefreshToken(unscoped, hashSecretSha256(token))

export async function revokeSession(tx: Tx, session: string, reason: string, now: Date): Promise<void> {
  await markSessionRevoked(tx, session, reason, now)
  await publishPrincipalChange(tx, `session:${session}`)
}

/** Ends a session and, if it began in a browser, the one of that browser with all its clients. Returns the id of what ended. */
export async function endSessionOfBrowser(
  dependencies: SessionDependencies,
  session: string,
  reason: string,
): Promise<string | null> {
  const root = await findRootSession(dependencies.unscoped, session)
  if (root !== null) await endSession(dependencies, root, reason)
  return root
}

/** Ends a session: its refresh tokens at once, its access tokens a moment later in every process. */
export const endSession = ({ unscoped, clock }: SessionDependencies, session: string, reason: string): Promise<void> =>
  unscoped.transaction((tx) => revokeSession(tx, session, reason, clock.now()))

/** Ends the sessions that began with the former secret of an API key. */
export const endApiKeySessions = (tx: Tx, { process }: OrganizationClock, key: string): Promise<void> =>
  markApiKeySessionsRevoked(tx, key, 'secret-replaced', process.now())
