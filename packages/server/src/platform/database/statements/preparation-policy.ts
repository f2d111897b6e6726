import { createBoundedCache } from '../../bounded-cache.ts'
import type { StatementPreparationMode, StatementPreparation } from '../sql.ts'

const prepare_after = 3
const max_prepared = 200
const max_counted = 2000

/** Decides how a statement that asks for it is prepared. */
export type StatementPreparationPolicy = (text: string, requested: StatementPreparation) => StatementPreparationMode

/**
 * Prepares a statement once its text has occurred often enough. Filters allow unlimited statement texts, so the number of
 * prepared ones is limited.
 */
export function createStatementPreparationPolicy(): StatementPreparationPolicy {
  const occurrences = createBoundedCache<string, number>({ max_entries: max_counted })
  /** Not evicted, because connections hold the plans. */
  const prepared = new Set<string>()
  const isFrequent = (text: string): boolean => {
    if (prepared.has(text)) return true
    const count = (occurrences.get(text) ?? 0) + 1
    if (count < prepare_after) occurrences.set(text, count)
    else if (prepared.size < max_prepared) {
      prepared.add(text)
      occurrences.delete(text)
    }
    return false
  }
  return (text, requested) => {
    if (requested === 'when-frequent') return isFrequent(text)
    if (requested === 'generic-when-frequent') return isFrequent(text) && 'generic'
    return requested
  }
}
