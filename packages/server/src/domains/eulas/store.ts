import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql } from '../../platform/database/sql.ts'

/** The acceptance of a document by an organization, or its withdrawal. */
export interface EulaAcceptanceRow {
  readonly organization_id: string
  readonly id: string
  readonly eula_id: string
  readonly document_id: string
  /** Numbers the decisions on the document, from 1. */
  readonly revision: number
  readonly is_accepted: boolean
  readonly title: string
  readonly version: string
  readonly content_sha256: string
  readonly actor_kind: string
  readonly actor_id: string
  readonly created_at: Date
}

const columns = sql`
  e.organization_id, e.id, e.eula_id, e.document_id, e.revision, e.is_accepted, e.title, e.version, e.content_sha256,
  e.actor_kind, e.actor_id, e.created_at`

/** The last decision on each of the documents that has one. */
export const listLastEulaAcceptances = (
  db: SqlStatementRunner,
  organization: string,
  documents: readonly string[],
): Promise<EulaAcceptanceRow[]> =>
  db.query<EulaAcceptanceRow>(sql`
    select distinct on (e.document_id) ${columns} from eula_acceptances e
    where e.organization_id = ${organization} and e.document_id = any(${documents}::uuid[])
    order by e.document_id, e.revision desc`)

/** False if another decision on the document has the same revision. */
export async function insertEulaAcceptance(tx: Tx, row: EulaAcceptanceRow): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into eula_acceptances (organization_id, id, eula_id, document_id, revision, is_accepted, title, version,
                                  content_sha256, actor_kind, actor_id, created_at)
    values (${row.organization_id}, ${row.id}, ${row.eula_id}, ${row.document_id}, ${row.revision}, ${row.is_accepted},
            ${row.title}, ${row.version}, ${row.content_sha256}, ${row.actor_kind}, ${row.actor_id}, ${row.created_at})
    on conflict (organization_id, document_id, revision) do nothing
    returning id`)
  return rows.length > 0
}

/** Newest first; optionally of one agreement. */
export const listEulaAcceptanceRows = (
  db: SqlStatementRunner,
  organization: string,
  { eula_id, limit, offset }: { readonly eula_id: string | null; readonly limit: number; readonly offset: number },
): Promise<RowPage<EulaAcceptanceRow>> =>
  selectPage<EulaAcceptanceRow>(db, {
    columns,
    from: sql`eula_acceptances e`,
    where: sql`e.organization_id = ${organization} and (${eula_id}::uuid is null or e.eula_id = ${eula_id})`,
    orderBy: sql`e.created_at desc, e.document_id, e.revision desc`,
    limit,
    offset,
  })
