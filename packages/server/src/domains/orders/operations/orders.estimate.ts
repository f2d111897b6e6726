import { ordersEstimateOperation } from '@swath/contract/operations/orders.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { creditsToAud } from '../../catalog/price.ts'
import { requireDataProduct } from '../../glossary/find-data-product.ts'
import { quoteProductFeatures, type QuotedFeature } from '../products/product-orders.ts'

export const handler = defineHandler(ordersEstimateOperation, async (call, input) => {
  const product = await requireDataProduct(call, input.dataProduct)
  const { quoted, errors } = await quoteProductFeatures(call, { product, request: input, now: call.clock.now() })
  const results = quoted.map(toResult)
  const total_credits = results.reduce((sum, { credits }) => sum + credits, 0)
  return {
    summary: {
      totalCredits: total_credits,
      totalSize: roundSize(results.reduce((sum, { size }) => sum + size, 0)),
      unit: 'SQ_KM' as const,
    },
    results,
    errors: [...errors],
    total_aud: creditsToAud(total_credits),
    total_credits,
  }
})

const toResult = ({ index, quote }: QuotedFeature) => ({
  index,
  credits: quote.total_credits,
  size: roundSize(quote.groups.reduce((sum, { aoi_km2 }) => sum + aoi_km2, 0)),
  unit: 'SQ_KM' as const,
})

const roundSize = (km2: number): number => Math.round(km2 * 10_000) / 10_000
