import { ordersEstimateOperation } from '@swath/contract/operations/orders.ts'
import type { Call } from '../../../engine/call.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireBudget } from '../../billing/budgets/budgets.ts'
import { creditsToAud } from '../../catalog/price.ts'
import { requireDataProduct } from '../../glossary/find-data-product.ts'
import {
  quoteProductFeatures,
  toPricedFeature,
  type PricedFeature,
  type ProductOrderRequest,
} from '../products/product-orders.ts'
import { findOfferedTaskingProduct, priceTaskingFeatures } from '../products/tasking-features.ts'

export const handler = defineHandler(ordersEstimateOperation, async (call, input) => {
  if (input.budgetId) await requireBudget(call, input.budgetId)
  const { priced, errors } = await priceFeatures(call, input)
  const total_credits = priced.reduce((sum, { credits }) => sum + credits, 0)
  return {
    summary: {
      totalCredits: total_credits,
      totalSize: roundSize(priced.reduce((sum, { size_km2 }) => sum + size_km2, 0)),
      unit: 'SQ_KM' as const,
    },
    results: priced.map(toResult),
    errors: [...errors],
    total_aud: creditsToAud(total_credits),
    total_credits,
  }
})

async function priceFeatures(call: Call, request: ProductOrderRequest & { readonly dataProduct: string }) {
  const offer = await findOfferedTaskingProduct(call, request.dataProduct)
  if (offer) return priceTaskingFeatures(call, offer, request)
  const product = await requireDataProduct(call, request.dataProduct)
  const { quoted, errors } = await quoteProductFeatures(call, { product, request, now: call.clock.now() })
  return { priced: quoted.map(toPricedFeature), errors }
}

const toResult = ({ index, credits, size_km2 }: PricedFeature) => ({
  index,
  credits,
  size: roundSize(size_km2),
  unit: 'SQ_KM' as const,
})

const roundSize = (km2: number): number => Math.round(km2 * 10_000) / 10_000
