import type { Actor } from '../../engine/actor.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emitEvent } from '../events/emit.ts'
import { updateOrganizationSuspension } from './store.for-operators.ts'

/** Suspends an organization and emits the event. Throws `invalid-state` unless it is active. */
export async function suspendOrganization(tx: Tx, actor: Actor, reason: string): Promise<void> {
  const now = actor.clock.now()
  const isSuspended = await updateOrganizationSuspension(tx, actor.organization, {
    from: 'active',
    to: 'suspended',
    reason,
    now,
  })
  if (!isSuspended) throw new Problem('invalid-state', 'Only an active organization can be suspended.')
  await emit(tx, actor, 'organization.suspended', reason)
}

/** Ends the suspension of an organization and emits the event. Throws `invalid-state` unless it is suspended. */
export async function resumeOrganization(tx: Tx, actor: Actor, reason: string): Promise<void> {
  const now = actor.clock.now()
  const isResumed = await updateOrganizationSuspension(tx, actor.organization, {
    from: 'suspended',
    to: 'active',
    reason,
    now,
  })
  if (!isResumed) throw new Problem('invalid-state', 'The organization is not suspended.')
  await emit(tx, actor, 'organization.resumed', reason)
}

const emit = (
  tx: Tx,
  actor: Actor,
  kind: 'organization.suspended' | 'organization.resumed',
  reason: string,
): Promise<void> =>
  emitEvent(tx, actor, { kind, entity_type: 'organization', entity_id: actor.organization, data: { reason } })
