import Type from 'typebox'
import { operation } from '../operation.ts'
import { tokenPaging } from '../paging.ts'
import { AuditEntry, auditFilters } from '../schemas/event.ts'
import { OrganizationName } from '../schemas/operators/operator-decisions.ts'
import {
  OperatorReason,
  Nullable,
  OptionalNullable,
  StrictObject,
  Timestamp,
  Uuid,
  WithDefault,
} from '../schemas/primitives.ts'

export const adminAuditListOperation = operation({
  id: 'admin.audit.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List the write calls in an organization, or those of operators that belong to none, newest first.',
  input: StrictObject({
    organization_id: Type.Optional(
      Nullable(Uuid, { description: 'Null or absent: the calls that belong to no organization.' }),
    ),
    ...auditFilters,
    ...tokenPaging(),
  }),
  output: Type.Object({
    entries: Type.Array(AuditEntry),
    next: Type.Optional(Type.String({ description: 'Send it as `next` to get the next page.' })),
  }),
  paging: 'token',
  extension: true,
  implemented: true,
})

const DeadTask = Type.Object({
  id: Uuid,
  source: Type.Enum(['queue', 'billing'], { description: 'Where the task was given up.' }),
  task: Type.String({ description: 'The kind of task, such as `orders.fulfil`.' }),
  organization_id: Nullable(Uuid),
  organization_name: OrganizationName,
  subject: Nullable(Type.String(), { description: 'What the task was about, such as an order: its id.' }),
  error: Type.String({ description: 'The error of the last attempt.' }),
  failed_at: Timestamp,
})

export const adminDeadLettersListOperation = operation({
  id: 'admin.dead_letters.list',
  scope: 'admin:read',
  effect: 'read',
  summary: 'List background tasks that have used up their attempts, newest first.',
  input: StrictObject({
    organization_id: OptionalNullable(Uuid),
    limit: WithDefault(Type.Integer({ minimum: 1, maximum: 200 }), 200),
  }),
  output: Type.Object({ dead_letters: Type.Array(DeadTask) }),
  extension: true,
  implemented: true,
})

export const adminDeadLettersRetryOperation = operation({
  id: 'admin.dead_letters.retry',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Give a dead background task all its attempts again.',
  input: StrictObject({ dead_letter_id: Uuid, reason: OperatorReason }),
  output: Type.Object({ id: Uuid, retried: Type.Boolean() }),
  problems: ['not-found'],
  extension: true,
  implemented: true,
})
