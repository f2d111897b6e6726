import type { OrganizationTime, OrganizationCurrentTimes } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { dueCondition } from '../../platform/database/due-condition.ts'
import type { DueRowsQuery } from '../../platform/sandbox/due-rows.ts'
import { sql } from '../../platform/database/sql.ts'

export interface BillingDeadlineRow {
  readonly organization_id: string
  readonly kind: string
  readonly subject_id: string
  readonly due_at: Date
}

/** Sets a deadline; an existing one of the same kind and subject is moved. */
export async function upsertBillingDeadline(
  tx: Tx,
  {
    organization,
    kind,
    subject,
    due_at,
  }: { readonly organization: string; readonly kind: string; readonly subject: string; readonly due_at: Date },
): Promise<void> {
  await tx.query(sql`
    insert into billing_deadlines (organization_id, kind, subject_id, due_at)
    values (${organization}, ${kind}, ${subject}, ${due_at})
    on conflict (organization_id, kind, subject_id) do update set due_at = excluded.due_at`)
}

export async function deleteBillingDeadline(
  tx: Tx,
  organization: string,
  kind: string,
  subject: string,
): Promise<void> {
  await tx.query(sql`
    delete from billing_deadlines
    where organization_id = ${organization} and kind = ${kind} and subject_id = ${subject}`)
}

/** Due deadlines of all organizations, longest overdue first. */
export async function listDueBillingDeadlines(
  across: SqlStatementRunner,
  times: OrganizationCurrentTimes,
  limit: number,
): Promise<BillingDeadlineRow[]> {
  return across.query<BillingDeadlineRow>(sql`
    select organization_id, kind, subject_id, due_at from billing_deadlines
    where ${dueCondition(sql`due_at`, sql`organization_id`, times)} order by due_at, organization_id, kind, subject_id limit ${limit}`)
}

/** The rows of deadlines that are due. */
export const dueBillingDeadlineRows = (organization: string): DueRowsQuery => ({
  from: sql`billing_deadlines`,
  where: sql`organization_id = ${organization}`,
  at: sql`due_at`,
  has_shared_index: true,
})

/** The subjects of all deadlines of a kind, in all organizations. */
export async function listBillingDeadlineSubjects(across: SqlStatementRunner, kind: string): Promise<string[]> {
  const rows = await across.query<{ id: string }>(sql`
    select subject_id as id from billing_deadlines where kind = ${kind}`)
  return rows.map(({ id }) => id)
}

/** Deletes a due deadline; returns false if another transaction deleted or moved it. */
export async function deleteDueBillingDeadline(
  tx: Tx,
  row: BillingDeadlineRow,
  now: OrganizationTime,
): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from billing_deadlines
    where organization_id = ${row.organization_id} and kind = ${row.kind} and subject_id = ${row.subject_id}
      and due_at <= ${now}
    returning kind`)
  return rows.length === 1
}
