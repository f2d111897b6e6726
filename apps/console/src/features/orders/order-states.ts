import {
  Ban,
  CircleCheck,
  CircleDashed,
  CircleX,
  Handshake,
  Hourglass,
  PackageCheck,
  RotateCw,
  type LucideIcon,
} from 'lucide-react'
import type { Order } from '@swath/client/operations.ts'
import type { Tone } from '../../ui/badge.tsx'
import { ordersTexts } from '../../texts/orders.ts'

type OrderStatus = Order['status']

interface StateLook {
  readonly icon: LucideIcon
  readonly tone: Tone
}

export const stateLooks: Readonly<Record<OrderStatus, StateLook>> = {
  CREATED: { icon: CircleDashed, tone: 'active' },
  BEING_PLACED: { icon: Hourglass, tone: 'active' },
  PLACED: { icon: Handshake, tone: 'active' },
  PLACEMENT_FAILED: { icon: RotateCw, tone: 'warning' },
  BEING_FULFILLED: { icon: PackageCheck, tone: 'active' },
  FULFILLED: { icon: CircleCheck, tone: 'good' },
  FAILED_PERMANENTLY: { icon: CircleX, tone: 'bad' },
  CANCELED: { icon: Ban, tone: 'neutral' },
}

type MissingPrice = 'free' | 'later' | 'never'

export type StatusGroup = 'open' | 'delivered' | 'failed' | 'canceled'

/** The groups of the filter, as in the URL. */
export const statusGroups: Readonly<Record<StatusGroup, readonly OrderStatus[]>> = {
  open: ['CREATED', 'BEING_PLACED', 'PLACED', 'PLACEMENT_FAILED', 'BEING_FULFILLED'],
  delivered: ['FULFILLED'],
  failed: ['FAILED_PERMANENTLY'],
  canceled: ['CANCELED'],
}

export const isOpen = (status: OrderStatus): boolean => statusGroups.open.includes(status)

/** States that are entered or left without an event. */
export const changesSilently = (status: OrderStatus | undefined): boolean =>
  status === 'CREATED' || status === 'BEING_PLACED' || status === 'PLACEMENT_FAILED'

/** Why an order has no sum: its scenes are free, or the provider of new imagery has not said its price. */
export function describeMissingPrice({ orderType, status }: Pick<Order, 'orderType' | 'status'>): MissingPrice {
  if (orderType === 'archive') return 'free'
  return isOpen(status) ? 'later' : 'never'
}

/** Describes the content of an order: scenes, or imagery that is still to be acquired. */
export const describeContent = ({ captureCount, orderType }: Pick<Order, 'captureCount' | 'orderType'>): string =>
  captureCount === 0 && orderType === 'tasking' ? ordersTexts.newImagery : ordersTexts.scenes(captureCount)
