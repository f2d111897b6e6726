import {
  feasibilityStudyLifecycle,
  quotationLifecycle,
  type FeasibilityDecision,
  type FeasibilityTransitionName,
  type QuotationDecision,
  type QuotationTransitionName,
} from '@swath/contract/lifecycles.ts'
import type { FeasibilityOption } from '@swath/contract/schemas/tasking.ts'
import type { OrganizationTime, OrganizationCurrentTimes } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { dueCondition } from '../../../platform/database/due-condition.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import type { DueRowsQuery } from '../../../platform/sandbox/due-rows.ts'
import { sql } from '../../../platform/database/sql.ts'

export type TaskingDecisionKind = 'feasibility' | 'quotation'

interface CommonDecisionRow {
  readonly id: string
  readonly organization_id: string
  readonly order_id: string
  readonly project_id: string
  readonly decided_at: Date | null
  readonly decide_by: Date
  readonly created_at: Date
  readonly updated_at: Date
}

export interface FeasibilityStudyRow extends CommonDecisionRow {
  readonly kind: 'feasibility'
  readonly decision: FeasibilityDecision
  readonly type: 'AUTO' | 'MANUAL'
  readonly options: readonly FeasibilityOption[]
  readonly option_id: string | null
}

export interface QuotationRow extends CommonDecisionRow {
  readonly kind: 'quotation'
  readonly decision: QuotationDecision
  readonly credits_price: number
}

export type TaskingDecisionRow = FeasibilityStudyRow | QuotationRow

const columns = sql`
  id, kind, organization_id, order_id, project_id, decision, type, options, option_id, credits_price, decided_at, decide_by,
  created_at, updated_at`

type NewDecision = Pick<CommonDecisionRow, 'id' | 'order_id' | 'project_id' | 'decide_by'> & {
  readonly now: OrganizationTime
}

export async function insertFeasibilityStudy(
  tx: Tx,
  organization: string,
  row: NewDecision & Pick<FeasibilityStudyRow, 'type' | 'options'>,
): Promise<FeasibilityStudyRow> {
  const [written] = await tx.query<FeasibilityStudyRow>(sql`
    insert into tasking_decisions
      (organization_id, id, kind, order_id, project_id, decision, type, options, decide_by, created_at, updated_at)
    values (${organization}, ${row.id}, 'feasibility', ${row.order_id}, ${row.project_id},
            ${feasibilityStudyLifecycle.transitions.upload.to}, ${row.type}, ${sql.json(row.options)}, ${row.decide_by},
            ${row.now}, ${row.now})
    returning ${columns}`)
  return written!
}

export async function insertQuotation(
  tx: Tx,
  organization: string,
  row: NewDecision & Pick<QuotationRow, 'credits_price'>,
): Promise<QuotationRow> {
  const [written] = await tx.query<QuotationRow>(sql`
    insert into tasking_decisions
      (organization_id, id, kind, order_id, project_id, decision, credits_price, decide_by, created_at, updated_at)
    values (${organization}, ${row.id}, 'quotation', ${row.order_id}, ${row.project_id},
            ${quotationLifecycle.transitions.upload.to}, ${row.credits_price}, ${row.decide_by}, ${row.now}, ${row.now})
    returning ${columns}`)
  return written!
}

async function findDecision<Row extends TaskingDecisionRow>(
  db: SqlStatementRunner,
  organization: string,
  key: { readonly id: string; readonly kind: TaskingDecisionKind },
): Promise<Row | null> {
  const [row] = await db.query<Row>(sql`
    select ${columns} from tasking_decisions
    where organization_id = ${organization} and id = ${key.id} and kind = ${key.kind}`)
  return row ?? null
}

