import type { Tx } from '../../platform/database/database.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import { updateOrganizationPlan } from './store.plan.ts'
import type { OrganizationPlan } from './store.ts'

export interface OrganizationPlanChangeOptions {
  /** The reason for the change of the plan. */
  readonly reason: 'first_payment' | 'administrator'
  readonly note?: string
  /** The plan changes only if it is this one now. */
  readonly from?: OrganizationPlan
}

/**
 * Changes the plan of an organization in the transaction of its cause; consequences of a plan, such as the retention of
 * items, are event handlers. `enterprise` is invoiced, other plans are not. Returns the previous plan, or null if nothing
 * changed: the plan is the same already, or it is not `from`.
 */
export async function changeOrganizationPlan(
  tx: Tx,
  actor: Actor,
  plan: OrganizationPlan,
  options: OrganizationPlanChangeOptions,
): Promise<OrganizationPlan | null> {
  const { organization } = actor
  const now = actor.clock.now()
  const previous_plan = await updateOrganizationPlan(tx, organization, { plan, from: options.from ?? null, now })
  if (previous_plan === null) return null
  await emitEvent(tx, actor, {
    kind: 'organization.plan_changed',
    entity_type: 'organization',
    entity_id: organization,
    data: { plan, previous_plan, reason: options.reason, note: options.note ?? null },
  })
  return previous_plan
}

/** The first payment of an organization ends its free plan, so that the imagery it pays for is retained. */
export const endFreePlan = (tx: Tx, actor: Actor): Promise<OrganizationPlan | null> =>
  changeOrganizationPlan(tx, actor, 'prepaid', { reason: 'first_payment', from: 'free' })
