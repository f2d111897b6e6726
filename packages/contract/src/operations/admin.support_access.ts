import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { SupportAccess, supportAccessStates } from '../schemas/operators/support-access.ts'
import {
  OperatorReason,
  OptionalNullable,
  StrictObject,
  Uuid,
  WithDefault,
  WithDescription,
} from '../schemas/primitives.ts'

export const adminSupportAccessRequestOperation = operation({
  id: 'admin.support_access.request',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Ask the owners of an organization for the permission to read as one of its members, for a time.',
  input: StrictObject({
    organization_id: Uuid,
    reason: OperatorReason,
    hours: WithDefault(Type.Integer({ minimum: 1, maximum: 168, description: 'For how long.' }), 24),
  }),
  output: SupportAccess,
  problems: ['not-found', 'invalid-state'],
  emits: ['support_access.requested'],
  extension: true,
})

export const adminSupportAccessListOperation = operation({
  id: 'admin.support_access.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List what operators have asked organizations for, and were granted, newest first.',
  input: StrictObject({
    organization_id: OptionalNullable(Uuid),
    state: WithDescription('Only those in this state.', OptionalNullable(Type.Enum([...supportAccessStates]))),
    ...offsetPaging(),
  }),
  output: ListEnvelope('support_accesses', SupportAccess),
  paging: 'offset',
  extension: true,
})

export const adminSupportAccessEndOperation = operation({
  id: 'admin.support_access.end',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Give a support access of your own back before its time is over, or take back the request for one.',
  input: StrictObject({ organization_id: Uuid, access_id: Uuid, reason: OperatorReason }),
  output: SupportAccess,
  problems: ['not-found', 'invalid-state'],
  emits: ['support_access.ended'],
  extension: true,
})
