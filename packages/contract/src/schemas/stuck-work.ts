import Type, { type Static } from 'typebox'
import { OrganizationName } from './operators/operator-decisions.ts'
import { Nullable, Timestamp, Uuid } from './primitives.ts'

/** The kinds of work that can get stuck. */
export const StuckWorkKind = Type.Enum([
  'task',
  'dead_task',
  'delivery',
  'job',
  'hold',
  'order',
  'upload',
  'upload_cleaning',
  'report_cleaning',
])
export type StuckWorkKind = Static<typeof StuckWorkKind>

/** The actions of an operator on stuck work. */
export const StuckWorkAction = Type.Enum(['retry', 'release', 'cancel'])
export type StuckWorkAction = Static<typeof StuckWorkAction>

export const StuckWorkReason = Type.Enum([
  'lease-ended',
  'failed-repeatedly',
  'waiting',
  'gave-up',
  'not-settled',
  'host-silent',
  'open-too-long',
  'stalled',
  'cleaning-overdue',
])
export type StuckWorkReason = Static<typeof StuckWorkReason>

/** Something that has not moved for long. */
export const StuckWork = Type.Object({
  kind: StuckWorkKind,
  id: Uuid,
  organization_id: Nullable(Uuid, { description: 'Null for a task that belongs to no organization.' }),
  organization_name: OrganizationName,
  subject: Nullable(Type.String(), { description: 'What it is, such as the name of an order or of a task.' }),
  reason: StuckWorkReason,
  detail: Nullable(Type.String(), { description: 'Its status, or the last error.' }),
  stuck_since: Timestamp,
  age_s: Type.Integer({ minimum: 0, description: 'Seconds since then, on the clock by which it is stuck.' }),
  actions: Type.Array(StuckWorkAction, { description: 'What an operator can do about it.' }),
})
