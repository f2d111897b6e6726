import type { ViewItem } from '../state/view-item.ts'

/** Two items to compare, by their ids. */
export interface ChangePair {
  readonly before: string
  readonly after: string
}

const byDate = (left: ViewItem, right: ViewItem): number => (left.datetime ?? '').localeCompare(right.datetime ?? '')

export const sortByDate = (items: readonly ViewItem[]): readonly ViewItem[] => items.toSorted(byDate)

/** The shown item with the one before it, or after it if it is the earliest. Null for a single item. */
export function defaultPair(items: readonly ViewItem[], shown: ViewItem): ChangePair | null {
  const ordered = sortByDate(items)
  const at = ordered.findIndex(({ id }) => id === shown.id)
  const [before, after] = at > 0 ? [ordered[at - 1], ordered[at]] : [ordered[0], ordered[1]]
  return before && after ? { before: before.id, after: after.id } : null
}

/** The chosen pair, as long as both of its items are open. */
export const isOpenPair = (pair: ChangePair, items: readonly ViewItem[]): boolean =>
  [pair.before, pair.after].every((wanted) => items.some(({ id }) => id === wanted))
