import type { OrderStatus } from './lifecycles.ts'

/** The status codes of the Sensor Tasking API (STAPI) that orders have here. */
export type StapiStatus =
  | 'received'
  | 'held'
  | 'reserved'
  | 'accepted'
  | 'scheduled'
  | 'tasked'
  | 'processing'
  | 'completed'
  | 'rejected'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'user_cancelled'

/** The statuses of the Sensor Tasking API (STAPI); a failure is refined by its reason. */
const stapiStatuses: Readonly<Record<OrderStatus, StapiStatus>> = {
  CREATED: 'received',
  BEING_PLACED: 'received',
  PLACEMENT_FAILED: 'held',
  PLACED: 'accepted',
  BEING_FULFILLED: 'processing',
  FULFILLED: 'completed',
  CANCELED: 'cancelled',
  FAILED_PERMANENTLY: 'failed',
}

const stapiFailures: Readonly<Record<string, StapiStatus>> = {
  'host-refused': 'rejected',
  'payment-ended': 'expired',
  not_feasible: 'rejected',
  expired: 'expired',
}

/** The statuses of the sub-statuses that STAPI distinguishes. */
const stapiSubStatuses: Readonly<Record<string, StapiStatus>> = {
  QUOTATION_WAITING_RESPONSE: 'reserved',
  QUOTATION_ACCEPTED: 'received',
  SCHEDULED: 'scheduled',
  TASKED: 'tasked',
  COLLECTED: 'processing',
  DOWNLINKED: 'processing',
  PROCESSING: 'processing',
  DELIVERING: 'processing',
  QUOTATION_REJECTED: 'user_cancelled',
  WITHDRAWN: 'user_cancelled',
  NOT_FEASIBLE: 'rejected',
  EXPIRED: 'expired',
}

/** The reason for the status of an order, and who set it; null without a reason, or if the platform itself set it. */
export interface OrderStatusCause {
  readonly reason_code: string | null
  readonly actor: string | null
}

export function toStapiStatus(status: OrderStatus, { reason_code, actor }: OrderStatusCause): StapiStatus {
  if (status === 'CANCELED' && actor !== null) return 'user_cancelled'
  if (status === 'FAILED_PERMANENTLY' && reason_code !== null) return stapiFailures[reason_code] ?? 'failed'
  return stapiStatuses[status]
}

/** The STAPI status for a sub-status of an order with this status; the last one may come with the end of the order. */
export const toStapiSubStatus = (status: OrderStatus, subStatus: string): StapiStatus =>
  status === 'FULFILLED' ? stapiStatuses[status] : (stapiSubStatuses[subStatus] ?? stapiStatuses[status])

/** The STAPI status of an order now; until the delivery begins, its sub-status says more, except an accepted price. */
export function findCurrentStapiStatus(
  status: OrderStatus,
  subStatus: string | null,
  cause: OrderStatusCause,
): StapiStatus {
  const isRefined =
    (status === 'CREATED' || status === 'PLACED') && subStatus !== null && subStatus !== 'QUOTATION_ACCEPTED'
  return isRefined ? toStapiSubStatus(status, subStatus) : toStapiStatus(status, cause)
}
