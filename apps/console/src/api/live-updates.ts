import { useQueryClient } from '@tanstack/react-query'
import type { Event, OperationId } from '@swath/client/operations.ts'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type EventPosition, followEvents } from './follow-events.ts'
import { usePlatform } from './platform.tsx'
import { isRepeatable } from './problem.ts'

const money: readonly OperationId[] = [
  'billing.credits.balance',
  'billing.credits.transactions',
  'billing.lots.list',
  'users.me',
]
const order: readonly OperationId[] = ['orders.list', 'orders.get', 'orders.timeline']
const decision: readonly OperationId[] = [...order, 'orders.tasking.decisions.pending', 'orders.tasking.feasibility_studies.list', 'orders.tasking.quotations.list'] // prettier-ignore

/** The reads that change with events of which people are notified. */
const told: readonly OperationId[] = ['notifications.list', 'notifications.unread_count']

/** Reads whose output an event of this kind (the first word of its type) changes. */
const readsByKind: Readonly<Record<string, readonly OperationId[]>> = {
  alert: ['alerts.events.list', 'alerts.rules.list', 'alerts.rule.get', ...told],
  order: [
    ...told,
    ...decision,
    'orders.coverage.get',
    'orders.list_assets',
    ...money,
    'billing.charge.explain',
    'organizations.members.spend.get',
  ],
  feasibility: [...decision, ...told],
  quotation: [...decision, ...money, ...told],
  tasking: order,
  item: ['items.search_org', 'stac.search', 'items.get', 'items.list', 'items.list_expiring', 'collections.list'],
  asset: ['items.get', 'items.list_assets'],
  job: ['processing.jobs.list', 'processing.job.get', 'processing.job.log', 'processing.catalog.estimate', ...money],
  upload: ['uploads.list', 'uploads.get', 'items.list', 'stac.search', ...told],
  collection: ['collections.list', 'collections.get'],
  project: ['projects.list', 'projects.get'],
  topup: [...money, 'billing.approvals.list', ...told],
  credits: [...money, ...told],
  hold: money,
  payment: money,
  payment_method: ['payment_methods.list', 'billing.status.get', ...told],
  dispute: [...money, ...told],
  invoice: ['billing.invoices.list', ...money, ...told],
  commitment: ['organizations.commitments.list'],
  eula: ['eulas.list', 'eulas.document.get'],
  event_subscription: [
    'event_subscriptions.list',
    'event_subscriptions.get',
    'event_subscriptions.deliveries.list',
    ...told,
  ],
  saved_search: ['catalog.search.list', ...told],
  standing_order: ['orders.standing.list', 'orders.standing.scenes.list', ...told],
  share: ['share.link.list'],
}

/** The reads that events of these types make stale. */
export function findStaleReads(event_types: readonly string[]): ReadonlySet<OperationId> {
  const kinds = new Set(event_types.map((type) => type.split('.')[0]!))
  const reads = [...kinds].flatMap((kind) => readsByKind[kind] ?? [])
  return new Set(event_types.length > 0 ? [...reads, 'events.list' as const] : [])
}

interface ReadState {
  readonly fetchStatus: 'fetching' | 'paused' | 'idle'
  readonly fetchFailureCount: number
}

/**
 * Whether a read that failed is repeated in a moment. Its retry reads the new data; if each event began it again, it
 * would never come to the end of its attempts, and its failure would never be shown.
 */
export const isRetrying = ({ fetchStatus, fetchFailureCount }: ReadState): boolean =>
  fetchStatus !== 'idle' && fetchFailureCount > 0

/** Events that come together make a read stale once. */
const gather_ms = 250

/** Whether the platform answers this page: `offline` is this device, `unreachable` the platform. */
export type Reachability = 'reachable' | 'offline' | 'unreachable'

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
