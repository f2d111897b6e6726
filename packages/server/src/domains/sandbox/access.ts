import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { isSandboxId } from '../../platform/ids.ts'

/** The caller's sandbox organization. Throws `forbidden` for a real organization: no operation of this module touches one. */
export function requireSandbox(call: Pick<Call, 'organization'>): string {
  if (isSandboxId(call.organization)) return call.organization
  throw new Problem('forbidden', 'Only sandbox organizations have this operation.')
}
