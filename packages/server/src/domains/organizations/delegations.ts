import type { Delegation } from '@swath/contract/delegations.ts'
import { describeStop } from '../../engine/describe-stop.ts'
import type { Actor } from '../../engine/actor.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emitEvent } from '../events/emit.ts'
import { listDelegations, type DelegationRow } from './store.delegations.ts'

/** Delegations that one event names. */
const max_named = 50

export const toDelegation = (row: DelegationRow): Delegation => ({ ...row, created_at: row.created_at.toISOString() })

/**
 * Tells owners and admins what has stopped because of a change of a user or an API key, in the transaction of that change; nothing if
 * nothing has.
 */
export async function announceStoppedDelegations(
  tx: Tx,
  actor: Actor,
  maker: { readonly user: string; readonly api_key?: null } | { readonly user?: null; readonly api_key: string },
): Promise<void> {
  const { organization, clock } = actor
  const { user = null, api_key = null } = maker
  const filter = { organization, now: clock.now(), stopped: true, user, api_key, limit: max_named }
  const { rows } = await listDelegations(tx, filter)
  const [first] = rows
  if (!first) return
  await emitEvent(tx, actor, {
    kind: 'organization.delegations_stopped',
    entity_type: 'organization',
    entity_id: organization,
    data: {
      user_id: user ?? first.user_id,
      api_key_id: api_key,
      message: describeStop(first.stop_reason!),
      delegations: rows.map(({ kind, id, name }) => ({ kind, id, name })),
    },
  })
}
