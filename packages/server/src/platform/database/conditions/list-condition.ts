import { sql, type Sql } from '../sql.ts'

/** The condition that a text is one of the values; null allows every value, an empty list none. */
export const listCondition = (value: Sql, values: readonly string[] | null): Sql =>
  values === null ? sql`true` : sql`${value} = any(${[...values]}::text[])`
