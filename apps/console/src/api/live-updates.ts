import { useQueryClient } from '@tanstack/react-query'
import type { Event, OperationId } from '@swath/client/operations.ts'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type EventPosition, followEvents } from './follow-events.ts'
import { usePlatform } from './platform.tsx'
import { isRepeatable } from '@swath/client/transfer/errors.ts'
import type { Reachability } from './reachability.ts'
import { findStaleReads, isRetrying } from './stale-reads.ts'

/** Events that come together make a read stale once. */
const gather_ms = 250

/**
 * Reads again what other people, other windows and deliveries have changed: while the page is visible it follows the stream of
 * events, and each event makes the reads of its kind stale.
 *
 * @param onEvents is called with the new events, the latest first.
 * @returns whether the platform answers; what failed while it did not is read again when it does.
 */
export function useLiveUpdates(onEvents: (events: readonly Event[]) => void): Reachability {
  const { client } = usePlatform()
  const queries = useQueryClient()
  const [isAnswering, setAnswering] = useState(true)
  const isOnline = useOnline()
  const isVisible = useVisible()
  const position = useRef<EventPosition>({ last_event_id: null })
  const report = useRef(onEvents)
  useEffect(() => {
    report.current = onEvents
  })

  useEffect(() => {
    // A browser opens few streams at once: windows that nobody sees leave them to the others.
    if (!isVisible || !isOnline) return
    const stop = new AbortController()
    const stale = new Set<OperationId>()
    let timer: ReturnType<typeof setTimeout> | null = null
    const readAgain = (): void => {
      timer = null
      for (const operation of stale)
        void queries.invalidateQueries({ queryKey: [operation], predicate: ({ state }) => !isRetrying(state) })
      stale.clear()
    }
    const take = (events: readonly Event[], isOpening: boolean): void => {
      // Events from before the page was opened are not reported.
      if (!isOpening) report.current(events)
      for (const operation of findStaleReads(events.map(({ event_type }) => event_type))) stale.add(operation)
      timer ??= setTimeout(readAgain, gather_ms)
    }
    void followEvents(client, position.current, { onEvents: take, onAnswer: setAnswering }, stop.signal)
    return () => {
      stop.abort()
      if (timer !== null) clearTimeout(timer)
    }
  }, [client, queries, isVisible, isOnline])

  const isReachable = isAnswering && isOnline
  useEffect(() => {
    if (isReachable)
      void queries.refetchQueries({ predicate: ({ state }) => state.status === 'error' && isRepeatable(state.error) })
  }, [isReachable, queries])
  if (!isOnline) return 'offline'
  return isAnswering ? 'reachable' : 'unreachable'
}

function subscribeToOnline(onChange: () => void): () => void {
  addEventListener('online', onChange)
  addEventListener('offline', onChange)
  return () => {
    removeEventListener('online', onChange)
    removeEventListener('offline', onChange)
  }
}

function subscribeToVisible(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

const useOnline = (): boolean => useSyncExternalStore(subscribeToOnline, () => navigator.onLine)
const useVisible = (): boolean => useSyncExternalStore(subscribeToVisible, () => !document.hidden)
