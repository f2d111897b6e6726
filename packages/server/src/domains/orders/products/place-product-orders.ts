import type { FeatureError } from '@swath/contract/schemas/price.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { DataProduct } from '../../glossary/data-products.ts'
import { requireDataProduct } from '../../glossary/find-data-product.ts'
import { requireWorkspace } from '../../projects/workspace.ts'
import { rejectExclusionWithQuote } from '../place-archive-order.ts'
import { placeQuotedOrders, readPlacedOrder, type PlacedOrderRow } from '../place-quoted-orders.ts'
import { requireOpenCaptureQuote } from '../price-lock.ts'
import {
  findScenesOfOtherProducts,
  quoteProductFeatures,
  type ProductOrderRequest,
  type QuotedFeatures,
} from './product-orders.ts'

export interface ProductOrderPlacement extends ProductOrderRequest {
  readonly workspaceId: string
  readonly dataProduct: string
  readonly displayName: string
  readonly tags?: readonly string[] | null | undefined
  readonly quote_id?: string | null | undefined
  /** The most that all orders may cost together. */
  readonly max_credits?: number | null | undefined
}

export interface PlacedProductOrders {
  readonly placed: readonly (PlacedOrderRow & { readonly index: number })[]
  readonly errors: readonly FeatureError[]
}

/**
 * Orders a data product, one order per feature. A feature that cannot be ordered (its area or a scene is not valid) is an
 * error of its own and does not prevent the others. The orders of the others are placed in one transaction: a problem of
 * access or money fails the whole call, and then nothing was written. If no feature can be ordered, the call succeeds
 * with errors only, because clients read the reason of each feature there.
 */
export async function placeProductOrders(call: Call, request: ProductOrderPlacement): Promise<PlacedProductOrders> {
  const recovered = await readRecovered(call)
  if (recovered) return recovered
  const project = await requireWorkspace(call, request.workspaceId, 'write')
  const product = await requireDataProduct(call, request.dataProduct)
  const { params, quoted, errors } = await resolveQuotes(call, product, request)
  const draft = {
    quote_id: request.quote_id ?? null,
    licence: params.licenseType ?? null,
    display_name: request.displayName === '' ? null : request.displayName,
    tags: request.tags ?? [],
  }
  if (quoted.length === 0) return { placed: [], errors }
  const placed = await placeQuotedOrders(call, {
    project: project.id,
    drafts: quoted.map(({ quote }) => ({ ...draft, quote })),
    max_credits: request.max_credits,
    toRecoveryData: (ids) => ({ placed: ids.map((id, at) => ({ id, index: quoted[at]!.index })), errors }),
  })
  return { placed: placed.map((row, at) => ({ ...row, index: quoted[at]!.index })), errors }
}

/** The features with the prices of now, or the captures of the named quote as one feature. */
async function resolveQuotes(
  call: Call,
  product: DataProduct,
  request: ProductOrderPlacement,
): Promise<QuotedFeatures> {
  const now = call.clock.now()
  const { quote_id, params, featureCollection } = request
  if (!quote_id) return quoteProductFeatures(call, { product, request, now })
  const quote = await requireOpenCaptureQuote(call, quote_id, now)
  if (params || featureCollection) {
    const detail = '`quote_id` sets the scenes and areas: leave out `params` and `featureCollection`.'
    throw new Problem('conflicting-parameters', detail)
  }
  rejectExclusionWithQuote(request)
  const [foreign] = findScenesOfOtherProducts(product, quote)
  if (foreign) throw validationProblem([{ path: 'quote_id', message: foreign.message }])
  return { params: { id: quote.captures.map(({ id }) => id) }, quoted: [{ index: 0, quote }], errors: [] }
}

interface RecoveryData {
  readonly placed?: readonly { readonly id: string; readonly index: number }[]
  readonly errors?: readonly FeatureError[]
}

/** The orders that an earlier attempt of the same idempotent request has placed; null if it has placed none. */
async function readRecovered(call: Call): Promise<PlacedProductOrders | null> {
  const { placed, errors = [] } = (call.claim?.recoveryData ?? {}) as RecoveryData
  if (!placed) return null
  return {
    placed: await Promise.all(placed.map(async ({ id, index }) => ({ ...(await readPlacedOrder(call, id)), index }))),
    errors,
  }
}
