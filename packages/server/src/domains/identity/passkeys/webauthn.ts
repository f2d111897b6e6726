import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { limits } from '@swath/contract/limits.ts'
import type { RelyingParty } from './relying-party.ts'
import type { PasskeyRow } from './store.passkeys.ts'

/** The options of a ceremony as JSON, with its challenge. */
export interface CeremonyOptions {
  readonly challenge: string
  readonly options: Readonly<Record<string, unknown>>
}

const timeout = limits.passkey_challenge_seconds * 1000

const toDescriptors = (passkeys: readonly PasskeyRow[]) =>
  passkeys.map(({ credential_id, transports }) => ({ id: credential_id, transports: [...transports] }))

/** The options that make a passkey which its user is found by, so that signing in needs no e-mail. */
export async function createRegistrationOptions(
  { id: rpID }: RelyingParty,
  user: { readonly id: string; readonly email: string; readonly name: string | null },
  existing: readonly PasskeyRow[],
): Promise<CeremonyOptions> {
  const options = await generateRegistrationOptions({
    rpName: 'Swath',
    rpID,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: user.name ?? user.email,
    timeout,
    attestationType: 'none',
    excludeCredentials: toDescriptors(existing),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  return { challenge: options.challenge, options: { ...options } }
}

/** The options that use a passkey: one of these, or for null any of this site. */
export async function createAuthenticationOptions(
  { id: rpID }: RelyingParty,
  passkeys: readonly PasskeyRow[] | null,
): Promise<CeremonyOptions> {
  const allowCredentials = passkeys === null ? [] : toDescriptors(passkeys)
  const options = await generateAuthenticationOptions({ rpID, timeout, allowCredentials, userVerification: 'required' })
  return { challenge: options.challenge, options: { ...options } }
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** The members of a response that this code reads itself; null for anything else. */
export function readCredential(credential: Json): { readonly id: string; readonly challenge: string } | null {
  const { id, response } = credential
  const encoded = isObject(response) ? response['clientDataJSON'] : null
  if (typeof id !== 'string' || id.length > 1024 || typeof encoded !== 'string' || encoded.length > 8192) return null
  try {
    const clientData: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    const challenge = isObject(clientData) ? clientData['challenge'] : null
    return typeof challenge === 'string' ? { id, challenge } : null
  } catch {
    return null
  }
}

export type NewPasskey = Pick<PasskeyRow, 'credential_id' | 'public_key' | 'counter' | 'transports' | 'is_synced'>

/** The passkey of a response; null if it is not one for this challenge and site with a verified user. */
export async function verifyRegistration(
  { id, origin }: RelyingParty,
  credential: Json,
  challenge: string,
): Promise<NewPasskey | null> {
  const verified = await verifyRegistrationResponse({
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch(() => null)
  if (!verified?.verified) return null
  const { credential: made, credentialDeviceType } = verified.registrationInfo
  return {
    credential_id: made.id,
    public_key: Buffer.from(made.publicKey).toString('base64url'),
    counter: made.counter,
    transports: made.transports ?? [],
    is_synced: credentialDeviceType === 'multiDevice',
  }
}

/** The counter of the authenticator; null if the response is not one of this passkey for this challenge and site. */
export async function verifyAuthentication(
  { id, origin }: RelyingParty,
  credential: Json,
  { challenge, passkey }: { readonly challenge: string; readonly passkey: PasskeyRow },
): Promise<number | null> {
  const verified = await verifyAuthenticationResponse({
    response: credential as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
      transports: [...passkey.transports],
    },
    requireUserVerification: true,
  }).catch(() => null)
  return verified?.verified ? verified.authenticationInfo.newCounter : null
}

/** The user that an authenticator names; null if it names none. */
export function readUserHandle(credential: Json): string | null {
  const { response } = credential
  const handle = isObject(response) ? response['userHandle'] : null
  return typeof handle === 'string' && handle.length <= 128 ? Buffer.from(handle, 'base64url').toString('utf8') : null
}
