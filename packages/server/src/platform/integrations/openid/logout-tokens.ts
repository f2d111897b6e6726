import { createLocalJWKSet, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose'
import { OpenIdFailure, type ProviderLogout } from './openid-types.ts'

/** Signatures with keys that a provider publishes; a shared secret would let everybody sign who has it. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** An older token may be one that somebody kept. */
const max_age = '150 seconds'

export interface LogoutTokenTerms {
  readonly issuer: string
  readonly client_id: string
  readonly keys: JSONWebKeySet
}

const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const isLogoutEvent = ({ events }: JWTPayload): boolean =>
  typeof events === 'object' && events !== null && typeof Reflect.get(events, logoutEvent) === 'object'

/** Verifies a logout token as section 2.6 of OpenID Connect back-channel logout 1.0 says. */
export async function verifyLogoutToken(
  token: string,
  { issuer, client_id, keys }: LogoutTokenTerms,
): Promise<ProviderLogout> {
  const payload = await readSignedPayload(token, { issuer, client_id, keys })
  const { sid, sub, nonce, jti } = payload
  if (nonce !== undefined || !isLogoutEvent(payload) || readText(jti) === null)
    throw new OpenIdFailure('The token is not a logout token.')
  const logout = { issuer, sid: readText(sid), subject: readText(sub) }
  if (logout.sid === null && logout.subject === null)
    throw new OpenIdFailure('The logout token names neither a session nor a subject.')
  return logout
}

async function readSignedPayload(token: string, { issuer, client_id, keys }: LogoutTokenTerms): Promise<JWTPayload> {
  const options = { issuer, audience: client_id, algorithms, maxTokenAge: max_age, clockTolerance: 30 }
  try {
    return (await jwtVerify(token, createLocalJWKSet(keys), options)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) throw new OpenIdFailure('The logout token is not valid.', { cause: error })
    throw error
  }
}
