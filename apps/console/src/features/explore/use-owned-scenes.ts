import { useOperation } from '../../api/use-operation.ts'
import { useMemo } from 'react'
import type { Scene } from './scenes.ts'

const max_ids = 200

const property = 'service:scene_id'

/** Ids of the shown scenes that are items of the organization already; one read for all. */
export function useOwnedScenes(scenes: readonly Scene[], isComplete: boolean): ReadonlySet<string> {
  const ids = scenes.slice(0, max_ids).map(({ id }) => id)
  const owned = useOperation(
    'stac.search',
    { filter: { op: 'in', args: [{ property }, ids] }, 'filter-lang': 'cql2-json', limit: max_ids },
    { enabled: isComplete && ids.length > 0 },
  )
  return useMemo(
    () => new Set(owned.data?.features.map(({ properties }) => String(properties[property]))),
    [owned.data],
  )
}
