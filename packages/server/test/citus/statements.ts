import type { SqlStatementRunner } from '../../src/platform/database/database.ts'
import { sql, type Sql } from '../../src/platform/database/sql.ts'

/** Runs a statement once for each number: Citus copies no rows of a query into a table with policies. */
export async function runForEach(
  db: SqlStatementRunner,
  [first, last]: readonly [first: number, last: number],
  createStatement: (number: number) => Sql,
): Promise<void> {
  for (let number = first; number <= last; number++) await db.query(createStatement(number))
}

/** Moves a time of rows: Citus computes none from a column in an update. Negative milliseconds are earlier. */
export async function moveTime(
  db: SqlStatementRunner,
  { table, column, where }: { readonly table: string; readonly column: string; readonly where: Sql },
  by_ms: number,
): Promise<void> {
  const [tableName, columnName] = [sql.identifier(table, [table]), sql.identifier(column, [column])]
  const times = await db.query<{ at: Date }>(
    sql`select distinct ${columnName} as at from ${tableName} where ${where} and ${columnName} is not null`,
  )
  // Of a time the milliseconds are read: the database has microseconds.
  for (const at_ms of new Set(times.map(({ at }) => at.getTime())))
    await db.query(sql`
      update ${tableName} set ${columnName} = ${new Date(at_ms + by_ms)}
      where ${where} and ${columnName} >= ${new Date(at_ms)} and ${columnName} < ${new Date(at_ms + 1)}`)
}
