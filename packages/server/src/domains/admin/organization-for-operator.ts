import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { isSandboxId } from '../../platform/ids.ts'
import type { ListedOrganization } from '../organizations/store.ts'
import { findOrganizationForOperator } from '../organizations/store.for-operators.ts'

/** Throws `not-found`. */
export async function requireOrganizationForOperator(call: Pick<Call, 'unscoped'>, organization: string) {
  const row = await findOrganizationForOperator(call.unscoped, organization)
  if (!row) throw new Problem('not-found', `No organization has the id "${organization}".`)
  return row
}

/** The representation of an organization for operators. */
export const toOrganizationForOperator = (row: ListedOrganization) => ({
  id: row.id,
  name: row.name,
  plan: row.plan,
  status: row.status,
  sandbox: isSandboxId(row.id),
  created_at: row.created_at.toISOString(),
  delete_after: row.delete_after?.toISOString() ?? null,
  suspended_at: row.suspended_at?.toISOString() ?? null,
  suspended_reason: row.suspended_reason,
})
