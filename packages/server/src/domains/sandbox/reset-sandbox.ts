import type { Actor } from '../../engine/actor.ts'
import type { Call } from '../../engine/call.ts'
import { assertInvariant } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { isSandboxId, newId } from '../../platform/ids.ts'
import { deleteSandboxScenarios } from '../../platform/integrations/sandbox/store.scenarios.ts'
import { readTaskingHostEnvironment } from '../../platform/sandbox/host-environment.ts'
import { updateSandboxResetCount } from '../../platform/sandbox/store.sandboxes.ts'
import { callHost } from '../catalog/hosts.ts'
import { listLiveItemIds } from '../items/store.item-lifecycle.ts'
import { tombstoneItems } from '../items/tombstone.ts'
import { deductCredits, grantCredits, readWalletBalance } from '../ledger/ledger.ts'
import { stopOpenOrders } from '../orders/stop-order.ts'
import { stopOpenJobs } from '../processing/stop-job.ts'
import { sandbox_credits } from './create-sandbox.ts'

export interface SandboxResetOutcome {
  readonly stopped_orders: number
  readonly deleted_items: number
}

const reset_failure = { code: 'sandbox-reset', text: 'The sandbox was reset.' }

/**
 * Ends what a sandbox has begun, in one transaction: open orders and jobs are stopped, which releases their holds; items are deleted;
 * the credits are set back by an entry of the journal. Closed orders, events, the journal and the time stay.
 */
export async function resetSandbox(tx: Tx, actor: Actor): Promise<SandboxResetOutcome> {
  const { organization } = actor
  await deleteSandboxScenarios(tx, organization)
  const stopped_orders = await stopOpenOrders(tx, actor, reset_failure)
  await stopOpenJobs(tx, actor, reset_failure)
  const items = await listLiveItemIds(tx, organization)
  await tombstoneItems(tx, actor, items)
  await restoreCredits(tx, actor)
  await updateSandboxResetCount(tx, organization)
  return { stopped_orders, deleted_items: items.length }
}

/**
 * Empties what the hosts of tasking hold for a sandbox that was reset: its tasks, studies and occupied passes. It follows the
 * transaction of the reset, so that no open order is left without its task; if it fails, another reset repeats it. Throws
 * `upstream`.
 */
export async function clearTaskingHostEnvironments(call: Call): Promise<void> {
  const { id } = await readTaskingHostEnvironment(call.db, call.clock)
  assertInvariant(isSandboxId(id), 'the world that a reset empties is that of a sandbox')
  for (const host of call.integrations.hosts.values()) {
    const emptied = host.tasking?.deleteWorld?.(id, call.signal)
    if (emptied) await callHost(host, emptied)
  }
}

async function restoreCredits(tx: Tx, actor: Actor): Promise<void> {
  const { available_credits } = await readWalletBalance(tx, actor.organization, actor.clock.now())
  const missing_credits = sandbox_credits - available_credits
  const reference = { type: 'adjustment', id: newId() }
  const note = 'Reset of the sandbox'
  if (missing_credits > 0)
    await grantCredits(tx, actor, { kind: 'grant_manual', amount_credits: missing_credits, reference, note })
  if (missing_credits < 0) await deductCredits(tx, actor, { amount_credits: -missing_credits, reference, note })
}
