import Type from 'typebox'
import { operation } from '../operation.ts'
import { IdentityProvider, identityProviderFields, ProviderTest } from '../schemas/people/federation.ts'
import { EmptyInput, Nullable, StrictObject, Uuid } from '../schemas/primitives.ts'

export const organizationsProviderGetOperation = operation({
  id: 'organizations.provider.get',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'Read how members sign in with the OpenID Connect provider of the organization; null if it has none.',
  input: EmptyInput,
  output: Type.Object({ provider: Nullable(IdentityProvider) }),
  extension: true,
})

export const organizationsProviderSetOperation = operation({
  id: 'organizations.provider.set',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'compute',
  summary: 'Set the OpenID Connect provider of the organization; what is left out gets its default.',
  input: StrictObject(identityProviderFields),
  output: Type.Object({ provider: IdentityProvider }),
  problems: ['not-found', 'forbidden', 'invalid-state'],
  emits: ['organization.provider_changed'],
  extension: true,
})

export const organizationsProviderRemoveOperation = operation({
  id: 'organizations.provider.remove',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'destructive',
  summary:
    'Remove the provider of the organization: sessions that began with it end, and passwords are accepted again.',
  input: EmptyInput,
  output: Type.Object({ provider_id: Uuid }),
  problems: ['not-found'],
  emits: ['organization.provider_removed'],
  extension: true,
})

export const organizationsProviderTestOperation = operation({
  id: 'organizations.provider.test',
  scope: 'organizations:read',
  permission: 'administer',
  callers: 'users',
  effect: 'read',
  summary: 'Read the discovery document and the keys of the provider, and say what is wrong; null without one.',
  input: EmptyInput,
  output: Type.Object({ test: Nullable(ProviderTest) }),
  extension: true,
})
