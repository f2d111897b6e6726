import type { Delegation } from '@swath/contract/delegations.ts'
import { describeDelegationStop } from '../../engine/describe-stop.ts'
import type { Actor } from '../../engine/actor.ts'
import { toProcessClockTime, type OrganizationClock } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emitEvent } from '../events/emit.ts'
import {
  listStoppedDelegations,
  type DelegationCreator,
  type DelegationRow,
  type DelegationTimes,
} from './store.delegations.ts'

/** Delegations that one event names. */
const max_named = 50

export const toDelegation = (row: DelegationRow): Delegation => ({ ...row, created_at: row.created_at.toISOString() })

/** The current times of an organization. */
export const readDelegationTimes = (clock: OrganizationClock): DelegationTimes => ({
  now: clock.now(),
  processTime: toProcessClockTime(clock.process),
})

/**
 * Emits an event for owners and admins if delegations have stopped because of a change of a user or an API key, in the
 * transaction of that change.
 */
export async function emitStoppedDelegations(tx: Tx, actor: Actor, creator: DelegationCreator): Promise<void> {
  const { organization, clock } = actor
  const rows = await listStoppedDelegations(tx, organization, {
    ...creator,
    ...readDelegationTimes(clock),
    limit: max_named,
  })
  const [first] = rows
  if (!first) return
  await emitEvent(tx, actor, {
    kind: 'organization.delegations_stopped',
    entity_type: 'organization',
    entity_id: organization,
    data: {
      user_id: first.user_id,
      api_key_id: creator.api_key ?? null,
      message: describeDelegationStop(first.stop_reason!),
      delegations: rows.map(({ kind, id, name }) => ({ kind, id, name })),
    },
  })
}
