import type { SqlStatementRunner } from './database.ts'
import { sql, type Sql } from './sql.ts'

/** The rows of one page, and the number of rows on all pages. */
export interface RowPage<Row> {
  readonly rows: Row[]
  readonly total: number
}

export interface PageQuery {
  readonly columns: Sql
  /** A table, with its alias if the other fragments use one. */
  readonly from: Sql
  /** Names the organization, unless the list is of all organizations. */
  readonly where: Sql
  /** A total order, so that no row is on two pages. */
  readonly orderBy: Sql
  readonly limit: number
  readonly offset?: number
}

/** Reads one page of a list, and counts the rows of the whole list. */
export async function selectPage<Row>(
  db: SqlStatementRunner,
  { columns, from, where, orderBy, limit, offset = 0 }: PageQuery,
): Promise<RowPage<Row>> {
  const rows = await db.query<Row>(sql`
    select ${columns} from ${from} where ${where} order by ${orderBy} limit ${limit} offset ${offset}`)
  const [count] = await db.query<{ total: number }>(sql`select count(*) as total from ${from} where ${where}`)
  return { rows, total: count?.total ?? 0 }
}
