import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCommand, useOperation } from '../api/use-operation.ts'
import { useKeptSteps } from './use-kept-steps.ts'
import {
  chooseLookItems,
  isUndelivered,
  listLookScenes,
  lookSearch,
  lookView,
  ownedFilter,
  toLookCaptures,
} from './first-look.ts'

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
