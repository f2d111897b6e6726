import { hour_ms } from '@swath/geo/time-units.ts'
import type { Budget } from '@swath/contract/schemas/clients/budget.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { listPendingCardAuthorisations } from '../../card-payments/store.authorisations.ts'
import { member_spend_window_ms, sumSpendOfMembersInWindow } from '../../ledger/spend-limits.ts'
import { hasOrganizationPermission } from '../../projects/permissions.ts'
import { readableProjectsSql, requireProject } from '../../projects/access.ts'
import type { ProjectRow } from '../../projects/project.ts'
import { requireWorkspace } from '../../projects/workspace.ts'
import { findBudget, sumProjectSpend, type BudgetRow, type BudgetScope } from './store.budgets.ts'

/** The budgets that the caller may see: owners and admins those of all members. */
export async function readBudgetScope(call: Call): Promise<BudgetScope> {
  const seesAll = await hasOrganizationPermission(call, 'administer')
  return {
    organization: call.organization,
    member: seesAll ? null : (call.principal.user ?? call.principal.id),
    projects: readableProjectsSql(call),
  }
}

/** Throws `not-found`, also for another member, and `not-a-member` for a project of the organization. */
export async function requireBudget(call: Call, id: string): Promise<BudgetRow> {
  const row = await findBudget(call.db, await readBudgetScope(call), id)
  if (row) return row
  await requireProject(call, id, 'read')
  throw new Problem('not-found', `No budget has the id "${id}".`)
}

/** The credits that are held or charged, of members in the last 30 days; by budget. */
export async function readBudgetUsage(call: Call, rows: readonly BudgetRow[]): Promise<Map<string, number>> {
  const { db, organization } = call
  const idsOf = (kind: BudgetRow['kind']): string[] => rows.filter((row) => row.kind === kind).map(({ id }) => id)
  const byProject = await sumProjectSpend(db, organization, idsOf('project'))
  const users = idsOf('member')
  if (users.length === 0) return byProject
  const pending = await listPendingCardAuthorisations(db, organization, users)
  const now = call.clock.now()
  return new Map([...byProject, ...(await sumSpendOfMembersInWindow(db, { organization, users, now, pending }))])
}

/** @param consumed the credits of the budget; undefined if they were not requested. */
export function toBudget(call: Pick<Call, 'clock'>, row: BudgetRow, consumed: number | undefined): Budget {
  // To the hour, so that a budget that is read twice is the same.
  const end_ms = Math.ceil(call.clock.now().getTime() / hour_ms) * hour_ms
  const { spend_limit_credits: limit } = row
  const isMember = row.kind === 'member'
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    description: row.description,
    externalId: null,
    status: row.status,
    spendLimit: limit,
    validityPeriod: isMember
      ? {
          startDate: new Date(end_ms - member_spend_window_ms).toISOString(),
          endDate: new Date(end_ms).toISOString(),
        }
      : null,
    ...(consumed === undefined
      ? {}
      : {
          consumedCredits: consumed,
          remainingCredits: limit === null ? null : Math.max(0, limit - consumed),
          usagePercentage: limit === null ? null : limit === 0 ? 100 : Math.round((1000 * consumed) / limit) / 10,
        }),
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/**
 * The project in which something is paid. A budget that is a project stands for it where the workspace is the caller; that of the caller
 * changes nothing, since the limits of a member hold anyway. Throws `not-found` for an unknown budget, `validation` for another one, and
 * what `requireProject` throws.
 */
export async function requireBudgetedWorkspace(
  call: Call,
  workspace_id: string,
  budget_id: string | null | undefined,
): Promise<ProjectRow> {
  const { id, user } = call.principal
  const isCaller = (text: string): boolean => [id, user].includes(text.toLowerCase())
  if (!budget_id || isCaller(budget_id)) return requireWorkspace(call, workspace_id, 'write')
  const { kind } = await requireBudget(call, budget_id)
  const project = await requireWorkspace(
    call,
    kind === 'project' && isCaller(workspace_id) ? budget_id : workspace_id,
    'write',
  )
  if (project.id === budget_id) return project
  const message = 'is neither the project that you order for, nor your own budget'
  throw validationProblem([{ path: 'budgetId', message }])
}
