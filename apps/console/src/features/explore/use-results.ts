import { useMemo } from 'react'
import type { ExploreFilters } from './filters.ts'
import { type ScenePass, groupByPass } from './group-scenes.ts'
import { type HidingFilter, type SceneFacts, hideScenes, listUnstated } from './hide-scenes.ts'
import { type Scene, sceneKey } from './scenes.ts'
import { sortScenes } from './sort-scenes.ts'
import type { ExploreSearch } from './use-explore-search.ts'
import { type MeasurePart, useMeasurePart } from './use-measure-part.ts'
import type { OutputOf } from '@swath/client/operations.ts'
import { type UseQueryResult, useQueries } from '@tanstack/react-query'
import { usePlatform } from '../../api/platform.tsx'

/** Ids of one read. */
const page_size = 200

type Found = OutputOf<'stac.search'>

const [idProperty, hostProperty] = ['service:scene_id', 'service:host']

/** Keys of the scenes that are items of the organization already: one read for each page of results. */
function useOwnedScenes(scenes: readonly Scene[], isComplete: boolean): ReadonlySet<string> {
  const { client } = usePlatform()
  const pages = useMemo(
    () =>
      isComplete
        ? Array.from({ length: Math.ceil(scenes.length / page_size) }, (_, page) =>
            scenes.slice(page * page_size, (page + 1) * page_size).map(({ id }) => id),
          )
        : [],
    [scenes, isComplete],
  )
  return useQueries({
    queries: pages.map((ids) => {
      const filter = { op: 'in', args: [{ property: idProperty }, ids] }
      const input = { filter, 'filter-lang': 'cql2-json', limit: page_size } as const
      return {
        queryKey: ['stac.search', input],
        queryFn: ({ signal }: { signal: AbortSignal }): Promise<Found> => client.call('stac.search', input, { signal }),
      }
    }),
    combine: collectKeys,
  })
}

const collectKeys = (pages: readonly UseQueryResult<Found>[]): ReadonlySet<string> =>
  new Set(
    pages
      .flatMap(({ data }) => data?.features ?? [])
      .map(({ properties }) =>
        sceneKey({ id: String(properties[idProperty]), properties: { host: properties[hostProperty] } }),
      ),
  )

/** The scenes of a search that are shown, and their measures. */
export interface Results {
  /** Sorted. */
  readonly scenes: readonly Scene[]
  /** The same in groups; null for a list without them. */
  readonly passes: readonly ScenePass[] | null
  readonly facts: SceneFacts
  readonly listUnstated: (scene: Scene) => readonly HidingFilter[]
  readonly measurePart: MeasurePart
}

export function useResults(search: ExploreSearch, filters: ExploreFilters): Results {
  const measurePart = useMeasurePart(filters.area)
  const owned = useOwnedScenes(search.scenes, search.state === 'done')
  const facts = useMemo(
    (): SceneFacts => ({ owned, measureCover: (scene) => measurePart(scene)?.covered ?? null }),
    [owned, measurePart],
  )
  const scenes = useMemo(
    () =>
      sortScenes(
        hideScenes(search.scenes, filters, facts),
        filters.sort,
        (scene) => facts.measureCover(scene) ?? Number.NaN,
      ),
    [search.scenes, filters, facts],
  )
  const passes = useMemo(() => (filters.isGrouped ? groupByPass(scenes) : null), [scenes, filters.isGrouped])
  const unstated = useMemo(() => listUnstated(filters, facts), [filters, facts])
  return { scenes, passes, facts, listUnstated: unstated, measurePart }
}
