import type { Client } from '@swath/client/client.ts'
import type { SignInCase } from './openid-client-session.ts'

/** What each library walks every grant with. */
export interface GrantCase {
  readonly issuer: string
  /** The resource that tokens are for. */
  readonly url: string
  readonly email: string
  readonly password: string
  readonly redirect_uri: string
  readonly post_logout_redirect_uri: string
  /** A confidential client of the organization of the user. */
  readonly client_id: string
  readonly client_secret: string
}

/** The scopes of the client, which has them if none are asked for. */
export const clientScopes = ['items:read', 'orders:read', 'organizations:read'] as const

/** Registers a client that a user has not consented to yet. */
export async function createGrantCase(
  admin: Client,
  url: string,
  { issuer, email, new_password }: SignInCase,
): Promise<GrantCase> {
  const redirect_uri = 'http://127.0.0.1/callback'
  const created = await admin.call('oauth_clients.create', {
    name: 'A program of others',
    type: 'confidential',
    redirect_uris: [redirect_uri],
    scopes: [...clientScopes],
    grants: ['authorization_code', 'refresh_token', 'device_code', 'client_credentials'],
  })
  return {
    issuer,
    url,
    email,
    password: new_password,
    redirect_uri: redirect_uri.replace('/callback', ':51005/callback'),
    post_logout_redirect_uri: `${url}/`,
    client_id: created.client.client_id,
    client_secret: String(created.client_secret),
  }
}
