import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { OperatorDecisionStatus } from '../schemas/operators/operator-decisions.ts'
import { RoleChange } from '../schemas/operators/role-change.ts'
import { OperatorReason, OptionalNullable, StrictObject, Uuid } from '../schemas/primitives.ts'

const decision = StrictObject({ role_change_id: Uuid, reason: OperatorReason })

export const adminRoleChangesListOperation = operation({
  id: 'admin.role_changes.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the changes of roles that operators have requested, newest first.',
  input: StrictObject({
    user_id: OptionalNullable(Uuid),
    status: OptionalNullable(OperatorDecisionStatus),
    ...offsetPaging(),
  }),
  output: ListEnvelope('role_changes', RoleChange),
  paging: 'offset',
  extension: true,
})

export const adminRoleChangesApproveOperation = operation({
  id: 'admin.role_changes.approve',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Approve a change of roles that another operator has requested, which holds at once.',
  input: decision,
  output: RoleChange,
  problems: ['not-found', 'forbidden', 'already-decided', 'invalid-state'],
  extension: true,
})

export const adminRoleChangesRejectOperation = operation({
  id: 'admin.role_changes.reject',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Reject a change of roles that was requested, or take back a request of your own.',
  input: decision,
  output: RoleChange,
  problems: ['not-found', 'already-decided'],
  extension: true,
})
