import { sql, statementOf, type Sql } from '../../platform/database/sql.ts'

const usual_after = 3
const most_kept = 200
const most_watched = 2000

const seen = new Map<string, number>()
let keeping = 0

/**
 * The statement, kept parsed and planned by its connection where its form comes again and again: planning a search costs
 * more than a small one itself. Forms are without end, since filters are, so that only so many are kept.
 */
export function keptWhenUsual(statement: Sql): Sql {
  const form = statementOf(statement).text
  const times = seen.get(form) ?? 0
  if (times >= usual_after) return sql.kept(statement)
  const last = times + 1 === usual_after
  if (last && keeping >= most_kept) return statement
  if (times === 0 && seen.size >= most_watched) forgetRare()
  seen.set(form, times + 1)
  if (last) keeping += 1
  return statement
}

/** Makes room among the forms that are watched. Those that are kept stay so: connections hold them. */
function forgetRare(): void {
  for (const [form, times] of seen) if (times < usual_after) seen.delete(form)
}
