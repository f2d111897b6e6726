import { sql, toStatement, type Sql } from '../../../platform/database/sql.ts'

const prepare_after = 3
const max_prepared = 200
const max_counted = 2000

/**
 * Marks a statement to be prepared by its connection once its text has occurred often enough: planning a small search
 * costs more than running it. Filters allow unlimited statement texts, so the number of prepared ones is limited.
 */
export function createPreparationPolicy(): (statement: Sql, prepare?: (statement: Sql) => Sql) => Sql {
  const occurrences = new Map<string, number>()
  let prepared_count = 0
  return (statement, prepare = sql.prepared) => {
    const text = toStatement(statement).text
    const count = occurrences.get(text) ?? 0
    if (count >= prepare_after) return prepare(statement)
    const isLastBeforePreparing = count + 1 === prepare_after
    if (isLastBeforePreparing && prepared_count >= max_prepared) return statement
    if (count === 0 && occurrences.size >= max_counted) removeInfrequent(occurrences)
    occurrences.set(text, count + 1)
    if (isLastBeforePreparing) prepared_count += 1
    return statement
  }
}

/** Evicts counters of infrequent texts. Prepared ones stay, because connections hold their plans. */
function removeInfrequent(occurrences: Map<string, number>): void {
  for (const [text, count] of occurrences) if (count < prepare_after) occurrences.delete(text)
}
