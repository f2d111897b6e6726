import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { SupportAccess, supportAccessStates } from '../schemas/operators/support-access.ts'
import { OptionalNullable, StrictObject, Uuid, WithDescription } from '../schemas/primitives.ts'

const access = { access_id: Uuid }

export const organizationsSupportAccessListOperation = operation({
  id: 'organizations.support_access.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List what operators of the platform have asked the organization for, and were granted, newest first.',
  input: StrictObject({
    state: WithDescription('Only those in this state.', OptionalNullable(Type.Enum([...supportAccessStates]))),
    ...offsetPaging(),
  }),
  output: ListEnvelope('support_accesses', SupportAccess),
  paging: 'offset',
  extension: true,
})

export const organizationsSupportAccessGrantOperation = operation({
  id: 'organizations.support_access.grant',
  scope: 'organizations:write',
  permission: 'own',
  callers: 'users',
  effect: 'compute',
  summary: 'Let the operator who asks read as a member of the organization, for the time asked for or a shorter one.',
  input: StrictObject({
    ...access,
    hours: OptionalNullable(Type.Integer({ minimum: 1, maximum: 168, description: 'By default those asked for.' })),
  }),
  output: SupportAccess,
  problems: ['not-found', 'invalid-state'],
  emits: ['support_access.granted'],
  extension: true,
})

export const organizationsSupportAccessRefuseOperation = operation({
  id: 'organizations.support_access.refuse',
  scope: 'organizations:write',
  permission: 'own',
  callers: 'users',
  effect: 'compute',
  summary: 'Refuse the support access that an operator asks for.',
  input: StrictObject(access),
  output: SupportAccess,
  problems: ['not-found', 'invalid-state'],
  emits: ['support_access.refused'],
  extension: true,
})

export const organizationsSupportAccessEndOperation = operation({
  id: 'organizations.support_access.end',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'compute',
  summary: 'End a support access that was granted; the operator reads nothing more from that moment.',
  input: StrictObject(access),
  output: SupportAccess,
  problems: ['not-found', 'invalid-state'],
  emits: ['support_access.ended'],
  extension: true,
})
