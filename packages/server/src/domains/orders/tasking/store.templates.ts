import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { acquireAdvisoryLock } from '../../../platform/database/named-lock.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { TaskingTemplate } from '@swath/contract/schemas/tasking.ts'

export type TaskingTemplateSettings = Omit<TaskingTemplate, 'id' | 'name' | 'description' | 'created_at' | 'updated_at'>

export interface TaskingTemplateRow {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly settings: TaskingTemplateSettings
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`id, name, description, settings, created_at, updated_at`

/** Makes other transactions that save a template of the organization wait until this one ends, so that counts are true. */
export const lockTaskingTemplates = (tx: Tx, organization: string): Promise<void> =>
  acquireAdvisoryLock(tx, `tasking templates of ${organization}`)

/** Writes a template; one with the same name keeps its id and its creation. */
export async function upsertTaskingTemplate(
  tx: Tx,
  organization: string,
  row: Pick<TaskingTemplateRow, 'id' | 'name' | 'description' | 'settings'> & { readonly now: OrganizationTime },
): Promise<TaskingTemplateRow> {
  const [written] = await tx.query<TaskingTemplateRow>(sql`
    insert into tasking_templates (organization_id, id, name, description, settings, created_at, updated_at)
    values (${organization}, ${row.id}, ${row.name}, ${row.description}, ${sql.json(row.settings)}, ${row.now}, ${row.now})
    on conflict (organization_id, name) do update
    set description = excluded.description, settings = excluded.settings, updated_at = excluded.updated_at
    returning ${columns}`)
  return written!
}

/** Lists templates by name. */
export const listTaskingTemplates = (db: SqlStatementRunner, organization: string): Promise<TaskingTemplateRow[]> =>
  db.query<TaskingTemplateRow>(sql`
    select ${columns} from tasking_templates where organization_id = ${organization} order by name collate "C"`)

export async function findTaskingTemplate(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<TaskingTemplateRow | null> {
  const [row] = await db.query<TaskingTemplateRow>(sql`
    select ${columns} from tasking_templates where organization_id = ${organization} and id = ${id}`)
  return row ?? null
}

/** False if there is none. */
export async function deleteTaskingTemplate(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    delete from tasking_templates where organization_id = ${organization} and id = ${id} returning id`)
  return rows.length === 1
}
