import Type, { type Static } from 'typebox'
import { Nullable, Timestamp, Uuid } from './schemas/primitives.ts'

/** The kinds of entities that act unattended for the user who created them, directly or with an API key. */
export const delegationKinds = [
  'api_key',
  'tile_token',
  'share_link',
  'event_subscription',
  'webhook',
  'report_schedule',
  'saved_search',
  'standing_order',
  'alert_rule',
  'worker_token',
] as const
export type DelegationKind = (typeof delegationKinds)[number]

/** The reasons why a delegation does not act any more, in the order in which they are checked. */
export const delegationStopReasons = ['key_revoked', 'key_expired', 'user_left', 'user_disabled', 'no_access'] as const
export type DelegationStopReason = (typeof delegationStopReasons)[number]

export const DelegationKindName = Type.Enum([...delegationKinds])

/** An entity that acts for a user, with the reason if it does not act any more. */
export const Delegation = Type.Object({
  kind: DelegationKindName,
  id: Uuid,
  name: Type.String(),
  project_id: Nullable(Uuid),
  user_id: Nullable(Uuid, { description: 'The user that it acts for.' }),
  api_key_id: Nullable(Uuid, { description: 'The API key with which the user created it.' }),
  stop_reason: Nullable(Type.Enum([...delegationStopReasons]), { description: 'Null while it acts.' }),
  created_at: Timestamp,
})
export type Delegation = Static<typeof Delegation>
