import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { isAreaUnknown } from '../../area/area-url.ts'
import { parseTaskingChoices, toTaskingUrl, type TaskingChoices } from './tasking-url.ts'

interface TaskingUrl {
  readonly request: TaskingChoices
  /** The URL names an area that this browser does not keep. */
  readonly isAreaMissing: boolean
  /** Changes a part; a pass belongs to the request that found it, so any other change drops it. */
  readonly change: (part: Partial<TaskingChoices>) => void
}

/** The choices in the URL of this screen, and functions to change them. */
export function useTaskingUrl(): TaskingUrl {
  const navigate = useNavigate()
  const url = useSearch({ strict: false }) as Record<string, unknown>
  const request = useMemo(() => parseTaskingChoices(url), [url])
  return {
    request,
    isAreaMissing: useMemo(() => isAreaUnknown(url['area']), [url]),
    change: (part) =>
      void navigate({
        to: '.',
        search: ({ v }: { v?: string }) => ({
          ...(v ? { v } : {}),
          ...toTaskingUrl({ ...request, pass: null, ...part }),
        }),
        replace: true,
      }),
  }
}
