import type { Preparation, RequestedPreparation } from './sql.ts'

const prepare_after = 3
const max_prepared = 200
const max_counted = 2000

/** Decides how a statement that asks for it is prepared. */
export type PreparationPolicy = (text: string, requested: RequestedPreparation) => Preparation

/**
 * Prepares a statement once its text has occurred often enough. Filters allow unlimited statement texts, so the number of
 * prepared ones is limited.
 */
export function createPreparationPolicy(): PreparationPolicy {
  const occurrences = new Map<string, number>()
  let prepared_count = 0
  const isFrequent = (text: string): boolean => {
    const count = occurrences.get(text) ?? 0
    if (count >= prepare_after) return true
    const isLastBeforePreparing = count + 1 === prepare_after
    if (isLastBeforePreparing && prepared_count >= max_prepared) return false
    if (count === 0 && occurrences.size >= max_counted) removeInfrequent(occurrences)
    occurrences.set(text, count + 1)
    if (isLastBeforePreparing) prepared_count += 1
    return false
  }
  return (text, requested) => {
    if (requested === 'when-frequent') return isFrequent(text)
    if (requested === 'generic-when-frequent') return isFrequent(text) && 'generic'
    return requested
  }
}

/** Evicts counters of infrequent texts. Prepared ones stay, because connections hold their plans. */
function removeInfrequent(occurrences: Map<string, number>): void {
  for (const [text, count] of occurrences) if (count < prepare_after) occurrences.delete(text)
}
