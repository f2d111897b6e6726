import type { Actor } from '../../engine/actor.ts'
import { Problem } from '../../engine/problem.ts'
import { shiftTime, type OrganizationTime } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/database.ts'
import { isSandboxId } from '../../platform/ids.ts'
import { emitEvent } from '../events/emit.ts'
import { markOrganizationDeletionWithdrawn, updateOrganizationDeletionDate } from './store.deletion.ts'

/** The time from the decision of an owner to the deletion. */
const grace_ms = 30 * 86_400_000

/** Sets the deletion date and emits the event; returns the date. Throws `invalid-state` if there is one. */
export async function scheduleOrganizationDeletion(
  tx: Tx,
  actor: Actor,
  reason: string | null,
): Promise<OrganizationTime> {
  const { organization } = actor
  if (isSandboxId(organization)) throw new Problem('invalid-state', 'A sandbox is not closed; reset it instead.')
  const now = actor.clock.now()
  const delete_after = shiftTime(now, grace_ms)
  if (!(await updateOrganizationDeletionDate(tx, organization, { delete_after, now })))
    throw new Problem('invalid-state', 'The organization has a deletion date already.')
  const data = { delete_at: delete_after.toISOString(), reason }
  await emitEvent(tx, actor, {
    kind: 'organization.deletion_scheduled',
    entity_type: 'organization',
    entity_id: organization,
    data,
  })
  return delete_after
}

/** Clears the deletion date and emits the event. Throws `invalid-state` if there is none. */
export async function cancelOrganizationDeletion(tx: Tx, actor: Actor): Promise<void> {
  const { organization } = actor
  if (!(await markOrganizationDeletionWithdrawn(tx, organization, actor.clock.now())))
    throw new Problem('invalid-state', 'The organization has no deletion date.')
  await emitEvent(tx, actor, {
    kind: 'organization.deletion_cancelled',
    entity_type: 'organization',
    entity_id: organization,
    data: {},
  })
}
