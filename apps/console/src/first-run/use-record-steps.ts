import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useKeptSteps } from './use-kept-steps.ts'
import { stepOfUrl } from './steps.ts'

/** Remembers the steps that can be seen by the URL only. */
export function useRecordSteps(): void {
  const { pathname, search } = useLocation()
  const { kept, keep } = useKeptSteps()
  const step = stepOfUrl(pathname, search as Readonly<Record<string, unknown>>)
  const isNew = step !== null && kept !== null && !kept.seen.includes(step)
  useEffect(() => {
    if (isNew) keep({ seen: [...kept.seen, step] })
    // The other values follow from these.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isNew, step])
}
