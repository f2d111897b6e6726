import type { TSchema } from 'typebox'
import type { FeatureError } from '@swath/contract/schemas/price.ts'
import { compileDropAbsentMembers } from '../../../engine/input/drop-absent.ts'
import { findFieldErrors } from '../../../engine/input/find-field-errors.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { limits } from '@swath/contract/limits.ts'
import { findHostCollection } from '../../catalog/hosts.ts'
import type { DataProduct } from '../../glossary/data-products.ts'
import { toOrderParamsSchema, type ProductOrderParams } from '../../glossary/params-schema.ts'
import type { OrderCaptureRequest } from '../find-offers.ts'
import { quoteCaptureListsForCaller, type CaptureQuote } from '../quote.ts'
import type { PurchaseCall } from '../../../engine/call.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'

/** The request to order a data product: one order per feature. */
export interface ProductOrderRequest {
  /** Leaves out the areas that the caller holds under the licence of the parameters. */
  readonly exclude_owned?: boolean | null
  readonly params?: Readonly<Record<string, unknown>>
  readonly featureCollection?: {
    readonly features: readonly { readonly geometry: OrderCaptureRequest['geometry'] | null }[]
  }
}

/** The price of a feature that can be ordered; `index` is its position in the request. */
export interface PricedFeature {
  readonly index: number
  readonly credits: number
  /** The area that is charged. */
  readonly size_km2: number
}

export interface QuotedFeature {
  readonly index: number
  readonly quote: CaptureQuote
}

export interface QuotedFeatures {
  readonly params: ProductOrderParams
  readonly quoted: readonly QuotedFeature[]
  readonly errors: readonly FeatureError[]
}

/**
 * Prices the scenes of the parameters in the area of each feature; a feature for which any scene cannot be ordered has an
 * error. Throws `validation` for parameters that the schema of the product does not accept, or without any feature.
 */
export async function quoteProductFeatures(
  call: PurchaseCall,
  { product, request, now }: { product: DataProduct; request: ProductOrderRequest; now: OrganizationTime },
): Promise<QuotedFeatures> {
  const params = readParams(toOrderParamsSchema(product), request.params ?? {}) as unknown as ProductOrderParams
  const ids = typeof params.id === 'string' ? [params.id] : params.id
  const features = readFeatures(request, ids.length)
  const areas = features.flatMap(({ geometry }, index) => (geometry === null ? [] : [{ geometry, index }]))
  const lists = areas.map(({ geometry }) => ids.map((id) => ({ id, geometry, host: product.host.name })))
  const { splitByDate, licenseType } = params
  const { exclude_owned } = request
  const pricing = { lists, splitByDate, licenseType, exclude_owned, field: 'featureCollection' }
  const quotes = await quoteCaptureListsForCaller(call, pricing, now)
  const results = areas.map(({ index }, position) => ({ index, quote: quotes[position]! }))
  const failed = results.flatMap(({ index, quote }) => toFeatureError(product, index, quote) ?? [])
  const failedIndexes = new Set(failed.map(({ index }) => index))
  const withoutArea = features.flatMap(({ geometry }, index) => (geometry === null ? [missingArea(index)] : []))
  return {
    params,
    quoted: results.filter(({ index }) => !failedIndexes.has(index)),
    errors: [...failed, ...withoutArea].toSorted((left, right) => left.index - right.index),
  }
}

/**
 * The parameters, if the schema of the product accepts them; null in an optional one counts as absent. Throws `validation`.
 *
 * @param schema the one of `orders.get_schema`.
 */
export function readParams(schema: TSchema, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const completed = { ...params }
  compileDropAbsentMembers(schema)?.(completed)
  const errors = findFieldErrors(schema, completed)
  if (errors.length > 0) throw validationProblem(errors.map(toParamsError))
  return completed
}

const toParamsError = ({ path, message }: { readonly path: string; readonly message: string }) => ({
  path: path === '' ? 'params' : `params.${path}`,
  message: message === 'is not a field of this operation' ? 'is not a parameter of this data product' : message,
})

/** The features of a request, whose number is limited. Throws `validation` if there is none. */
export function readFeatures({ featureCollection }: ProductOrderRequest, scene_count: number) {
  const features = featureCollection?.features ?? []
  if (features.length === 0)
    throw validationProblem([{ path: 'featureCollection', message: 'must have at least one feature' }])
  const captures = features.length * scene_count
  if (captures > limits.max_captures) {
    const message = `have ${captures} scenes in all features; at most ${limits.max_captures} are allowed`
    throw validationProblem([{ path: 'featureCollection', message }])
  }
  return features
}

export const missingArea = (index: number): FeatureError => ({
  index,
  message: 'The feature has no geometry.',
  details: 'not-a-polygon',
})

export const toPricedFeature = ({ index, quote }: QuotedFeature): PricedFeature => ({
  index,
  credits: quote.total_credits,
  size_km2: quote.groups.reduce((sum, { aoi_km2 }) => sum + aoi_km2, 0),
})

/** The errors of a feature as one; null if each of its scenes can be ordered as this product. */
export function toFeatureError(product: DataProduct, index: number, quote: CaptureQuote): FeatureError | null {
  const errors = [...quote.errors, ...findScenesOfOtherProducts(product, quote)]
  const [first] = errors
  if (!first) return null
  return { index, message: first.message, details: errors.map(({ code, id }) => `${code}: ${id}`).join('; ') }
}

/** Scenes of the same host that belong to another product. */
export const findScenesOfOtherProducts = (product: DataProduct, { captures }: CaptureQuote) =>
  captures
    .filter(
      ({ host, scene }) =>
        host.name !== product.host.name || findHostCollection(host, scene)?.id !== product.collection.id,
    )
    .map(({ id }) => ({
      id,
      code: 'unknown-capture' as const,
      message: `The capture "${id}" is not a scene of the data product "${product.name}".`,
    }))
