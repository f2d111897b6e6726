import { operation } from '../operation.ts'
import { ListEnvelope } from '../paging.ts'
import { EmptyInput } from '../schemas/primitives.ts'
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
