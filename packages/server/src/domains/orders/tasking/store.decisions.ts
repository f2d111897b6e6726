import {
  feasibilityStudyLifecycle,
  quotationLifecycle,
  type FeasibilityDecision,
  type FeasibilityTransitionName,
  type QuotationDecision,
  type QuotationTransitionName,
} from '@swath/contract/lifecycles.ts'
import type { FeasibilityOption } from '@swath/contract/schemas/tasking.ts'
import type { OrganizationTime, OrganizationTimes } from '../../../platform/clock.ts'
import type { Queryable, Tx } from '../../../platform/database/database.ts'
import { dueCondition } from '../../../platform/database/due-condition.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql, type Sql } from '../../../platform/database/sql.ts'

interface DecisionRow<Decision> {
  readonly id: string
  readonly organization_id: string
  readonly order_id: string
  readonly project_id: string
  readonly decision: Decision
  readonly decided_at: Date | null
  readonly decide_by: Date
  readonly created_at: Date
  readonly updated_at: Date
}

export interface StudyRow extends DecisionRow<FeasibilityDecision> {
  readonly type: 'AUTO' | 'MANUAL'
  readonly options: readonly StudyOption[]
  readonly option_id: string | null
}

/** An option as it is stored: beside what the customer sees, the pass that the host calls by this id. */
export type StudyOption = FeasibilityOption

export interface QuotationRow extends DecisionRow<QuotationDecision> {
  readonly credits_price: number
}

const commonColumns = sql`
  d.id, d.organization_id, d.order_id, o.project_id, d.decision, d.decided_at, d.decide_by, d.created_at, d.updated_at`
const studyColumns = sql`${commonColumns}, d.type, d.options, d.option_id`
const quotationColumns = sql`${commonColumns}, d.credits_price`
const joined = (table: Sql): Sql =>
  sql`${table} d join orders o on o.organization_id = d.organization_id and o.id = d.order_id`
const studies = joined(sql`tasking_studies`)
const quotations = joined(sql`tasking_quotations`)

