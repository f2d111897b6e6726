import { ordersPlaceOperation } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { executeDryRun } from '../../ledger/dry-run.ts'
import { toPlacedOrder } from '../order.ts'
import { requireUserToOrder } from '../place-archive-order.ts'
import {
  placeProductOrders,
  type PlacedProductOrders,
  type ProductOrderPlacement,
} from '../products/place-product-orders.ts'

export const handler = defineHandler(ordersPlaceOperation, async (call, input) => {
  requireUserToOrder(call)
  if (input.dry_run) return executeDryRun(call, (dryRun) => place(dryRun, input))
  return place(call, input)
})

async function place(call: Call, request: ProductOrderPlacement) {
  return toOutput(await placeProductOrders(call, request))
}

const toOutput = ({ placed, errors }: PlacedProductOrders) => ({
  results: placed.map(({ index, order }) => ({ index, id: order.id })),
  errors: [...errors],
  orders: placed.map(({ order, isDeferred }) => toPlacedOrder(order, isDeferred ? 'awaiting_data' : 'processing')),
})
