import { decodeJwt } from 'jose'
import { InvalidToken, type SigningKeys } from '../../platform/crypto/signing-keys.ts'
import { limits } from '@swath/contract/limits.ts'
import { newId } from '../../platform/ids.ts'

/** The id of the client of API keys and passwords, which is also the audience of all access tokens. */
export const publicClientId = 'swath'

/** The verified claims of an access token. */
export interface AccessTokenClaims {
  readonly kind: 'human' | 'api_key'
  /** The id of the user or API key. */
  readonly subject: string
  readonly session: string
  /** Null if the token names none. */
  readonly organization: string | null
  readonly issued_at: Date
  readonly expires_at: Date
  readonly issuer: string
  readonly token_id: string
  readonly client_id: string
  readonly scope: string
  readonly audience: string | readonly string[]
}

export interface AccessTokenInput {
  readonly kind: 'human' | 'api_key'
  readonly subject: string
  readonly session: string
  readonly organization: string | null
  /** The client that the token is issued to. */
  readonly client_id: string
  readonly scopes: readonly string[]
  /** The resources that it is for, besides the platform (RFC 8707). */
  readonly resources?: readonly string[]
  /** The base URL of the platform, without the realm. */
  readonly baseUrl: string
  readonly email?: string
  readonly name?: string | null
}

/** Signs and verifies access tokens. */
export interface AccessTokenService {
  sign(token: AccessTokenInput): Promise<string>
  /** Null for any text that is not a currently valid access token of this platform. */
  verify(token: string): Promise<AccessTokenClaims | null>
  /** Like `verify`, but distinguishes an expired token of this platform. */
  verifyUnlessExpired(token: string): Promise<AccessTokenClaims | 'expired' | null>
}

export const realmUrlPath = '/realms/public'
export const buildIssuerUrl = (baseUrl: string): string => `${baseUrl}${realmUrlPath}`

/** RFC 9068: the type that distinguishes access tokens from any other JWT. */
const tokenType = 'at+jwt'

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * `baseUrl` is the configured base URL of the platform. Without one, tokens name the URL of the request, and any issuer with
 * this realm is accepted: the signature authenticates them.
 */
export function createAccessTokenService(keys: SigningKeys, baseUrl: string | null): AccessTokenService {
  const verifyUnlessExpired: AccessTokenService['verifyUnlessExpired'] = async (token) => {
    const issuer = decodeUnverifiedIssuer(token)
    if (issuer === null || (baseUrl === null ? !issuer.endsWith(realmUrlPath) : issuer !== buildIssuerUrl(baseUrl)))
      return null
    try {
      return parseClaims(await keys.verify(token, { issuer, audience: publicClientId, type: tokenType }))
    } catch (error) {
      if (error instanceof InvalidToken) return error.expired ? 'expired' : null
      throw error
    }
  }
  return {
    verifyUnlessExpired,
    sign: (token) =>
      keys.sign(
        {
          sub: token.subject,
          kind: token.kind,
          sid: token.session,
          jti: newId(),
          azp: token.client_id,
          client_id: token.client_id,
          scope: token.scopes.join(' '),
          ...(token.organization === null ? {} : { organization: token.organization }),
          ...(token.email === undefined ? {} : { preferred_username: token.email, email: token.email }),
          ...(token.name ? { name: token.name } : {}),
        },
        {
          issuer: buildIssuerUrl(token.baseUrl),
          audience: token.resources?.length ? [publicClientId, ...token.resources] : publicClientId,
          lifetime_s: limits.access_token_seconds,
          type: tokenType,
        },
      ),
    verify: async (token) => {
      const claims = await verifyUnlessExpired(token)
      return claims === 'expired' ? null : claims
    },
  }
}

function decodeUnverifiedIssuer(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null
  } catch {
    return null
  }
}

function parseClaims(claims: Readonly<Record<string, unknown>>): AccessTokenClaims | null {
  const { sub, sid, kind, iat, exp, iss, jti, scope, client_id, organization, aud } = claims
  if (kind !== 'human' && kind !== 'api_key') return null
  if (typeof sub !== 'string' || typeof sid !== 'string' || !uuidPattern.test(sub) || !uuidPattern.test(sid))
    return null
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof iss !== 'string') return null
  return {
    kind,
    subject: sub,
    session: sid,
    organization: typeof organization === 'string' ? organization : null,
    issued_at: new Date(iat * 1000),
    expires_at: new Date(exp * 1000),
    issuer: iss,
    token_id: typeof jti === 'string' ? jti : '',
    client_id: typeof client_id === 'string' ? client_id : publicClientId,
    scope: typeof scope === 'string' ? scope : '',
    audience: Array.isArray(aud) ? aud.map(String) : publicClientId,
  }
}
