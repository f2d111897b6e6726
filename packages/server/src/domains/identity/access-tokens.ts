import { decodeJwt } from 'jose'
import { TokenRefused, type SigningKeys } from '../../platform/crypto/signing-keys.ts'
import { limits } from '@swath/contract/limits.ts'
import { newId } from '../../platform/ids.ts'

/** The id of the public OAuth client, which is also the audience of the tokens. */
export const clientId = 'swath'

/** The verified claims of an access token. */
export interface AccessClaims {
  readonly kind: 'human' | 'api_key'
  /** The id of the user or API key. */
  readonly subject: string
  readonly session: string
  readonly issued_at: Date
  readonly expires_at: Date
  readonly issuer: string
  readonly token_id: string
  readonly scope: string
}

export interface NewAccessToken {
  readonly kind: 'human' | 'api_key'
  readonly subject: string
  readonly session: string
  readonly organization: string | null
  readonly scopes: readonly string[]
  /** The base URL of the platform, without the realm. */
  readonly base: string
  readonly email?: string
  readonly name?: string | null
}

/** Signs and verifies access tokens. */
export interface AccessTokens {
  sign(token: NewAccessToken): Promise<string>
  /** Null for any text that is not a currently valid access token of this platform. */
  verify(token: string): Promise<AccessClaims | null>
  /** Like `verify`, but distinguishes an expired token of this platform. */
  read(token: string): Promise<AccessClaims | 'expired' | null>
}

export const realm = '/realms/public'
export const issuerOf = (base: string): string => `${base}${realm}`

/** RFC 9068: the type that distinguishes access tokens from any other JWT. */
const tokenType = 'at+jwt'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * `baseUrl` is the configured base URL of the platform. Without one, tokens name the URL of the request, and any issuer with
 * this realm is accepted: the signature authenticates them.
 */
export function makeAccessTokens(keys: SigningKeys, base: string | null): AccessTokens {
  const read: AccessTokens['read'] = async (token) => {
    const issuer = issuerIn(token)
    if (issuer === null || (base === null ? !issuer.endsWith(realm) : issuer !== issuerOf(base))) return null
    try {
      return readClaims(await keys.verify(token, { issuer, audience: clientId, type: tokenType }))
    } catch (error) {
      if (error instanceof TokenRefused) return error.expired ? 'expired' : null
      throw error
    }
  }
  return {
    read,
    sign: (token) =>
      keys.sign(
        {
          sub: token.subject,
          kind: token.kind,
          sid: token.session,
          jti: newId(),
          azp: clientId,
          client_id: clientId,
          scope: token.scopes.join(' '),
          ...(token.organization === null ? {} : { organization: token.organization }),
          ...(token.email === undefined ? {} : { preferred_username: token.email, email: token.email }),
          ...(token.name ? { name: token.name } : {}),
        },
        { issuer: issuerOf(token.base), audience: clientId, lifetime_s: limits.access_token_seconds, type: tokenType },
      ),
    verify: async (token) => {
      const claims = await read(token)
      return claims === 'expired' ? null : claims
    },
  }
}

function issuerIn(token: string): string | null {
  try {
    return decodeJwt(token).iss ?? null
  } catch {
    return null
  }
}

function readClaims(claims: Readonly<Record<string, unknown>>): AccessClaims | null {
  const { sub, sid, kind, iat, exp, iss, jti, scope } = claims
  if (kind !== 'human' && kind !== 'api_key') return null
  if (typeof sub !== 'string' || typeof sid !== 'string' || !uuid.test(sub) || !uuid.test(sid)) return null
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof iss !== 'string') return null
  return {
    kind,
    subject: sub,
    session: sid,
    issued_at: new Date(iat * 1000),
    expires_at: new Date(exp * 1000),
    issuer: iss,
    token_id: typeof jti === 'string' ? jti : '',
    scope: typeof scope === 'string' ? scope : '',
  }
}
