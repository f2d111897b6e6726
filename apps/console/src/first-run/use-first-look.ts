import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCommand, useOperation } from '../api/use-operation.ts'
import { chooseLookItems, listLookScenes, lookSearch, lookView, ownedFilter, toLookCaptures } from './first-look.ts'
import { useKeptSteps } from './use-kept-steps.ts'

const poll_ms = 1500
const failedStates = new Set(['FAILED_PERMANENTLY', 'CANCELED'])

export interface FirstLook {
  /** False where the installation has no such scenes, or it is not known yet. */
  readonly isOffered: boolean
  /** They are ordered or delivered now. */
  readonly isDelivering: boolean
  readonly hasFailed: boolean
  readonly error: Error | null
  /** Orders what is missing, and opens the viewer as soon as everything is there. */
  readonly start: () => void
}

/** Gets the series of the first look, free of charge, and opens it. */
export function useFirstLook(): FirstLook {
  const navigate = useNavigate()
  const { kept, keep } = useKeptSteps()
  const [isWaiting, setWaiting] = useState(false)
  const order_id = kept?.order_id ?? null
  const found = useOperation('catalog.search', lookSearch)
  const owned = useOperation(
    'stac.search',
    { filter: ownedFilter, 'filter-lang': 'cql2-json', limit: 100 },
    order_id ? { refetchInterval: poll_ms } : {},
  )
  const order = useOperation(
    'orders.get',
    { order_id: order_id ?? '' },
    { enabled: order_id !== null, refetchInterval: poll_ms },
  )
  const place = useCommand('orders.archive.place', ['orders.list'])
  const scenes = listLookScenes(found.data?.features ?? [])
  const items = scenes && chooseLookItems(owned.data?.features ?? [], scenes.length)
  const hasFailed = order.isError || (order.data !== undefined && failedStates.has(order.data.status))
  // Delivered, or ended without scenes: either way there is nothing to wait for.
  const isOver = order_id !== null && (items !== null || hasFailed)
  useEffect(() => {
    if (isOver) keep({ order_id: null })
    if (hasFailed) setWaiting(false)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver, hasFailed])
  const isReady = isWaiting && items !== null
  useEffect(() => {
    if (isReady) void navigate({ to: '/view', search: lookView(items) as never })
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isReady])
  return {
    isOffered: scenes !== null && !owned.isPending,
    isDelivering: place.isPending || (order_id !== null && !isOver),
    hasFailed,
    error: place.error,
    start: () => {
      setWaiting(true)
      if (items || !scenes || order_id) return
      place.mutate(
        { captures: toLookCaptures(scenes), max_credits: 0 },
        { onSuccess: ({ id }) => keep({ order_id: id }), onError: () => setWaiting(false) },
      )
    },
  }
}
