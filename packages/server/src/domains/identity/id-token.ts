import { createHash } from 'node:crypto'
import { decodeJwt } from 'jose'
import { limits } from '@swath/contract/limits.ts'
import { InvalidToken, type SigningKeys } from '../../platform/crypto/signing-keys.ts'
import { buildIssuerUrl } from './access-tokens.ts'
import { classOfMethods, methodsOf } from './second-factor/methods.ts'

export interface IdTokenInput {
  readonly client_id: string
  /** The id of the user. */
  readonly subject: string
  readonly session: string
  readonly authenticated_at: Date
  readonly nonce: string | null
  /** How the user signed in (RFC 8176); null for a session of before. */
  readonly amr: readonly string[] | null
  /** The access token that is issued with it. */
  readonly access_token: string
  /** The base URL of the platform, without the realm. */
  readonly baseUrl: string
}

/** The left half of the SHA-256 of an access token, as base64url (OpenID Connect core 3.1.3.6). */
export const hashAccessToken = (access_token: string): string =>
  createHash('sha256').update(access_token, 'ascii').digest().subarray(0, 16).toString('base64url')

/** Signs an ID token (OpenID Connect core 2); it is valid as long as the access token. */
export const signIdToken = (keys: SigningKeys, token: IdTokenInput): Promise<string> =>
  keys.sign(
    {
      sub: token.subject,
      azp: token.client_id,
      sid: token.session,
      auth_time: Math.floor(token.authenticated_at.getTime() / 1000),
      at_hash: hashAccessToken(token.access_token),
      amr: methodsOf(token.amr),
      acr: classOfMethods(token.amr),
      ...(token.nonce === null ? {} : { nonce: token.nonce }),
    },
    { issuer: buildIssuerUrl(token.baseUrl), audience: token.client_id, lifetime_s: limits.access_token_seconds },
  )

/** The claims of an ID token about a current or previous session. */
export interface IdTokenHint {
  /** The id of the user. */
  readonly subject: string
  readonly session: string
  readonly client_id: string
}

/** An ID token is a hint for as long as its session may last, although it expired. */
const hint_tolerance_s = limits.max_session_days * 24 * 3600

/** The session of an ID token of one of these clients, also of an expired one; null for any other text. */
export async function readIdTokenHint(
  keys: SigningKeys,
  token: string,
  { client_ids, baseUrl }: { readonly client_ids: readonly string[]; readonly baseUrl: string },
): Promise<IdTokenHint | null> {
  try {
    const expected = {
      issuer: buildIssuerUrl(baseUrl),
      audience: [...client_ids],
      expired_tolerance_s: hint_tolerance_s,
    }
    const { sub, sid, azp } = await keys.verify(token, expected)
    const isComplete = typeof sub === 'string' && typeof sid === 'string' && typeof azp === 'string'
    return isComplete ? { subject: sub, session: sid, client_id: azp } : null
  } catch (error) {
    if (error instanceof InvalidToken) return null
    throw error
  }
}

/** The client that a token says it is for, before its signature is verified; null for any other text. */
export function readUnverifiedAudience(token: string): string | null {
  try {
    const { aud } = decodeJwt(token)
    return typeof aud === 'string' ? aud : null
  } catch {
    return null
  }
}
