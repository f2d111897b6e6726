import { useQueryClient } from '@tanstack/react-query'
import type { OperationId } from '@swath/client/operations.ts'
import { useEffect } from 'react'
import { findFreshEvents } from './fresh-events.ts'
import { usePlatform } from './platform.tsx'

const interval_ms = 2500
const page_size = 50

/** Reads whose output an event of this kind (the first word of its type) changes. */
const affected: Readonly<Record<string, readonly OperationId[]>> = {
  order: [
    'orders.list',
    'orders.get',
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

/**
 * Reads again what other people, other windows and deliveries have changed: events are asked for while the page is visible,
 * and each new one makes the reads of its kind stale.
 */
export function useLiveUpdates(): void {
  const { client } = usePlatform()
  const queries = useQueryClient()
  useEffect(() => {
    const stop = new AbortController()
    let known: ReadonlySet<string> | null = null
    const poll = async (): Promise<void> => {
      if (document.hidden) return
      const { events } = await client.call('events.list', { limit: page_size }, { signal: stop.signal })
      const fresh = findFreshEvents(events, known)
      known = new Set(events.map(({ event_id }) => event_id))
      const kinds = new Set(fresh.map(({ event_type }) => event_type.split('.')[0]!))
      const stale = new Set([...kinds].flatMap((kind) => affected[kind] ?? []))
      if (fresh.length > 0) stale.add('events.list')
      for (const operation of stale) void queries.invalidateQueries({ queryKey: [operation] })
    }
    const timer = setInterval(() => {
      // A failed poll is followed by the next one; what a person asks for shows its own problem.
      poll().catch(() => undefined)
    }, interval_ms)
    poll().catch(() => undefined)
    return () => {
      clearInterval(timer)
      stop.abort()
    }
  }, [client, queries])
}
