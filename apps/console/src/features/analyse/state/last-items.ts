import { readStored, writeStored } from '../../../api/storage.ts'
import { max_sources } from './analyse-url.ts'

const key = 'swath.analyse-items'

/** The ids of the items that were chosen last in this browser: other places do not keep them in their URL. */
export const readLastItems = (): readonly string[] =>
  (readStored(key) ?? '')
    .split(',')
    .filter((id) => id !== '')
    .slice(0, max_sources)

/** Keeps a choice; an empty one leaves the last. */
export function keepItems(ids: readonly string[]): void {
  if (ids.length > 0) writeStored(key, ids.join(','))
}
