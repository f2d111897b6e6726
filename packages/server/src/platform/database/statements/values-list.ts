import { sql, type Sql } from '../sql.ts'

/** The protocol of PostgreSQL numbers the parameters of a statement with 16 bits. */
const max_parameters = 65_535

/** Longer lists are not inserted faster, and PostgreSQL parses them at once. */
export const max_rows_per_statement = 500

/** Lists of so few rows occur in so few texts that each is prepared. */
const max_prepared_rows = 2

/** Longer lists are rarely repeated with the same number of rows. */
const max_frequent_rows = 16

/**
 * The rows of an INSERT as the list after VALUES; `toRow` writes one with its parentheses. PostgreSQL infers the types of bare
 * parameters from the columns. A statement of a distributed table takes its rows in no other form: rows of a query or a function
 * are copied there, which row-level security refuses.
 *
 * Throws if the list has more parameters than a statement may; split rows with `splitIntoBatches`.
 */
export function buildValuesList<Row>(rows: readonly Row[], toRow: (row: Row) => Sql): Sql {
  const list = rows.map(toRow)
  const parameters = list.length * (list[0]?.values.length ?? 0)
  if (parameters > max_parameters) throw new Error(`${parameters} parameters are more than a statement may have`)
  return sql.join(list)
}

/** Splits rows into lists of at most `size`, each for a statement of its own. */
export function* splitIntoBatches<Row>(
  rows: readonly Row[],
  size: number = max_rows_per_statement,
): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}

/**
 * Prepares a statement with lists of VALUES, whose text depends on their lengths: always if the longest is short, when frequent if
 * it is not long, never otherwise.
 */
export function prepareByListLength(statement: Sql, longest: number): Sql {
  if (longest <= max_prepared_rows) return sql.prepared(statement)
  return longest <= max_frequent_rows ? sql.preparedWhenFrequent(statement) : statement
}
