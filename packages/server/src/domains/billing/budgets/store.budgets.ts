import type { Budget } from '@swath/contract/schemas/clients/budget.ts'
import { listCondition } from '../../../platform/database/conditions/list-condition.ts'
import type { SqlStatementRunner } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'

export interface BudgetRow {
  readonly id: string
  readonly kind: Budget['kind']
  readonly name: string
  readonly description: string | null
  readonly status: Budget['status']
  readonly spend_limit_credits: number | null
  readonly created_by: string
  readonly created_at: Date
  readonly updated_at: Date
}

/** Which budgets are read. */
export interface BudgetScope {
  readonly organization: string
  /** Only that of this member; null for those of all members. */
  readonly member: string | null
  /** The ids of the projects, as a query. */
  readonly projects: Sql
}

const budgetsOf = ({ organization, member, projects }: BudgetScope): Sql => sql`
  (select m.user_id as id, 'member' as kind, coalesce(m.name, m.email) as name, null as description,
     case when m.disabled_at is null then 'ACTIVE' else 'INACTIVE' end as status, m.spend_limit_credits,
     m.user_id::text as created_by, m.created_at, m.updated_at
   from memberships m
   where m.organization_id = ${organization} and ${member === null ? sql`true` : sql`m.user_id = ${member}`}
   union all
   select p.id, 'project', p.name, p.description, case when p.is_archived then 'INACTIVE' else 'ACTIVE' end, null,
     p.created_by, p.created_at, p.updated_at
   from projects p
   where p.organization_id = ${organization} and p.deleted_at is null and p.id = any(array(${projects}))) b`

const columns = sql`b.id, b.kind, b.name, b.description, b.status, b.spend_limit_credits, b.created_by, b.created_at, b.updated_at`

/** A page of budgets, by the time of their last change. */
export function listBudgets(
  db: SqlStatementRunner,
  scope: BudgetScope,
  page: {
    readonly statuses: readonly string[] | null
    readonly ascending: boolean
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<BudgetRow>> {
  const { statuses, limit, offset } = page
  const direction = page.ascending ? sql`asc` : sql`desc`
  return selectPage<BudgetRow>(db, {
    columns,
    from: budgetsOf(scope),
    where: listCondition(sql`b.status`, statuses),
    orderBy: sql`b.updated_at ${direction}, b.id ${direction}`,
    limit,
    offset,
  })
}

export async function findBudget(db: SqlStatementRunner, scope: BudgetScope, id: string): Promise<BudgetRow | null> {
  const [row] = await db.query<BudgetRow>(sql`select ${columns} from ${budgetsOf(scope)} where b.id = ${id}`)
  return row ?? null
}

/** The credits that are held for the orders and jobs of each project, or were charged for them. */
export async function sumProjectSpend(
  db: SqlStatementRunner,
  organization: string,
  projects: readonly string[],
): Promise<Map<string, number>> {
  if (projects.length === 0) return new Map()
  const ids = [...projects]
  const rows = await db.query<{ project_id: string; credits: number }>(sql`
    select w.project_id,
      sum(case when r.hold_id is null then h.amount_credits else r.settled_credits end)::bigint as credits
    from (
      select o.project_id, o.hold_id from orders o
      where o.organization_id = ${organization} and o.project_id = any(${ids}::uuid[]) and o.hold_id is not null
      union all
      select j.project_id, j.hold_id from processing_jobs j
      where j.organization_id = ${organization} and j.project_id = any(${ids}::uuid[]) and j.hold_id is not null) w
    join credit_holds h on h.organization_id = ${organization} and h.id = w.hold_id
    left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
    group by w.project_id`)
  return new Map(rows.map(({ project_id, credits }) => [project_id, credits]))
}
