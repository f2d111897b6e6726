import type { FailureReason, Order, PlacedOrder, StatusChange } from '@swath/contract/shapes/order.ts'
import type { OrderStatus } from '@swath/contract/lifecycles.ts'
import { audOf } from '../catalog/price.ts'
import type { ChangeRow, OrderRow } from './store.ts'

/** The fields that an order and its placement response share. */
const head = (row: OrderRow) => ({
  id: row.id,
  orderType: row.type,
  billingMode: row.billing_mode,
  currency: 'AUD' as const,
  totalAud: audOf(row.total_credits),
  totalCredits: row.total_credits,
  groups: row.groups.map((group) => ({ ...group })),
  projectId: row.project_id,
})

export const placedOrder = (row: OrderRow, status: PlacedOrder['status']): PlacedOrder => ({ ...head(row), status })

/** An order with its status history. */
export const wireOrder = (row: OrderRow, changes: readonly ChangeRow[], itemCount: number): Order => ({
  ...head(row),
  status: row.status,
  subStatus: row.sub_status,
  statusHistory: changes.map(wireChange),
  failureReason: failureOf(row),
  fulfillment: row.fulfillment,
  displayName: row.display_name,
  tags: [...row.tags],
  licenseType: row.licence_type,
  dataProductId: row.data_product_id,
  collectionId: row.collection_id,
  itemCount,
  creditsCaptured: row.captured_credits,
  creditsRefunded: row.refunded_credits,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
})

const failureOf = (row: OrderRow): FailureReason | null =>
  row.failure_code === null ? null : { code: row.failure_code, text: row.failure_text ?? '' }

const wireChange = (row: ChangeRow): StatusChange => ({
  at: row.at.toISOString(),
  from: row.from_status as OrderStatus | null,
  to: row.to_status as OrderStatus,
  reason_code: row.reason_code,
  reason_text: row.reason_text,
  actor: row.actor,
})
