import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { isAreaUnknown } from '../../area/area-address.ts'
import { parseTaskingChoices, toTaskingAddress, type TaskingChoices } from './tasking-address.ts'

interface TaskingAddress {
  readonly request: TaskingChoices
  /** The address names an area that this browser does not keep. */
  readonly isAreaMissing: boolean
  /** Changes a part; a pass belongs to the request that found it, so any other change drops it. */
  readonly change: (part: Partial<TaskingChoices>) => void
}

/** The choices in the URL of this screen, and functions to change them. */
export function useTaskingAddress(): TaskingAddress {
  const navigate = useNavigate()
  const address = useSearch({ strict: false }) as Record<string, unknown>
  const request = useMemo(() => parseTaskingChoices(address), [address])
  return {
    request,
    isAreaMissing: useMemo(() => isAreaUnknown(address['area']), [address]),
    change: (part) =>
      void navigate({
        to: '.',
        search: ({ v }: { v?: string }) => ({
          ...(v ? { v } : {}),
          ...toTaskingAddress({ ...request, pass: null, ...part }),
        }),
        replace: true,
      }),
  }
}
