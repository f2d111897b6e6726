import type { Call } from '../../engine/call.ts'
import { listReadableProjectIds } from '../projects/access.ts'
import { toCountedCaller } from '../usage/call-meter.ts'
import type { UsageScope } from '../usage/usage-scope.ts'
import { hasOrganizationPermission } from '../projects/permissions.ts'

/** Members without a billing role see what their projects have spent, and of the callers only themselves. */
export async function findUsageScope(call: Call): Promise<UsageScope> {
  if (await hasOrganizationPermission(call, 'bill')) return { projects: null, caller: null }
  return { projects: await listReadableProjectIds(call), caller: toCountedCaller(call.principal) }
}
