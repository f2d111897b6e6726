import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { readUrlText } from '../../api/read-text.ts'
import { isAreaUnknown } from '../../area/area-url.ts'
import { filtersToSearch, parseFilters, type ExploreFilters } from './filters.ts'

interface ExploreUrl {
  readonly filters: ExploreFilters
  /** The URL names an area that this browser does not keep. */
  readonly isAreaMissing: boolean
  /** The key of the scene whose details are shown. */
  readonly openScene: string | null
  readonly change: (filters: ExploreFilters) => void
  readonly open: (scene: string | null) => void
}

/** The filters and the scene in the URL of this screen, and functions to change them. */
export function useExploreUrl(): ExploreUrl {
  const navigate = useNavigate()
  const url = useSearch({ strict: false }) as Record<string, unknown>
  const filters = useMemo(() => parseFilters(url), [url])
  return {
    filters,
    isAreaMissing: useMemo(() => isAreaUnknown(url['area']), [url]),
    openScene: readUrlText(url['scene']),
    change: (next) =>
      void navigate({
        to: '.',
        search: ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...filtersToSearch(next) }),
        replace: true,
      }),
    open: (key) =>
      void navigate({
        to: '.',
        search: ({ v }: { v?: string }) => ({
          ...(v ? { v } : {}),
          ...filtersToSearch(filters),
          ...(key ? { scene: key } : {}),
        }),
      }),
  }
}
