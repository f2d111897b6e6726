import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { InputOf, OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from '../../../api/platform.tsx'
import { Cql2SyntaxError } from './cql2-tokens.ts'
import { createSearchInput, nextPageToken, type LibrarySearch } from './library-search.ts'

type Page = OutputOf<'stac.search'>

export interface ItemSearchQuery {
  /** Null if a condition is not CQL2 text. */
  readonly input: InputOf<'stac.search'> | null
  readonly query: UseInfiniteQueryResult<{ readonly pages: readonly Page[] }>
}

function createInput(search: LibrarySearch): ItemSearchQuery['input'] {
  try {
    return createSearchInput(search)
  } catch (error) {
    if (error instanceof Cql2SyntaxError) return null
    throw error
  }
}

/** The items of a URL, page by page. */
export function useItemSearch(search: LibrarySearch): ItemSearchQuery {
  const { client } = usePlatform()
  const input = useMemo(() => createInput(search), [search])
  const query = useInfiniteQuery({
    queryKey: ['stac.search', input],
    queryFn: ({ pageParam, signal }) =>
      client.call('stac.search', { ...input, ...(pageParam ? { token: pageParam } : {}) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: nextPageToken,
    enabled: input !== null,
    // While a filter is changed, the previous results stay.
    placeholderData: (previous) => previous,
  })
  return { input, query }
}