export const findFeasibilityStudy = (
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<FeasibilityStudyRow | null> =>
  findDecision<FeasibilityStudyRow>(db, organization, { id, kind: 'feasibility' })

export const findQuotation = (db: SqlStatementRunner, organization: string, id: string): Promise<QuotationRow | null> =>
  findDecision<QuotationRow>(db, organization, { id, kind: 'quotation' })

interface DecisionChange {
  readonly now: OrganizationTime
  /** The principal; null for the platform itself. */
  readonly by: string | null
}

/** Decides a study; null, with nothing written, if it was decided before. */
export async function updateFeasibilityStudyStatus(
  tx: Tx,
  organization: string,
  id: string,
  { move, option_id = null, now, by }: DecisionChange & { move: FeasibilityTransitionName; option_id?: string | null },
): Promise<FeasibilityStudyRow | null> {
  const { from, to } = feasibilityStudyLifecycle.transitions[move]
  const [row] = await tx.query<FeasibilityStudyRow>(sql`
    update tasking_decisions
    set decision = ${to}, option_id = ${option_id}, decided_at = ${now}, decided_by = ${by}, updated_at = ${now}
    where organization_id = ${organization} and id = ${id} and decision = any(${[...(from ?? [])]}::text[])
    returning ${columns}`)
  return row ?? null
}

/** Decides a quotation; null, with nothing written, if it was decided before. */
export async function updateQuotationStatus(
  tx: Tx,
  organization: string,
  id: string,
  { move, now, by }: DecisionChange & { move: QuotationTransitionName },
): Promise<QuotationRow | null> {
  const { from, to } = quotationLifecycle.transitions[move]
  const [row] = await tx.query<QuotationRow>(sql`
    update tasking_decisions set decision = ${to}, decided_at = ${now}, decided_by = ${by}, updated_at = ${now}
    where organization_id = ${organization} and id = ${id} and decision = any(${[...(from ?? [])]}::text[])
    returning ${columns}`)
  return row ?? null
}

/** The undecided studies and quotations of an order. */
export const listOpenTaskingDecisions = (
  db: SqlStatementRunner,
  organization: string,
  order: string,
): Promise<TaskingDecisionRow[]> =>
  db.query<TaskingDecisionRow>(sql`
    select ${columns} from tasking_decisions
    where organization_id = ${organization} and order_id = ${order} and decision = 'NOT_DECIDED'`)

export interface TaskingDecisionFilter {
  readonly organization: string
  readonly kind: TaskingDecisionKind
  readonly projects: readonly string[]
  readonly id: string | null
  readonly order_id: string | null
  readonly decisions: readonly string[] | null
  readonly sort: { readonly by: keyof typeof sortColumns; readonly ascending: boolean }
  readonly limit: number
  readonly offset: number
}

const sortColumns = {
  createdAt: sql`created_at`,
  updatedAt: sql`updated_at`,
  decisionAt: sql`decided_at`,
  creditsPrice: sql`credits_price`,
} as const

export function listTaskingDecisions<Row extends TaskingDecisionRow>(
  db: SqlStatementRunner,
  filter: TaskingDecisionFilter,
): Promise<RowPage<Row>> {
  const direction = filter.sort.ascending ? sql`asc nulls last` : sql`desc nulls last`
  return selectPage<Row>(db, {
    columns,
    from: sql`tasking_decisions`,
    where: sql`
      organization_id = ${filter.organization} and kind = ${filter.kind}
      and project_id = any(${filter.projects}::uuid[])
      and (${filter.id}::uuid is null or id = ${filter.id}::uuid)
      and (${filter.order_id}::uuid is null or order_id = ${filter.order_id}::uuid)
      and (${filter.decisions}::text[] is null or decision = any(${filter.decisions}::text[]))`,
    orderBy: sql`${sortColumns[filter.sort.by]} ${direction}, id`,
    limit: filter.limit,
    offset: filter.offset,
  })
}

/** Offers that wait for a decision and have not expired, most urgent first. */
export const listPendingDecisions = (
  db: SqlStatementRunner,
  filter: {
    readonly organization: string
    readonly projects: readonly string[]
    readonly kinds: readonly string[]
    readonly now: OrganizationTime
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<TaskingDecisionRow>> =>
  selectPage<TaskingDecisionRow>(db, {
    columns,
    from: sql`tasking_decisions`,
    where: sql`
      organization_id = ${filter.organization} and project_id = any(${filter.projects}::uuid[])
      and kind = any(${filter.kinds}::text[]) and decision = 'NOT_DECIDED' and decide_by > ${filter.now}`,
    orderBy: sql`decide_by, created_at, id`,
    limit: filter.limit,
    offset: filter.offset,
  })

/** The names of orders, by id. */
export async function listOrderNames(
  db: SqlStatementRunner,
  organization: string,
  orders: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; display_name: string }>(sql`
    select id, display_name from orders where organization_id = ${organization} and id = any(${orders}::uuid[])`)
  return new Map(rows.map(({ id, display_name }) => [id, display_name]))
}

/** The orders of all organizations with a decision whose time is over. */
export async function listDueTaskingDecisions(
  unscoped: SqlStatementRunner,
  times: OrganizationCurrentTimes,
): Promise<{ organization_id: string; order_id: string }[]> {
  return unscoped.query(sql`
    select distinct organization_id, order_id from tasking_decisions
    where decision = 'NOT_DECIDED' and ${dueCondition(sql`decide_by`, sql`organization_id`, times)}
    limit 1000`)
}

/** The rows of open decisions that expire. */
export const dueTaskingDecisionRows = (organization: string): DueRowsQuery => ({
  from: sql`tasking_decisions`,
  where: sql`organization_id = ${organization} and decision = 'NOT_DECIDED'`,
  at: sql`decide_by`,
})
