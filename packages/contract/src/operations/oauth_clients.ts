import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import {
  OAuthClient,
  OAuthClientGrant,
  oauthClientTypes,
  OAuthClientWithSecret,
} from '../schemas/people/oauth-client.ts'
import {
  ClearIfNull,
  EmptyInput,
  KeepIfNull,
  OkResultWithId,
  OptionalNullable,
  StrictObject,
  Uuid,
  WithDefault,
  WithDescription,
} from '../schemas/primitives.ts'

const Url = Type.String({ minLength: 1, maxLength: limits.max_redirect_uri_length })
const RedirectUris = Type.Array(Url, {
  maxItems: limits.max_redirect_uris,
  description:
    'Compared exactly: https, http on a loopback address with any port, or for public clients a scheme such as `org.example.app`.',
})
const ClientScopes = Type.Array(Type.String({ maxLength: 100 }), {
  minItems: 1,
  maxItems: 100,
  description: 'The most that it can get, also as `items:*` or `*:read`; those that make credentials only by name.',
})
const Grants = Type.Array(OAuthClientGrant, { minItems: 1, maxItems: 4, uniqueItems: true })
const Name = Type.String({ minLength: 1, maxLength: 200 })
const openToAll = 'True for a client that persons of all organizations may use; false for members of this one only.'
const homeUrl = 'An https URL that says what the program is.'
const logoUrl = 'The https URL of an image.'

const manages = {
  scope: 'oauth_clients:write',
  permission: 'administer',
  callers: 'users',
  acts_on: 'member',
  extension: true,
} as const

export const oauthClientsCreateOperation = operation({
  id: 'oauth_clients.create',
  scope: 'oauth_clients:write',
  permission: 'administer',
  callers: 'users',
  effect: 'export',
  summary: 'Register a program that acts for persons or for the organization; only this response has the secret.',
  input: StrictObject({
    name: Name,
    type: WithDescription('A confidential client can keep a secret.', Type.Enum([...oauthClientTypes])),
    redirect_uris: WithDefault(RedirectUris, []),
    scopes: ClientScopes,
    grants: WithDescription('`client_credentials` only for confidential clients.', Grants),
    home_url: WithDescription(homeUrl, OptionalNullable(Url)),
    logo_url: WithDescription(logoUrl, OptionalNullable(Url)),
    open_to_all: WithDefault(Type.Boolean({ description: openToAll }), false),
  }),
  output: OAuthClientWithSecret,
  problems: ['invalid-state'],
  extension: true,
})

export const oauthClientsListOperation = operation({
  id: 'oauth_clients.list',
  scope: 'oauth_clients:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List the OAuth clients of the organization without their secrets.',
  input: EmptyInput,
  output: ListEnvelope('clients', OAuthClient),
  extension: true,
})

export const oauthClientsGetOperation = operation({
  id: 'oauth_clients.get',
  scope: 'oauth_clients:read',
  permission: 'administer',
  effect: 'read',
  summary: 'Read one OAuth client of the organization.',
  input: StrictObject({ client_id: Uuid }),
  output: Type.Object({ client: OAuthClient }),
  problems: ['not-found'],
  extension: true,
})

export const oauthClientsUpdateOperation = operation({
  ...manages,
  id: 'oauth_clients.update',
  effect: 'compute',
  summary: 'Change an OAuth client; disabling it ends its tokens immediately.',
  input: StrictObject({
    client_id: Uuid,
    name: KeepIfNull(Name),
    redirect_uris: KeepIfNull(RedirectUris),
    scopes: KeepIfNull(ClientScopes),
    grants: KeepIfNull(Grants),
    home_url: ClearIfNull(WithDescription(homeUrl, Url)),
    logo_url: ClearIfNull(WithDescription(logoUrl, Url)),
    open_to_all: KeepIfNull(Type.Boolean({ description: openToAll })),
    disabled: KeepIfNull(Type.Boolean({ description: 'A disabled client gets no tokens, and those that it has end.' })),
  }),
  output: Type.Object({ client: OAuthClient }),
  problems: ['not-found'],
})

export const oauthClientsRotateSecretOperation = operation({
  ...manages,
  id: 'oauth_clients.rotate_secret',
  effect: 'export',
  summary: 'Replace the secret of a confidential client; the one before is accepted until the overlap ends.',
  input: StrictObject({
    client_id: Uuid,
    overlap_hours: WithDefault(
      Type.Integer({ minimum: 0, maximum: 168, description: 'How long the old secret is accepted, too.' }),
      24,
    ),
  }),
  output: OAuthClientWithSecret,
  problems: ['not-found', 'invalid-state'],
})

export const oauthClientsDeleteOperation = operation({
  ...manages,
  id: 'oauth_clients.delete',
  effect: 'destructive',
  summary: 'Delete an OAuth client with what persons have granted to it; its tokens end immediately.',
  input: StrictObject({ client_id: Uuid }),
  output: OkResultWithId,
  problems: ['not-found'],
})