export async function insertStudy(
  tx: Tx,
  organization: string,
  row: Pick<StudyRow, 'id' | 'order_id' | 'type' | 'options' | 'decide_by'> & { readonly now: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    insert into tasking_studies
      (organization_id, id, order_id, type, decision, options, decide_by, created_at, updated_at)
    values (${organization}, ${row.id}, ${row.order_id}, ${row.type},
            ${feasibilityStudyLifecycle.transitions.upload.to}, ${sql.json(row.options)}, ${row.decide_by}, ${row.now},
            ${row.now})`)
}

export async function insertQuotation(
  tx: Tx,
  organization: string,
  row: Pick<QuotationRow, 'id' | 'order_id' | 'credits_price' | 'decide_by'> & { readonly now: OrganizationTime },
): Promise<void> {
  await tx.query(sql`
    insert into tasking_quotations
      (organization_id, id, order_id, decision, credits_price, decide_by, created_at, updated_at)
    values (${organization}, ${row.id}, ${row.order_id}, ${quotationLifecycle.transitions.upload.to},
            ${row.credits_price}, ${row.decide_by}, ${row.now}, ${row.now})`)
}

export async function findStudy(db: Queryable, organization: string, id: string): Promise<StudyRow | null> {
  const [row] = await db.query<StudyRow>(sql`
    select ${studyColumns} from ${studies} where d.organization_id = ${organization} and d.id = ${id}`)
  return row ?? null
}

export async function findQuotation(db: Queryable, organization: string, id: string): Promise<QuotationRow | null> {
  const [row] = await db.query<QuotationRow>(sql`
    select ${quotationColumns} from ${quotations} where d.organization_id = ${organization} and d.id = ${id}`)
  return row ?? null
}

interface DecisionChange {
  readonly now: OrganizationTime
  /** The principal; null for the platform itself. */
  readonly by: string | null
}

/** Decides a study; false, with nothing written, if it was decided before. */
export async function transitionStudy(
  tx: Tx,
  organization: string,
  id: string,
  { move, option_id = null, now, by }: DecisionChange & { move: FeasibilityTransitionName; option_id?: string | null },
): Promise<boolean> {
  const { from, to } = feasibilityStudyLifecycle.transitions[move]
  const rows = await tx.query(sql`
    update tasking_studies
    set decision = ${to}, option_id = ${option_id}, decided_at = ${now}, decided_by = ${by}, updated_at = ${now}
    where organization_id = ${organization} and id = ${id} and decision = any(${[...(from ?? [])]}::text[])
    returning id`)
  return rows.length === 1
}

/** Decides a quotation; false, with nothing written, if it was decided before. */
export async function transitionQuotation(
  tx: Tx,
  organization: string,
  id: string,
  { move, now, by }: DecisionChange & { move: QuotationTransitionName },
): Promise<boolean> {
  const { from, to } = quotationLifecycle.transitions[move]
  const rows = await tx.query(sql`
    update tasking_quotations set decision = ${to}, decided_at = ${now}, decided_by = ${by}, updated_at = ${now}
    where organization_id = ${organization} and id = ${id} and decision = any(${[...(from ?? [])]}::text[])
    returning id`)
  return rows.length === 1
}

/** The undecided studies and quotations of an order. */
export async function listOpenDecisions(
  db: Queryable,
  organization: string,
  order: string,
): Promise<{ readonly kind: 'feasibility' | 'quotation'; readonly id: string; readonly decide_by: Date }[]> {
  return db.query(sql`
    select 'feasibility' as kind, id, decide_by from tasking_studies
    where organization_id = ${organization} and order_id = ${order} and decision = 'NOT_DECIDED'
    union all
    select 'quotation' as kind, id, decide_by from tasking_quotations
    where organization_id = ${organization} and order_id = ${order} and decision = 'NOT_DECIDED'`)
}

export interface DecisionFilter {
  readonly organization: string
  readonly projects: readonly string[]
  readonly id: string | null
  readonly order_id: string | null
  readonly decisions: readonly string[] | null
  readonly sort: { readonly by: keyof typeof sortColumns; readonly ascending: boolean }
  readonly limit: number
  readonly offset: number
}

const sortColumns = {
  createdAt: sql`d.created_at`,
  updatedAt: sql`d.updated_at`,
  decisionAt: sql`d.decided_at`,
  creditsPrice: sql`d.credits_price`,
} as const

const toPageQuery = (filter: DecisionFilter) => {
  const direction = filter.sort.ascending ? sql`asc nulls last` : sql`desc nulls last`
  return {
    where: sql`
      d.organization_id = ${filter.organization} and o.project_id = any(${filter.projects}::uuid[])
      and (${filter.id}::uuid is null or d.id = ${filter.id}::uuid)
      and (${filter.order_id}::uuid is null or d.order_id = ${filter.order_id}::uuid)
      and (${filter.decisions}::text[] is null or d.decision = any(${filter.decisions}::text[]))`,
    orderBy: sql`${sortColumns[filter.sort.by]} ${direction}, d.id`,
    limit: filter.limit,
    offset: filter.offset,
  }
}

export const listStudies = (db: Queryable, filter: DecisionFilter): Promise<RowPage<StudyRow>> =>
  selectPage(db, { columns: studyColumns, from: studies, ...toPageQuery(filter) })

export const listQuotations = (db: Queryable, filter: DecisionFilter): Promise<RowPage<QuotationRow>> =>
  selectPage(db, { columns: quotationColumns, from: quotations, ...toPageQuery(filter) })

export interface PendingDecisionRow {
  readonly kind: 'feasibility' | 'quotation'
  readonly id: string
  readonly order_id: string
  readonly project_id: string
  readonly display_name: string
  readonly credits_price: number | null
  readonly decide_by: Date
  readonly created_at: Date
}

/** What waits for a decision and has not expired, most urgent first. */
export const listPendingDecisions = (
  db: Queryable,
  filter: {
    readonly organization: string
    readonly projects: readonly string[]
    readonly kinds: readonly string[]
    readonly now: OrganizationTime
    readonly limit: number
    readonly offset: number
  },
): Promise<RowPage<PendingDecisionRow>> =>
  selectPage(db, {
    columns: sql`p.kind, p.id, p.order_id, o.project_id, o.display_name, p.credits_price, p.decide_by, p.created_at`,
    from: sql`(
      select 'feasibility' as kind, organization_id, id, order_id, null::bigint as credits_price, decide_by, created_at
      from tasking_studies where organization_id = ${filter.organization} and decision = 'NOT_DECIDED'
      union all
      select 'quotation' as kind, organization_id, id, order_id, credits_price, decide_by, created_at
      from tasking_quotations where organization_id = ${filter.organization} and decision = 'NOT_DECIDED'
    ) p join orders o on o.organization_id = p.organization_id and o.id = p.order_id`,
    where: sql`
      o.organization_id = ${filter.organization} and o.project_id = any(${filter.projects}::uuid[])
      and p.kind = any(${filter.kinds}::text[]) and p.decide_by > ${filter.now}`,
    orderBy: sql`p.decide_by, p.created_at, p.id`,
    limit: filter.limit,
    offset: filter.offset,
  })

/** The orders of all organizations with a decision whose time is over. */
export const listDueDecisions = (
  unscoped: Queryable,
  times: OrganizationTimes,
): Promise<{ organization_id: string; order_id: string }[]> =>
  unscoped.query(sql`
    select organization_id, order_id from tasking_studies
    where decision = 'NOT_DECIDED' and ${dueCondition(sql`decide_by`, sql`organization_id`, times)}
    union
    select organization_id, order_id from tasking_quotations
    where decision = 'NOT_DECIDED' and ${dueCondition(sql`decide_by`, sql`organization_id`, times)}
    limit 1000`)
