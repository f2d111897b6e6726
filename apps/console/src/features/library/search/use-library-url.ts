import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { compact, parseLibrarySearch, type LibrarySearch } from './library-search.ts'

export type SearchChange = { readonly [Name in keyof LibrarySearch]?: LibrarySearch[Name] | undefined }

export interface LibraryUrl {
  readonly search: LibrarySearch
  /** Changes a part of the URL; undefined takes it out. */
  readonly change: (change: SearchChange, replace?: boolean) => void
}

/** The shown part of the library in the URL, and functions to change it. */
export function useLibraryUrl(): LibraryUrl {
  const navigate = useNavigate()
  const url = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  const text = JSON.stringify(parseLibrarySearch(url))
  const search = useMemo(() => JSON.parse(text) as LibrarySearch, [text])
  const change = useCallback(
    (part: SearchChange, replace = true) =>
      void navigate({
        to: '/library',
        search: (previous: { v?: string }) => ({
          ...(previous.v ? { v: previous.v } : {}),
          ...compact({ ...parseLibrarySearch(previous as Readonly<Record<string, unknown>>), ...part }),
        }),
        replace,
      }),
    [navigate],
  )
  return { search, change }
}
