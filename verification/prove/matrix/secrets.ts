import { sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import type { TestApp } from '../../../packages/server/test/test-app.ts'
import type { World } from './facts.ts'
import type { Secrets } from './judge.ts'

/** Columns with texts that people write. */
const textColumns = ['name', 'title', 'display_name', 'description', 'comment', 'notes'] as const

interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** Those that hold one text. */
  readonly texts: readonly string[] | null
}

/** The tables that have all of these columns, with the ones of them that hold texts. */
const listTables = ({ database }: TestApp, required: readonly string[]): Promise<Table[]> =>
  database.unscoped.query<Table>(sql`
    select c.relname as name, array_agg(a.attname::text) as columns,
      array_agg(a.attname::text) filter (where a.atttypid = 'text'::regtype) as texts
    from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    group by c.relname having array_agg(a.attname::text) @> ${required}::text[]
    order by c.relname`)

const insufficientPrivilege = '42501'

/** Rows that nobody may change keep their texts. */
function keepUnchangeable(error: unknown): never[] {
  if ((error as { readonly code?: unknown }).code === insufficientPrivilege) return []
  throw error
}

/** Writes a marker into every text of the rows; returns in how many columns there is one. Throws if there is none. */
async function plantMarker(app: TestApp, marker: string, where: Sql, required: readonly string[]): Promise<number> {
  let planted = 0
  for (const { name, texts } of await listTables(app, required)) {
    for (const column of textColumns.filter((text) => texts?.includes(text))) {
      const [table, field] = [sql.identifier(name, [name]), sql.identifier(column, textColumns)]
      const update = sql`update ${table} set ${field} = ${field} || ${` ${marker}`} where ${where} returning 1 as one`
      const rows = await app.database.unscoped.query(update).catch(keepUnchangeable)
      if (rows.length > 0) planted++
    }
  }
  if (planted === 0) throw new Error(`no column has the marker "${marker}"`)
  return planted
}

/** The ids of all rows. */
async function listIds(app: TestApp, where: Sql, required: readonly string[]): Promise<string[]> {
  const tables = await listTables(app, [...required, 'id'])
  const ids = tables.map(({ name }) => sql`select id::text as id from ${sql.identifier(name, [name])} where ${where}`)
  return (await app.database.unscoped.query<{ id: string }>(sql.join(ids, sql` union all `))).map(({ id }) => id)
}

export interface PlantedSecrets {
  /** Of the other organization, for everybody else. */
  readonly ofOrganization: Secrets
  /** Of the other project, for those who have no role in it. */
  readonly ofProject: Secrets
  readonly markedColumns: number
}

/** Plants markers in the other organization and in the other project, and lists the ids of both. */
export async function plantSecrets(app: TestApp, { own, otherProject, foreign }: World): Promise<PlantedSecrets> {
  const [organizationMarker, projectMarker] = ['OfAnotherOrganization', 'OfAnotherProject']
  const inOrganization = sql`organization_id = ${foreign.organization}`
  const inProject = sql`organization_id = ${own.organization} and project_id = ${otherProject.project}`
  const ofFields = ['organization_id', 'project_id']
  const markedColumns =
    (await plantMarker(app, organizationMarker, inOrganization, ['organization_id'])) +
    (await plantMarker(app, projectMarker, inProject, ofFields))
  const ids = await listIds(app, inOrganization, ['organization_id'])
  return {
    ofOrganization: { ids: new Set([...ids, foreign.organization, foreign.owner.user]), markers: [organizationMarker] },
    ofProject: { ids: new Set(await listIds(app, inProject, ofFields)), markers: [projectMarker] },
    markedColumns,
  }
}
