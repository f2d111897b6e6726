import Type from 'typebox'
import { operation } from '../operation.ts'
import {
  OperatorReason,
  OptionalNullable,
  StrictObject,
  Uuid,
  WithDefault,
  WithDescription,
} from '../schemas/primitives.ts'
import { StuckWork, StuckWorkAction, StuckWorkKind } from '../schemas/stuck-work.ts'

export const adminStuckWorkListOperation = operation({
  id: 'admin.stuck_work.list',
  scope: 'admin:read',
  effect: 'read',
  summary:
    'List tasks, deliveries, jobs, holds, orders, uploads and cleanings that have not moved for long, oldest first.',
  input: StrictObject({
    kind: WithDescription('Only stuck work of this kind.', OptionalNullable(StuckWorkKind)),
    organization_id: WithDescription(
      'Only that of one organization, which may be a sandbox; otherwise that of all but sandboxes.',
      OptionalNullable(Uuid),
    ),
    min_failures: WithDefault(
      Type.Integer({ minimum: 1, maximum: 100, description: 'Tasks that have failed this often are listed.' }),
      3,
    ),
    limit: WithDefault(Type.Integer({ minimum: 1, maximum: 500, description: 'At most this many of each kind.' }), 100),
  }),
  output: Type.Object({ stuck_work: Type.Array(StuckWork) }),
  problems: ['not-found'],
  extension: true,
})

const target = {
  kind: WithDescription('As `admin.stuck_work.list` returns it.', StuckWorkKind),
  work_id: WithDescription('The `id` of the stuck work.', Uuid),
  organization_id: WithDescription('Its organization; null if it belongs to none.', OptionalNullable(Uuid)),
  reason: OperatorReason,
}

const output = Type.Object({ id: Uuid, kind: StuckWorkKind, action: StuckWorkAction })

export const adminStuckWorkRetryOperation = operation({
  id: 'admin.stuck_work.retry',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Run stuck work again at once: a task, a delivery, a job, an order, an ingestion or a cleaning.',
  input: StrictObject(target),
  output,
  problems: ['not-found', 'invalid-state'],
  extension: true,
})

export const adminStuckWorkReleaseOperation = operation({
  id: 'admin.stuck_work.release',
  scope: 'admin:write',
  effect: 'compute',
  summary: 'Release the hold of an order or job that has ended or does not exist.',
  input: StrictObject(target),
  output,
  problems: ['not-found', 'invalid-state'],
  extension: true,
})

export const adminStuckWorkCancelOperation = operation({
  id: 'admin.stuck_work.cancel',
  scope: 'admin:write',
  effect: 'destructive',
  summary: 'End stuck work for good; an order is charged for what was delivered, and the rest of its hold is released.',
  input: StrictObject(target),
  output,
  problems: ['not-found', 'invalid-state'],
  emits: ['order.failed', 'order.fulfilled', 'job.failed', 'job.released'],
  extension: true,
})
