import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { isAreaUnknown } from '../../../area/area-url.ts'
import { parseAnalyseChoices, toAnalyseUrl, type AnalyseChoices } from './analyse-url.ts'

type Search = Readonly<Record<string, unknown>>

export interface AnalyseUrl {
  readonly choices: AnalyseChoices
  /** The URL names an area that this browser does not keep. */
  readonly isAreaMissing: boolean
  readonly change: (part: Partial<AnalyseChoices>) => void
}

/** The view of the map and the choices, for a URL of this place; inputs belong to their process. */
export const searchFor =
  (choices: AnalyseChoices) =>
  ({ v }: { readonly v?: string }): Record<string, unknown> => ({ ...(v ? { v } : {}), ...toAnalyseUrl(choices) })

/** The choices in the URL of this screen, and functions to change them. */
export function useAnalyseUrl(): AnalyseUrl {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as Search
  const choices = useMemo(() => parseAnalyseChoices(search), [search])
  return {
    choices,
    isAreaMissing: useMemo(() => isAreaUnknown(search['area']), [search]),
    change: (part) =>
      void navigate({
        to: '.',
        search: (previous: Search) => searchFor({ ...parseAnalyseChoices(previous), ...part })(previous),
        replace: true,
      }),
  }
}
