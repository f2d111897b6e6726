import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { requireCollection } from '../collections/access.ts'
import { getOrganizationRole } from '../organizations/membership.ts'
import { requireProject } from '../projects/access.ts'
import { findAlertRule, type AlertRuleRow } from './store.ts'

const unknownRule = (id: string): Problem => new Problem('not-found', `No alert rule has the id "${id}".`)

/**
 * The rule, if the caller may read its project; every member may read a rule without a project. Throws `not-found` and
 * `not-a-member`.
 */
export async function requireReadableAlertRule(call: Call, id: string): Promise<AlertRuleRow> {
  const rule = await findAlertRule(call.db, call.organization, id)
  if (!rule) throw unknownRule(id)
  if (rule.project_id !== null) await requireProject(call, rule.project_id, 'read')
  return rule
}

/**
 * Checks that the caller may change the rule: who may write to its project. One without a project belongs to its creator, and
 * owners and admins may change it too. Throws `not-found`, `not-a-member`, `invalid-state` (archived project) and `forbidden`.
 */
export async function requireWritableAlertRule(call: Call, id: string): Promise<AlertRuleRow> {
  const rule = await findAlertRule(call.db, call.organization, id)
  if (!rule) throw unknownRule(id)
  if (rule.project_id !== null) await requireProject(call, rule.project_id, 'write')
  else await requireCreatorOrAdmin(call, rule)
  return rule
}

async function requireCreatorOrAdmin(call: Call, { user_id }: AlertRuleRow): Promise<void> {
  const role = await getOrganizationRole(call)
  if (role === 'owner' || role === 'admin') return
  if (role !== null && user_id !== null && user_id === call.principal.user) return
  throw new Problem('forbidden', 'Only its creator, owners and admins may change a rule of all projects.')
}

/** The rule with its row locked until the transaction ends. Throws `not-found` if it was deleted meanwhile. */
export async function lockAlertRule(
  tx: Tx,
  { organization }: Pick<Call, 'organization'>,
  id: string,
): Promise<AlertRuleRow> {
  const rule = await findAlertRule(tx, organization, id, true)
  if (!rule) throw unknownRule(id)
  return rule
}

interface RuleScopeInput {
  readonly project_id?: string | null
  readonly collection_id?: string | null
}

/** The project and collection of a rule, in which the caller may write. Throws what `requireCollection` throws. */
export async function resolveAlertRuleScope(
  call: Call,
  { project_id = null, collection_id = null }: RuleScopeInput,
): Promise<{ project_id: string | null; collection_id: string | null }> {
  if (collection_id !== null) {
    const collection = await requireCollection(call, collection_id, 'write', project_id)
    return { project_id: collection.project_id, collection_id: collection.id }
  }
  if (project_id === null) return { project_id: null, collection_id: null }
  return { project_id: (await requireProject(call, project_id, 'write')).id, collection_id: null }
}
