import { orderLifecycle, type OrderStatus } from '@swath/contract/lifecycles.ts'
import type { OrderTimeline, OrderTimelineEntry } from '@swath/contract/schemas/order.ts'
import type { CaptureSummaryRow } from './store.lists.ts'
import type { OrderRow, StatusChangeRow } from './store.ts'

/** The statuses of the Sensor Tasking API (STAPI); a failure is refined by its reason. */
const stapiStatuses: Readonly<Record<OrderStatus, string>> = {
  CREATED: 'received',
  BEING_PLACED: 'received',
  PLACEMENT_FAILED: 'held',
  PLACED: 'accepted',
  BEING_FULFILLED: 'processing',
  FULFILLED: 'completed',
  CANCELED: 'cancelled',
  FAILED_PERMANENTLY: 'failed',
}

const stapiFailures: Readonly<Record<string, string>> = { 'host-refused': 'rejected', 'payment-ended': 'expired' }

interface Waiting {
  readonly actor: 'customer' | 'host' | 'platform'
  readonly action: string
}

/** Who has to act in each state that is not final. */
const waiting: Readonly<Partial<Record<OrderStatus, Waiting>>> = {
  CREATED: { actor: 'platform', action: 'The platform sends the order to the host.' },
  BEING_PLACED: { actor: 'host', action: 'The host accepts the order.' },
  PLACEMENT_FAILED: { actor: 'platform', action: 'The platform sends the order once more.' },
  PLACED: { actor: 'host', action: 'The host delivers the first scene.' },
  BEING_FULFILLED: { actor: 'host', action: 'The host delivers the rest of the scenes.' },
}

interface TimelineParts {
  readonly changes: readonly StatusChangeRow[]
  readonly captures: readonly CaptureSummaryRow[]
  readonly next_check_at: Date | null
}

/** The status changes and deliveries of an order in the order of time, and what it waits for. */
export function toTimeline(row: OrderRow, { changes, captures, next_check_at }: TimelineParts): OrderTimeline {
  const statuses = changes.map(toStatusEntry)
  const deliveries = captures.flatMap((capture) => toDeliveryEntry(changes, capture))
  // The sort is stable: of one moment, the status comes first.
  const entries = [...statuses, ...deliveries].toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at))
  return { order_id: row.id, entries, next: findNext(row, captures, next_check_at) }
}

function toStatusEntry(change: StatusChangeRow): OrderTimelineEntry {
  const status = change.to_status as OrderStatus
  return {
    at: change.at.toISOString(),
    kind: 'status',
    status,
    stapi_status: toStapiStatus(status, change),
    reason_code: change.reason_code,
    reason_text: change.reason_text,
    actor: change.actor,
    capture_id: null,
    item_id: null,
  }
}

function toStapiStatus(status: OrderStatus, { reason_code, actor }: StatusChangeRow): string {
  if (status === 'CANCELED' && actor !== null) return 'user_cancelled'
  if (status === 'FAILED_PERMANENTLY' && reason_code !== null) return stapiFailures[reason_code] ?? 'failed'
  return stapiStatuses[status]
}

function toDeliveryEntry(changes: readonly StatusChangeRow[], capture: CaptureSummaryRow): OrderTimelineEntry[] {
  const at = capture.delivered_at
  if (at === null) return []
  // A delivery is written in one transaction with the state that it leads to.
  const status = (changes.findLast((change) => change.at <= at)?.to_status ?? 'BEING_FULFILLED') as OrderStatus
  return [
    {
      at: at.toISOString(),
      kind: 'delivery',
      status,
      stapi_status: stapiStatuses[status],
      reason_code: null,
      reason_text: null,
      actor: null,
      capture_id: capture.scene_id,
      item_id: capture.item_id,
    },
  ]
}

function findNext(
  { status }: OrderRow,
  captures: readonly CaptureSummaryRow[],
  next_check_at: Date | null,
): OrderTimeline['next'] {
  const wait = waiting[status]
  if (!wait || orderLifecycle.terminal.includes(status)) return null
  const missing = captures.filter(({ delivered_at }) => delivered_at === null)
  return {
    ...wait,
    host_names: [...new Set(missing.map(({ host }) => host))],
    next_check_at: next_check_at?.toISOString() ?? null,
  }
}
