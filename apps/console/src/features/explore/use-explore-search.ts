import { useCallback, useEffect, useMemo } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import type { LonLatBounds } from '../../map/view/target-bounds.ts'
import { toDatetime, toSearchInput, type ExploreFilters } from './filters.ts'
import { sceneKey, type Scene } from './scenes.ts'
import { useSceneSearch, type SearchedHost, type SearchInput, type SearchResult } from './use-scene-search.ts'

/** Of each host. */
export const max_scenes = 500

export interface ExploreSearch extends SearchResult {
  readonly retry: () => void
}

/**
 * The scenes of a place at any time, so that the histogram shows what other dates have and an empty result can say what the
 * dates hide. Where a host has more of them than are asked for, those of the dates are searched too.
 */
export function useExploreSearch(filters: ExploreFilters, bounds: LonLatBounds | null): ExploreSearch {
  const hosts = useHosts()
  const wide = useSceneSearch()
  const dated = useSceneSearch()
  const { start } = wide
  const { start: startDated } = dated
  const datetime = toDatetime(filters)
  const wideText = bounds && JSON.stringify(toSearchInput(filters, bounds, max_scenes))
  const isDated = wide.state === 'done' && wide.isLimited && datetime !== null

  useEffect(() => {
    if (wideText && hosts) start(JSON.parse(wideText) as SearchInput, hosts)
  }, [start, wideText, hosts])
  useEffect(() => {
    if (isDated && wideText && hosts) startDated({ ...(JSON.parse(wideText) as SearchInput), datetime }, hosts)
  }, [startDated, isDated, wideText, datetime, hosts])

  const scenes = useMemo(
    () => (isDated ? joinScenes(wide.scenes, dated.scenes) : wide.scenes),
    [isDated, wide.scenes, dated.scenes],
  )
  const retry = useCallback(() => {
    if (wideText && hosts) start(JSON.parse(wideText) as SearchInput, hosts)
  }, [start, wideText, hosts])
  const shown = isDated && dated.state !== 'idle' ? dated : wide
  return { ...shown, scenes, retry }
}

/** All catalogues; null until they are known. Where they cannot be listed, they are searched as one. */
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
