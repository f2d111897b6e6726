import { createContext, use, useEffect, useRef } from 'react'

/** Whether the platform answers this page: `offline` is this device, `unreachable` the platform. */
export type Reachability = 'reachable' | 'offline' | 'unreachable'

/** Of the page; a page that does not follow it is reachable. */
export const ReachabilityContext = createContext<Reachability>('reachable')

/**
 * Does work when the platform answers again after it did not: what has failed meanwhile, and is not one of the reads that
 * `useLiveUpdates` repeats, is requested again by it.
 */
export function useReachableAgain(work: () => void): void {
  const isReachable = use(ReachabilityContext) === 'reachable'
  const latest = useRef(work)
  const was = useRef(isReachable)
  useEffect(() => {
    latest.current = work
  })
  useEffect(() => {
    if (isReachable && !was.current) latest.current()
    was.current = isReachable
  }, [isReachable])
}
