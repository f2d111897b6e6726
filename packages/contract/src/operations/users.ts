import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { Consent } from '../schemas/people/oauth-client.ts'
import { EmptyInput, Nullable, StrictObject, Uuid } from '../schemas/primitives.ts'
import { CurrentPrincipal, UserOrganization } from '../schemas/user.ts'

export const usersMeOperation = operation({
  id: 'users.me',
  scope: null,
  effect: 'read',
  summary: 'Read the calling principal with its organization, role, scopes, spend limits and wallet.',
  input: EmptyInput,
  output: CurrentPrincipal,
  extension: true,
})

export const usersOrganizationsListOperation = operation({
  id: 'users.organizations.list',
  scope: null,
  callers: 'users',
  effect: 'read',
  summary: 'List the organizations that the caller is in; a token is for one of them.',
  input: EmptyInput,
  output: ListEnvelope('organizations', UserOrganization),
  extension: true,
})

export const usersConsentsListOperation = operation({
  id: 'users.consents.list',
  scope: 'consents:read',
  callers: 'users',
  effect: 'read',
  summary: 'List what the caller has granted to programs, in all organizations.',
  input: EmptyInput,
  output: ListEnvelope('consents', Consent),
  extension: true,
})

export const usersConsentsRevokeOperation = operation({
  id: 'users.consents.revoke',
  scope: 'consents:write',
  callers: 'users',
  effect: 'destructive',
  summary: 'End what the caller has granted to a program, with its tokens.',
  input: StrictObject({
    client_id: Type.String({ minLength: 1, maxLength: 2000, description: 'As the list has it.' }),
    organization_id: Type.Optional(Nullable(Uuid, { description: 'Null for all organizations.' })),
  }),
  output: Type.Object({ client_id: Type.String(), revoked: Type.Integer({ description: 'How many consents ended.' }) }),
  problems: ['not-found'],
  extension: true,
})
