import { useQueryClient } from '@tanstack/react-query'
import type { Event, OperationId } from '@swath/client/operations.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { findFreshEvents } from './fresh-events.ts'
import { usePlatform } from './platform.tsx'
import { isRepeatable } from './problem.ts'

const interval_ms = 2500
const page_size = 50

/** Reads whose output an event of this kind (the first word of its type) changes. */
const affected: Readonly<Record<string, readonly OperationId[]>> = {
  order: [
    'orders.list',
    'orders.get',
    'orders.timeline',
    'orders.coverage.get',
    'orders.list_assets',
    'billing.credits.balance',
    'billing.credits.transactions',
    'billing.charge.explain',
    'organizations.members.spend.get',
    'users.me',
  ],
  item: ['items.search_org', 'stac.search', 'items.get', 'items.list', 'collections.list'],
  asset: ['items.get', 'items.list_assets'],
  upload: ['uploads.list', 'uploads.get', 'items.list', 'stac.search'],
  collection: ['collections.list', 'collections.get'],
  project: ['projects.list', 'projects.get'],
  topup: ['billing.credits.balance', 'billing.credits.transactions', 'billing.lots.list', 'users.me'],
  credits: ['billing.credits.balance', 'billing.credits.transactions', 'billing.lots.list', 'users.me'],
  payment_method: ['payment_methods.list'],
  share: ['share.link.list'],
}

/** Whether the platform answers this page: `offline` is this device, `unreachable` the platform. */
export type Reachability = 'reachable' | 'offline' | 'unreachable'

/**
 * Reads again what other people, other windows and deliveries have changed: events are asked for while the page is visible,
 * and each new one makes the reads of its kind stale.
 *
 * @param onEvents is called with the new events, the latest first.
 * @returns whether the platform answers; what failed while it did not is read again when it does.
 */
export function useLiveUpdates(onEvents: (events: readonly Event[]) => void): Reachability {
  const { client } = usePlatform()
  const queries = useQueryClient()
  const [isAnswering, setAnswering] = useState(true)
  const isOnline = useOnline()
  const report = useRef(onEvents)
  useEffect(() => {
    report.current = onEvents
  })

  useEffect(() => {
    const stop = new AbortController()
    let known: ReadonlySet<string> | null = null
    const poll = async (): Promise<void> => {
      if (document.hidden) return
      const { events } = await client.call('events.list', { limit: page_size }, { signal: stop.signal })
      const fresh = findFreshEvents(events, known)
      // What happened before the page was opened is no news.
      if (known && fresh.length > 0) report.current(fresh)
      known = new Set(events.map(({ event_id }) => event_id))
      const kinds = new Set(fresh.map(({ event_type }) => event_type.split('.')[0]!))
      const stale = new Set([...kinds].flatMap((kind) => affected[kind] ?? []))
      if (fresh.length > 0) stale.add('events.list')
      for (const operation of stale) void queries.invalidateQueries({ queryKey: [operation] })
    }
    const run = (): void => {
      poll().then(
        () => setAnswering(true),
        // A failed poll is followed by the next one; what a person asks for shows its own problem.
        (error: unknown) => {
          if (!stop.signal.aborted) setAnswering(error instanceof ApiProblem && error.status < 500)
        },
      )
    }
    const timer = setInterval(run, interval_ms)
    run()
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [client, queries])

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

const useOnline = (): boolean => useSyncExternalStore(subscribeToOnline, () => navigator.onLine)
