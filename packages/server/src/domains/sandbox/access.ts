import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { isSandboxId } from '../../platform/ids.ts'
import { requireOrganizationAdmin } from '../organizations/membership.ts'

/** The caller's sandbox organization. Throws `forbidden` for a real organization: no operation of this module touches one. */
export function requireSandbox(call: Pick<Call, 'organization'>): string {
  if (isSandboxId(call.organization)) return call.organization
  throw new Problem('forbidden', 'Only sandbox organizations have this operation.')
}

/**
 * The same for what changes the sandbox for all of its members. Throws `forbidden` for others than owners and admins too.
 */
export async function requireSandboxAdmin(call: Pick<Call, 'organization' | 'principal' | 'db'>): Promise<string> {
  const organization = requireSandbox(call)
  await requireOrganizationAdmin(call)
  return organization
}
