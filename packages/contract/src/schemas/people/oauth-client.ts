import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from '../primitives.ts'

export const oauthClientTypes = ['confidential', 'public'] as const

/** What a client may ask the token endpoint for. A code always needs PKCE. */
export const oauthClientGrants = ['authorization_code', 'refresh_token', 'device_code', 'client_credentials'] as const

export const OAuthClientGrant = Type.Enum([...oauthClientGrants])

/** A program of an organization that acts for persons who consent, or for the organization. */
export const OAuthClient = Type.Object({
  client_id: Uuid,
  name: Type.String(),
  type: Type.Enum([...oauthClientTypes]),
  redirect_uris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String(), { description: 'The most that it can get; concrete scopes.' }),
  grants: Type.Array(OAuthClientGrant),
  home_url: Nullable(Type.String()),
  logo_url: Nullable(Type.String()),
  open_to_all: Type.Boolean({ description: 'Also for persons who are not members of the organization.' }),
  former_secret_expires_at: Nullable(Timestamp, { description: 'Until then the secret before is accepted, too.' }),
  disabled_at: Nullable(Timestamp),
  created_by: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
})

/** The only response that contains the secret. */
export const OAuthClientWithSecret = Type.Object({
  client: OAuthClient,
  client_secret: Nullable(Type.String({ description: 'Shown only once; null for a public client.' })),
})

/** What a person has granted to a program. */
export const Consent = Type.Object({
  client_id: Type.String({ description: 'A UUID, or the URL of the document of a client.' }),
  client_name: Type.String(),
  organization_id: Uuid,
  scopes: Type.Array(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})

export type OAuthClient = Static<typeof OAuthClient>
export type OAuthClientGrant = (typeof oauthClientGrants)[number]
export type OAuthClientType = (typeof oauthClientTypes)[number]
export type Consent = Static<typeof Consent>
