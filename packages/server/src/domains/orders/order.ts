import type {
  OrderCapture,
  OrderFailureReason,
  Order,
  PlacedOrder,
  OrderStatusChange,
} from '@swath/contract/schemas/order.ts'
import type { OrderStatus } from '@swath/contract/lifecycles.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import { creditsToAud } from '../catalog/price.ts'
import { describeCancellationTerms } from './cancel-policy.ts'
import type { OrderCaptureSummaryRow } from './store.lists.ts'
import type { OrderStatusChangeRow, OrderRow } from './store.ts'

/** The fields that an order and its placement response share. */
const orderSummary = (row: OrderRow) => ({
  id: row.id,
  orderType: row.type,
  billingMode: row.billing_mode,
  currency: 'AUD' as const,
  totalAud: creditsToAud(row.total_credits),
  totalCredits: row.total_credits,
  groups: row.groups.map((group) => ({ ...group })),
  projectId: row.project_id,
})

export const toPlacedOrder = (row: OrderRow, status: PlacedOrder['status']): PlacedOrder => ({
  ...orderSummary(row),
  status,
})

export interface OrderHistoryAndCaptures {
  readonly changes: readonly OrderStatusChangeRow[]
  readonly captures: readonly OrderCaptureSummaryRow[]
  readonly capture_count: number
  readonly item_count: number
  readonly tasking: Order['tasking']
  readonly now: OrganizationTime
}

/** An order with its status history and its scenes. */
export const toOrder = (
  row: OrderRow,
  { changes, captures, capture_count, item_count, tasking, now }: OrderHistoryAndCaptures,
): Order => ({
  ...orderSummary(row),
  organizationId: row.organization_id,
  status: row.status,
  subStatus: row.sub_status,
  statusHistory: changes.map(toStatusChange),
  failureReason: toFailureReason(row),
  fulfillment: row.fulfillment,
  displayName: row.display_name,
  tags: [...row.tags],
  licenseType: row.licence_type,
  dataProductId: row.data_product_id,
  cancellation: describeCancellationTerms(row, now),
  tasking,
  collectionId: row.collection_id,
  captures: captures.map(toOrderCapture),
  captureCount: capture_count,
  itemCount: item_count,
  creditsCaptured: row.captured_credits,
  creditsRefunded: row.refunded_credits,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

const toOrderCapture = (row: OrderCaptureSummaryRow): OrderCapture => ({
  id: row.scene_id,
  host: row.host,
  datetime: new Date(row.datetime).toISOString(),
  item_id: row.item_id,
  credits: row.credits,
  deliveredAt: row.delivered_at?.toISOString() ?? null,
  productVersion: row.product_version,
  ...(row.geometry ? { geometry: row.geometry } : {}),
})

const toFailureReason = (row: OrderRow): OrderFailureReason | null =>
  row.failure_code === null ? null : { code: row.failure_code, text: row.failure_text ?? '' }

const toStatusChange = (row: OrderStatusChangeRow): OrderStatusChange => ({
  at: row.at.toISOString(),
  from: row.from_status as OrderStatus | null,
  to: row.to_status as OrderStatus,
  reason_code: row.reason_code,
  reason_text: row.reason_text,
  actor: row.actor,
})
