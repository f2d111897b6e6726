import type { Call } from '../../engine/call.ts'
import { hasBillingRole } from '../billing/billing-roles.ts'
import { listReadableProjectIds } from '../projects/access.ts'
import { toCaller } from './call-meter.ts'
import type { Caller } from './store.calls.ts'

/** What of the usage of an organization a member may see; null stands for all. */
export interface UsageScope {
  /** The projects whose spending is added up. */
  readonly projects: readonly string[] | null
  /** The only caller whose calls are shown by themselves. */
  readonly caller: Caller | null
}

/** Members without a billing role see what their projects have spent, and of the callers only themselves. */
export async function findUsageScope(call: Call): Promise<UsageScope> {
  if (await hasBillingRole(call)) return { projects: null, caller: null }
  return { projects: await listReadableProjectIds(call), caller: toCaller(call.principal) }
}
