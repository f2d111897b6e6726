import Type from 'typebox'
import { operation } from '../operation.ts'
import { ListEnvelope, offsetPaging } from '../paging.ts'
import { OrganizationName } from '../schemas/operators/operator-decisions.ts'
import { RoleChange } from '../schemas/operators/role-change.ts'
import {
  KeepIfNull,
  OperatorReason,
  Nullable,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDefault,
  WithDescription,
} from '../schemas/primitives.ts'

const OperatedUser = Type.Object({
  id: Uuid,
  email: Type.String(),
  name: Nullable(Type.String()),
  organization_id: Nullable(Uuid, { description: 'The organization that they chose last.' }),
  organization_name: OrganizationName,
  organizations: Type.Array(Type.Object({ id: Uuid, name: Type.String() }), {
    description: 'All organizations that they are in, in the order of joining.',
  }),
  administrator: Type.Boolean({ description: 'An operator of the platform.' }),
  clip_user: Type.Boolean({ description: 'Has the scopes `clip:*`; operators have them, too.' }),
  disabled_at: Nullable(Timestamp, { description: 'Since when they cannot sign in; null if they can.' }),
  created_at: Timestamp,
})

export const adminUsersListOperation = operation({
  id: 'admin.users.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the users of the platform, newest first.',
  input: StrictObject({
    organization_id: OptionalNullable(Uuid),
    email: OptionalNullable(
      Type.String({ minLength: 1, maxLength: 320, description: 'Only users whose e-mail address contains this text.' }),
    ),
    disabled: WithDescription(
      'Only users who are disabled, or only those who are not.',
      OptionalNullable(Type.Boolean()),
    ),
    ...offsetPaging(),
  }),
  output: ListEnvelope('users', OperatedUser),
  paging: 'offset',
  extension: true,
})

export const adminUsersDisableOperation = operation({
  id: 'admin.users.disable',
  scope: 'admin:write',
  effect: 'destructive',
  summary: 'Disable a user: they cannot sign in, and their tokens end at once; API keys that they created stay.',
  input: StrictObject({ user_id: Uuid, reason: OperatorReason }),
  output: OperatedUser,
  problems: ['not-found', 'forbidden', 'invalid-state'],
  extension: true,
  emits: ['organization.delegations_stopped'],
})

export const adminUsersEnableOperation = operation({
  id: 'admin.users.enable',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Let a disabled user sign in again.',
  input: StrictObject({ user_id: Uuid, reason: OperatorReason }),
  output: OperatedUser,
  problems: ['not-found', 'invalid-state'],
  extension: true,
})

export const adminUsersSetRolesOperation = operation({
  id: 'admin.users.set_roles',
  scope: 'admin:write',
  callers: 'users',
  effect: 'compute',
  summary: 'Request that a user becomes, or stops being, an operator or a clip user; another operator approves it.',
  input: StrictObject({
    user_id: Uuid,
    operator: KeepIfNull(OptionalNullable(Type.Boolean())),
    clip_user: KeepIfNull(OptionalNullable(Type.Boolean())),
    reason: OperatorReason,
  }),
  output: RoleChange,
  problems: ['not-found', 'invalid-state'],
  extension: true,
})

export const adminUsersImpersonateOperation = operation({
  id: 'admin.users.impersonate',
  scope: 'admin:write',
  callers: 'users',
  effect: 'export',
  summary: 'Issue a token that reads as a member of an organization that granted support access; it cannot write.',
  input: StrictObject({
    organization_id: Uuid,
    user_id: Uuid,
    reason: OperatorReason,
    minutes: WithDefault(Type.Integer({ minimum: 1, maximum: 60, description: 'How long the token is valid.' }), 15),
  }),
  output: Type.Object({
    impersonation_id: Uuid,
    access_token: Type.String({ description: 'A Bearer token; shown once.' }),
    expires_at: Timestamp,
    user: OperatedUser,
  }),
  problems: ['not-found', 'forbidden'],
  extension: true,
})

export const adminUsersResetSecondFactorOperation = operation({
  id: 'admin.users.reset_second_factor',
  scope: 'admin:write',
  effect: 'destructive',
  summary: 'Remove the authenticator app, passkeys and recovery codes of a user who lost them; all sessions end.',
  input: StrictObject({ user_id: Uuid, reason: OperatorReason }),
  output: OperatedUser,
  problems: ['not-found', 'invalid-state'],
  extension: true,
})
