import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCommand, useOperation } from '../api/use-operation.ts'
import { useKeptSteps } from './use-kept-steps.ts'
import type { Order, OutputOf } from '@swath/client/operations.ts'

type Scene = OutputOf<'catalog.search'>['features'][number]

/** A free host of a new installation, and its series of one place that changes: a town that grows at a river that wanders. */
export const lookSearch = {
  host_name: 'open',
  ids: ['pucallpa-1985', 'pucallpa-1995', 'pucallpa-2010', 'pucallpa-2020'],
}

/** Fewer dates show no change. */
const min_dates = 2

/** The free scenes with an area that are left to be ordered; null if there are too few to see a change. */
export function listLookScenes(scenes: readonly Scene[]): readonly Scene[] | null {
  const free = scenes.filter((scene) => scene['service:price']?.credits === 0 && scene.geometry !== null)
  return free.length >= min_dates ? free : null
}

const toLookCaptures = (scenes: readonly Scene[]) =>
  scenes.map(({ id, geometry }) => ({ id, host: lookSearch.host_name, geometry: { ...geometry } }))

/** Items that were delivered of the scenes, by any order of the organization. */
const ownedFilter = {
  op: 'and',
  args: [
    { op: '=', args: [{ property: 'service:host' }, lookSearch.host_name] },
    { op: 'in', args: [{ property: 'service:scene_id' }, lookSearch.ids] },
  ],
}

/** One item for each scene; null until there is one for each of so many. */
export function chooseLookItems(features: OutputOf<'stac.search'>['features'], count: number): string[] | null {
  const byScene = new Map(
    features.map(({ id, properties }) => [
      String(properties['service:scene_id']),
      String(properties['service:item_id'] ?? id),
    ]),
  )
  // In the order of the search, the oldest first.
  return byScene.size >= count ? lookSearch.ids.flatMap((id) => byScene.get(id) ?? []) : null
}

/** True if the order has ended without some of its scenes. */
export const isUndelivered = ({ status, captures }: Pick<Order, 'status' | 'captures'>): boolean =>
  status === 'FAILED_PERMANENTLY' ||
  status === 'CANCELED' ||
  (status === 'FULFILLED' && captures.some(({ deliveredAt }) => deliveredAt === null))

/**
 * The viewer as a time-lapse in the most natural colours of the bands, plants green and water dark; all dates in the same range,
 * so that only what changes on the ground changes on the screen.
 */
const lookView = (items: readonly string[]): Record<string, string> => ({
  items: items.join(','),
  compare: 'lapse',
  tab: 'compare',
  bands: 'swir16,nir,red',
  range: '0,255',
})

const poll_ms = 1500

export interface FirstLook {
  /** False where the installation has no such scenes, or it is not known yet. */
  readonly isOffered: boolean
  /** They are ordered or delivered now. */
  readonly isDelivering: boolean
  readonly hasFailed: boolean
  readonly error: Error | null
  /** Orders the missing scenes, and opens the viewer as soon as all are delivered. */
  readonly start: () => void
}

/** Gets the series of the first look, free of charge, and opens it. */
export function useFirstLook(): FirstLook {
  const navigate = useNavigate()
  const { kept, keep } = useKeptSteps()
  const [isWaiting, setWaiting] = useState(false)
  const order_id = kept?.order_id ?? null
  const found = useOperation('catalog.search', lookSearch)
  const order = useOperation('orders.get', { order_id: order_id ?? '' }, { enabled: order_id !== null })
  const hasFailed = order.isError || (order.data !== undefined && isUndelivered(order.data))
  const isOpen = order_id !== null && !hasFailed
  const owned = useOperation(
    'stac.search',
    { filter: ownedFilter, 'filter-lang': 'cql2-json', limit: 100 },
    isOpen ? { refetchInterval: poll_ms } : {},
  )
  const place = useCommand('orders.archive.place', ['orders.list'])
  const scenes = listLookScenes(found.data?.features ?? [])
  const items = scenes && chooseLookItems(owned.data?.features ?? [], scenes.length)
  const isDelivered = order_id !== null && items !== null
  useEffect(() => {
    if (isDelivered) keep({ order_id: null })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isDelivered])
  const isReady = isWaiting && items !== null
  useEffect(() => {
    if (isReady) void navigate({ to: '/view', search: lookView(items) as never })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isReady])
  return {
    isOffered: scenes !== null && !owned.isPending,
    isDelivering: place.isPending || (isWaiting && isOpen && items === null),
    hasFailed,
    error: place.error,
    start: () => {
      setWaiting(true)
      if (items || !scenes || isOpen) return
      place.mutate(
        { captures: toLookCaptures(scenes), max_credits: 0 },
        { onSuccess: ({ id }) => keep({ order_id: id }), onError: () => setWaiting(false) },
      )
    },
  }
}
