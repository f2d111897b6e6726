import type { OutputOf } from '@swath/client/operations.ts'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { usePlatform } from '../../api/platform.tsx'
import { useMemo } from 'react'
import { sceneKey, type Scene } from './scenes.ts'

/** Ids of one read. */
const page_size = 200

type Found = OutputOf<'stac.search'>

const [idProperty, hostProperty] = ['service:scene_id', 'service:host']

/** Keys of the scenes that are items of the organization already: one read for each page of results. */
export function useOwnedScenes(scenes: readonly Scene[], isComplete: boolean): ReadonlySet<string> {
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
