import { sql, statementOf, type Sql } from '../../platform/database/sql.ts'

const usual_after = 3
const most_kept = 200
const most_watched = 2000

/**
 * Marks a statement to be prepared by its connection once its text has occurred often enough: planning a small search
 * costs more than running it. Filters allow unlimited statement texts, so the number of prepared ones is limited.
 */
export function createStatementKeeper(): (statement: Sql, keep?: (statement: Sql) => Sql) => Sql {
  const seen = new Map<string, number>()
  let keeping = 0
  return (statement, keep = sql.kept) => {
    const form = statementOf(statement).text
    const times = seen.get(form) ?? 0
    if (times >= usual_after) return keep(statement)
    const last = times + 1 === usual_after
    if (last && keeping >= most_kept) return statement
    if (times === 0 && seen.size >= most_watched) removeRare(seen)
    seen.set(form, times + 1)
    if (last) keeping += 1
    return statement
  }
}

/** Evicts counters of infrequent texts. Prepared ones stay, because connections hold their plans. */
function removeRare(seen: Map<string, number>): void {
  for (const [form, times] of seen) if (times < usual_after) seen.delete(form)
}
