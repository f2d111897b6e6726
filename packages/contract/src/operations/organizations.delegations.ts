import Type from 'typebox'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { Delegation, DelegationKindName } from '../delegations.ts'
import { StrictObject, Uuid, WithDefault, WithDescription } from '../schemas/primitives.ts'

export const organizationsDelegationsListOperation = operation({
  id: 'organizations.delegations.list',
  scope: 'organizations:read',
  permission: 'administer',
  effect: 'read',
  summary: 'List what users and API keys have created that acts for them, with why some of it has stopped.',
  input: StrictObject({
    stopped: WithDefault(Type.Boolean({ description: 'Only what does not act any more.' }), true),
    ...offsetPaging(),
  }),
  output: List('delegations', Delegation),
  paging: 'offset',
  extension: true,
  implemented: true,
})

export const organizationsDelegationsTakeOverOperation = operation({
  id: 'organizations.delegations.take_over',
  scope: 'organizations:write',
  permission: 'administer',
  callers: 'users',
  effect: 'compute',
  summary: 'Let what has stopped, because its creator may not act any more, act for the caller.',
  input: StrictObject({
    kind: WithDescription('What `delegation_id` is the id of.', DelegationKindName),
    delegation_id: Uuid,
  }),
  output: Type.Object({ delegation: Delegation }),
  problems: ['not-found', 'invalid-state'],
  extension: true,
  implemented: true,
})
