import { orderLifecycle, type OrderStatus } from '@swath/contract/lifecycles.ts'
import { toStapiStatus, toStapiSubStatus } from '@swath/contract/stapi-statuses.ts'
import type { OrderTimeline, OrderTimelineEntry } from '@swath/contract/schemas/order.ts'
import type { OrderCaptureSummaryRow } from './store.lists.ts'
import type { OrderRow, OrderStatusChangeRow } from './store.ts'
import type { SubStatusChangeRow } from './tasking/store.sub-status.ts'

interface Waiting {
  readonly actor: 'customer' | 'host' | 'platform'
  readonly action: string
}

/** The actor that has to act in each state that is not final. */
const waiting: Readonly<Partial<Record<OrderStatus, Waiting>>> = {
  CREATED: { actor: 'platform', action: 'The platform sends the order to the host.' },
  BEING_PLACED: { actor: 'host', action: 'The host accepts the order.' },
  PLACEMENT_FAILED: { actor: 'platform', action: 'The platform sends the order once more.' },
  PLACED: { actor: 'host', action: 'The host delivers the first scene.' },
  BEING_FULFILLED: { actor: 'host', action: 'The host delivers the rest of the scenes.' },
}

/** The same for tasking orders that wait for a price, or for their acquisition. */
const waitingSubStatuses: Readonly<Record<string, Waiting>> = {
  FEASIBILITY_WAITING_UPLOAD: { actor: 'host', action: 'The provider answers the feasibility study.' },
  FEASIBILITY_WAITING_RESPONSE: { actor: 'customer', action: 'You accept an option of the feasibility study.' },
  QUOTATION_WAITING_UPLOAD: { actor: 'host', action: 'The provider offers a price.' },
  QUOTATION_WAITING_RESPONSE: { actor: 'customer', action: 'You accept or reject the quotation.' },
  SCHEDULED: { actor: 'host', action: 'The satellite is given the task.' },
  TASKED: { actor: 'host', action: 'The satellite acquires the area.' },
  COLLECTED: { actor: 'host', action: 'The satellite sends the image to a station.' },
  DOWNLINKED: { actor: 'host', action: 'The host processes the image.' },
  PROCESSING: { actor: 'host', action: 'The host completes the image.' },
}

interface TimelineParts {
  readonly subStatusChanges: readonly SubStatusChangeRow[]
  readonly changes: readonly OrderStatusChangeRow[]
  readonly captures: readonly OrderCaptureSummaryRow[]
  readonly next_check_at: Date | null
}

/** The status changes and deliveries of an order in chronological order, and the next step that it waits for. */
export function toOrderTimeline(
  row: OrderRow,
  { changes, subStatusChanges, captures, next_check_at }: TimelineParts,
): OrderTimeline {
  const statuses = changes.map(toStatusEntry)
  const deliveries = captures.flatMap((capture) => toDeliveryEntry(changes, capture))
  // The sort is stable: of one moment, the status comes first.
  const subStatuses = subStatusChanges.map((change) => toSubStatusEntry(changes, change))
  const entries = [...statuses, ...subStatuses, ...deliveries].toSorted(
    (left, right) => Date.parse(left.at) - Date.parse(right.at),
  )
  return { order_id: row.id, entries, next: findNext(row, captures, next_check_at) }
}

function toStatusEntry(change: OrderStatusChangeRow): OrderTimelineEntry {
  const status = change.to_status as OrderStatus
  return {
    at: change.at.toISOString(),
    kind: 'status',
    status,
    sub_status: null,
    stapi_status: toStapiStatus(status, change),
    reason_code: change.reason_code,
    reason_text: change.reason_text,
    actor: change.actor,
    capture_id: null,
    item_id: null,
  }
}

function toSubStatusEntry(changes: readonly OrderStatusChangeRow[], change: SubStatusChangeRow): OrderTimelineEntry {
  const status = findStatusAt(changes, change.at) ?? 'CREATED'
  return {
    at: change.at.toISOString(),
    kind: 'sub_status',
    status,
    sub_status: change.to_sub_status,
    stapi_status: toStapiSubStatus(status, change.to_sub_status),
    reason_code: change.reason_code,
    reason_text: change.reason_text,
    actor: change.actor,
    capture_id: null,
    item_id: null,
  }
}

const findStatusAt = (changes: readonly OrderStatusChangeRow[], at: Date): OrderStatus | undefined =>
  changes.findLast((change) => change.at <= at)?.to_status as OrderStatus | undefined

function toDeliveryEntry(
  changes: readonly OrderStatusChangeRow[],
  capture: OrderCaptureSummaryRow,
): OrderTimelineEntry[] {
  const at = capture.delivered_at
  if (at === null) return []
  // A delivery is written in one transaction with the state that it leads to.
  const status = findStatusAt(changes, at) ?? 'BEING_FULFILLED'
  return [
    {
      at: at.toISOString(),
      kind: 'delivery',
      status,
      sub_status: null,
      stapi_status: toStapiStatus(status, { reason_code: null, actor: null }),
      reason_code: null,
      reason_text: null,
      actor: null,
      capture_id: capture.scene_id,
      item_id: capture.item_id,
    },
  ]
}

function findNext(
  { status, sub_status }: OrderRow,
  captures: readonly OrderCaptureSummaryRow[],
  next_check_at: Date | null,
): OrderTimeline['next'] {
  const isUnpricedOrPlaced = status === 'CREATED' || status === 'PLACED'
  const wait = (isUnpricedOrPlaced && waitingSubStatuses[sub_status ?? '']) || waiting[status]
  if (!wait || orderLifecycle.terminal.includes(status)) return null
  const missing = captures.filter(({ delivered_at }) => delivered_at === null)
  return {
    ...wait,
    host_names: [...new Set(missing.map(({ host }) => host))],
    next_check_at: next_check_at?.toISOString() ?? null,
  }
}
