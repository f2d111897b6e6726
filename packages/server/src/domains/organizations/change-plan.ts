import type { Tx } from '../../platform/database/database.ts'
import { emit, type Actor } from '../events/emit.ts'
import { replacePlan, type Plan } from './store.plan.ts'

export interface PlanTerms {
  /** What moves the organization. */
  readonly reason: 'first_payment' | 'administrator'
  readonly note?: string
  /** It is moved only where it is on this plan. */
  readonly from?: Plan
}

/**
 * Moves an organization to a plan, in the transaction of what caused it; what follows from a plan, such as the retention of items,
 * reacts to the event. What is on `enterprise` is invoiced, what leaves it is not any more. The plan before, or null where nothing
 * changed: it is on that plan already, or not on `from`.
 */
export async function changePlan(tx: Tx, actor: Actor, plan: Plan, terms: PlanTerms): Promise<Plan | null> {
  const { organization } = actor
  const now = actor.clock.now()
  const previous_plan = await replacePlan(tx, organization, { plan, from: terms.from ?? null, now })
  if (previous_plan === null) return null
  await emit(tx, actor, {
    kind: 'organization.plan_changed',
    entity_type: 'organization',
    entity_id: organization,
    data: { plan, previous_plan, reason: terms.reason, note: terms.note ?? null },
  })
  return previous_plan
}

/** The first money that an organization pays ends its free plan: what it pays for is kept. */
export const endFreePlan = (tx: Tx, actor: Actor): Promise<Plan | null> =>
  changePlan(tx, actor, 'prepaid', { reason: 'first_payment', from: 'free' })
