import type { Actor } from '../../engine/actor.ts'
import type { Call } from '../../engine/call.ts'
import { platformPrincipal } from '../../engine/task-definition.ts'
import type { Tx } from '../../platform/database/database.ts'
import { randomText } from '../../platform/ids.ts'
import { insertSandbox } from '../../platform/sandbox/store.sandboxes.ts'
import { computeFirstMonthEnd } from '../invoicing/billing-cycle/month-end.ts'
import { grantCredits } from '../ledger/ledger.ts'
import { upsertBillingDeadline } from '../ledger/store.deadlines.ts'

/** The credits of a new sandbox, and of one that was reset. */
export const sandbox_credits = 1_000_000

/** Gives a new organization with the id of a sandbox its clock and its play money. */
export async function initializeSandbox(
  tx: Tx,
  call: Pick<Call, 'clocks' | 'queue' | 'operation' | 'requestId'>,
  { organization, seed, now }: { readonly organization: string; readonly seed: string | null; readonly now: Date },
): Promise<void> {
  await insertSandbox(tx, { organization, seed: seed ?? randomText(20), now })
  call.clocks.setSandboxTime(organization, now)
  const { clocks, queue, operation, requestId } = call
  const clock = clocks.forOrganization(organization)
  const actor: Actor = { organization, principal: platformPrincipal, clock, queue, operation, requestId }
  await grantCredits(tx, actor, {
    kind: 'grant_signup',
    amount_credits: sandbox_credits,
    reference: { type: 'organization', id: organization },
    note: 'Play money',
  })
  const due_at = computeFirstMonthEnd(clock.now(), now)
  await upsertBillingDeadline(tx, { organization, kind: 'month-end', subject: organization, due_at })
}
