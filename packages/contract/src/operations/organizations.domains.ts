import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { DomainName, OrganizationDomain } from '../schemas/people/federation.ts'
import { StrictObject } from '../schemas/primitives.ts'

const DomainResult = Type.Object({ domain: OrganizationDomain })

export const organizationsDomainsAddOperation = operation({
  id: 'organizations.domains.add',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'compute',
  summary: 'Add a domain of e-mail addresses, which a TXT record then proves to be that of the organization.',
  input: StrictObject({ domain: DomainName }),
  output: DomainResult,
  problems: ['name-taken', 'invalid-state'],
  emits: ['organization.domain_added'],
  extension: true,
})

export const organizationsDomainsListOperation = operation({
  id: 'organizations.domains.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List the domains of the organization with the records that prove them.',
  input: StrictObject(offsetPaging()),
  output: ListEnvelope('domains', OrganizationDomain),
  paging: 'offset',
  extension: true,
})

export const organizationsDomainsVerifyOperation = operation({
  id: 'organizations.domains.verify',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'compute',
  summary: 'Look for the record of a domain now; a domain without it stays as it is, with the reason.',
  input: StrictObject({ domain: DomainName }),
  output: DomainResult,
  problems: ['not-found', 'name-taken'],
  emits: ['organization.domain_verified'],
  extension: true,
})

export const organizationsDomainsRemoveOperation = operation({
  id: 'organizations.domains.remove',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'destructive',
  summary: 'Remove a domain: its addresses do not sign in with the provider of the organization any more.',
  input: StrictObject({ domain: DomainName }),
  output: Type.Object({ domain: Type.String() }),
  problems: ['not-found'],
  emits: ['organization.domain_removed'],
  extension: true,
})
