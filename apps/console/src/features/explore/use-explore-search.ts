import { useCallback, useEffect, useMemo } from 'react'
import { useReachableAgain } from '../../api/reachability.ts'
import { useOperation } from '../../api/use-operation.ts'
import type { LonLatBounds } from '../../map/view/target-bounds.ts'
import { toConditions, toSearchInput, type ExploreFilters } from './filters.ts'
import type { SearchInput } from './older-scenes.ts'
import { sceneKey, type Scene } from './scenes.ts'
import { useSceneSearch, type SearchedHost, type SearchResult } from './use-scene-search.ts'

/** Of each host. */
export const max_scenes = 500
const pause_ms = 200

export interface ExploreSearch extends SearchResult {
  readonly retry: () => void
  /** Adds older scenes of the hosts that have more of them. */
  readonly more: () => void
}

/**
 * The scenes of a place at any time, so that the histogram covers all dates and an empty result can say how many scenes
 * the filters hide. If a host has more scenes than were requested, those that meet the conditions are searched, too.
 */
export function useExploreSearch(filters: ExploreFilters, bounds: LonLatBounds | null): ExploreSearch {
  const hosts = useHosts()
  const wide = useSceneSearch()
  const narrow = useSceneSearch()
  const { start } = wide
  const { start: startNarrow } = narrow
  const wideText = bounds && JSON.stringify(toSearchInput(filters, bounds, max_scenes))
  const conditions = JSON.stringify(toConditions(filters))
  const hasMore = wide.limited.length > 0
  const isNarrow = wide.state === 'done' && hasMore && conditions !== '{}'

  useEffect(() => {
    if (wideText && hosts) start(JSON.parse(wideText) as SearchInput, hosts)
  }, [start, wideText, hosts])
  useEffect(() => {
    if (!isNarrow || !wideText || !hosts) return
    const input = { ...(JSON.parse(wideText) as SearchInput), ...(JSON.parse(conditions) as object) }
    // A slider that is dragged asks once.
    const timer = setTimeout(() => startNarrow(input, hosts), pause_ms)
    return () => clearTimeout(timer)
  }, [startNarrow, isNarrow, wideText, conditions, hosts])

  const scenes = useMemo(
    () => (isNarrow ? joinScenes(wide.scenes, narrow.scenes) : wide.scenes),
    [isNarrow, wide.scenes, narrow.scenes],
  )
  const retry = useCallback(() => {
    if (wideText && hosts) start(JSON.parse(wideText) as SearchInput, hosts)
  }, [start, wideText, hosts])
  useReachableAgain(() => {
    if (wide.state === 'failed' || wide.failures.length > 0) retry()
  })
  const shown = isNarrow && narrow.state !== 'idle' ? narrow : wide
  return { ...shown, scenes, retry }
}

/** All catalogues; null until they are loaded. If they cannot be listed, they are searched as one. */
function useHosts(): readonly SearchedHost[] | null {
  const sources = useOperation('catalog.sources.list', {})
  const { data, isError } = sources
  return useMemo(() => {
    if (data) return data.sources.map(({ id, title }) => ({ id, title }))
    return isError ? [{ id: null, title: '' }] : null
  }, [data, isError])
}

/** Scenes of both, each once. */
const joinScenes = (left: readonly Scene[], right: readonly Scene[]): readonly Scene[] => [
  ...new Map([...left, ...right].map((scene) => [sceneKey(scene), scene])).values(),
]
