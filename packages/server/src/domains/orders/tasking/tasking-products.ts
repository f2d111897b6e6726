import Type, { type Static, type TSchema } from 'typebox'
import { limits } from '@swath/contract/limits.ts'
import { resolvePrice } from '../../catalog/price.ts'
import type { PriceRates } from '../../contracts/rates.ts'
import type { CancelPolicy } from '@swath/contract/schemas/price.ts'
import type { TaskingProductDescription } from '@swath/contract/schemas/tasking.ts'
import { Problem } from '../../../engine/problem.ts'
import type { ImageryHost } from '../../../platform/integrations/imagery-host.ts'
import type { Integrations } from '../../../platform/integrations/integrations.ts'
import type { TaskingHost, TaskingProduct } from '../../../platform/integrations/tasking-host.ts'
import {
  applyProductTerms,
  isProductOffered,
  type ParamRestrictions,
  type ProductTermsByName,
} from '../../rate-cards/product-terms.ts'
import { restrictProductParams, type OrderParamsSchema } from '../../glossary/restrict-params.ts'
import { deriveDataProductId } from '../../glossary/data-products.ts'

/** A product that a host acquires on order. */
export interface TaskingOffer {
  /** The id of the data product in the glossary. */
  readonly id: string
  readonly name: string
  readonly host: ImageryHost
  readonly tasking: TaskingHost
  readonly product: TaskingProduct
  /** Restrictions of the parameters of its orders. */
  readonly params: ParamRestrictions
}

export const listTaskingOffers = ({ hosts }: Pick<Integrations, 'hosts'>): TaskingOffer[] =>
  [...hosts.values()].flatMap((host) =>
    (host.tasking?.products ?? []).map((product) => ({
      id: deriveDataProductId(host.name, product.id),
      name: `${host.name}:${product.id}`,
      host,
      tasking: host.tasking!,
      product,
      params: {},
    })),
  )

/** An offer with the terms in force; null if it is withdrawn. */
export function applyTermsToOffer(offer: TaskingOffer, products: ProductTermsByName): TaskingOffer | null {
  if (!isProductOffered(products, offer.name)) return null
  const terms = products.get(offer.name)
  return { ...offer, product: applyProductTerms(offer.product, terms), params: terms?.params ?? {} }
}

/** The offer with this id or name; null if no host has it. */
export const findTaskingOffer = (integrations: Pick<Integrations, 'hosts'>, id: string): TaskingOffer | null =>
  listTaskingOffers(integrations).find((offer) => offer.id === id.toLowerCase() || offer.name === id) ?? null

/** The offer with this id or name. Throws `not-found`. */
export function requireTaskingProductOffer(integrations: Pick<Integrations, 'hosts'>, id: string): TaskingOffer {
  const offer = findTaskingOffer(integrations, id)
  if (!offer) throw new Problem('not-found', `There is no data product for tasking with the id "${id}".`)
  return offer
}

/** The parameters of an area, as `toTaskingParamsSchema` describes them. */
export interface TaskingParams {
  readonly displayName?: string
  readonly acquisitionStart?: string
  readonly acquisitionEnd?: string
  readonly sensor?: string
  readonly opportunityId?: string
  readonly maxCloudCover?: number
  readonly maxOffNadirAngle?: number
  readonly minSunElevation?: number
  readonly replan?: boolean
}

const degrees = (minimum: number, description: string) => ({ type: 'number', minimum, maximum: 90, description })

/** The parameters of an area as JSON Schema (draft-07); `sensors` are the ids that may be named, `params` narrows them. */
export const toTaskingParamsSchema = (sensors: readonly string[], params: ParamRestrictions = {}): TSchema =>
  Type.Unsafe(restrictProductParams(describeTaskingParams(sensors), params))

/** The schema of the name among the parameters. */
export const taskingOrderName = {
  type: 'string',
  maxLength: limits.max_name_length,
  description: 'Name of the order, if its request has none.',
} as const

const describeTaskingParams = (sensors: readonly string[]): OrderParamsSchema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    displayName: taskingOrderName,
    acquisitionStart: { type: 'string', format: 'date-time', description: 'Start of the window; by default now.' },
    acquisitionEnd: { type: 'string', format: 'date-time', description: 'End of the window.' },
    sensor: { type: 'string', enum: [...sensors], description: 'Only this sensor of the product.' },
    opportunityId: { type: 'string', minLength: 1, maxLength: 500, description: 'A pass, by its id.' },
    maxCloudCover: { type: 'number', minimum: 0, maximum: 100, description: 'Per cent.' },
    maxOffNadirAngle: degrees(0, 'Degrees.'),
    minSunElevation: degrees(-90, 'Degrees above the horizon.'),
    replan: {
      type: 'boolean',
      default: false,
      description: 'Try the next pass after a collection that does not satisfy the constraints, at the same price.',
    },
  },
  // Clients read it, although it is empty.
  required: [],
  additionalProperties: false,
})

/** The cancellation policy in the form of `orders.get_schema`. */
export const describeTaskingCancelPolicy = ({
  cancel_policy: { hours_before_acquisition: hours, fee_pct },
}: TaskingProduct): Static<typeof CancelPolicy> => ({
  cancellable_until: hours === null ? 'PLACED' : `SCHEDULED-${hours}h`,
  fee_pct,
})

/** A product with the price that its caller pays. */
export function describeTaskingProduct(
  { id, name, product }: TaskingOffer,
  rates: PriceRates,
): TaskingProductDescription {
  const price = resolvePrice(product.price, rates).price!
  return {
    id,
    name,
    title: product.title,
    description: product.description,
    workflow: product.workflow,
    rate_credits: product.workflow === 'quotation' ? null : price.rate_credits,
    minimum_km2: price.minimum_km2,
    min_area_km2: product.min_area_km2,
    max_area_km2: product.max_area_km2,
    max_window_days: product.max_window_days,
    cancel_policy: { ...product.cancel_policy },
  }
}
