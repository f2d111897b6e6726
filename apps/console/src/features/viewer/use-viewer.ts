import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { formatViewerState, parseViewerState, type ViewerState } from './state/viewer-state.ts'

export interface Viewer {
  readonly state: ViewerState
  /** A step that "back" undoes. */
  readonly change: (patch: Partial<ViewerState>) => void
  /** A step of many, such as the positions of a slider. */
  readonly adjust: (patch: Partial<ViewerState>) => void
}

type Search = Readonly<Record<string, unknown>>

/** The state of the viewer, which is the URL. */
export function useViewer(): Viewer {
  const navigate = useNavigate()
  const state = parseViewerState(useSearch({ strict: false }) as Search)
  const go = useCallback(
    (patch: Partial<ViewerState>, replace: boolean): void => {
      void navigate({
        to: '.',
        search: (previous: Search) => ({
          ...(previous['v'] ? { v: previous['v'] as string } : {}),
          ...formatViewerState({ ...parseViewerState(previous), ...patch }),
        }),
        replace,
      })
    },
    [navigate],
  )
  return {
    state,
    change: useCallback((patch) => go(patch, false), [go]),
    adjust: useCallback((patch) => go(patch, true), [go]),
  }
}
