import type { FeatureError } from '@swath/contract/schemas/price.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { DataProduct } from '../../glossary/data-products.ts'
import { requireDataProduct } from '../../glossary/find-data-product.ts'
import { requireBudgetedWorkspace } from '../../billing/budgets/budgets.ts'
import { rejectExclusionWithQuote } from '../place-archive-order.ts'
import { placeQuotedOrders, readPlacedOrder, type PlacedOrderRow } from '../place-quoted-orders.ts'
import { requireOpenCaptureQuote } from '../price-lock.ts'
import { placeTaskingDrafts, requireAcceptedTaskEulas } from '../tasking/place-drafts.ts'
import { readParamsName } from '../tasking/place-tasking-order.ts'
import type { TaskingOffer } from '../tasking/tasking-products.ts'
import {
  findScenesOfOtherProducts,
  quoteProductFeatures,
  type ProductOrderRequest,
  type QuotedFeatures,
} from './product-orders.ts'
import { assignTaskingFeatures, findOfferedTaskingProduct, readTaskingFeatures } from './tasking-features.ts'

export interface ProductOrderPlacement extends ProductOrderRequest {
  readonly workspaceId: string
  readonly dataProduct: string
  readonly displayName: string
  readonly tags?: readonly string[] | null | undefined
  readonly quote_id?: string | null | undefined
  /** The most that all orders may cost together. */
  readonly max_credits?: number | null | undefined
  /** The project or the caller. */
  readonly budgetId?: string | null | undefined
  /** Order what can be ordered. */
  readonly partial: boolean
}

export interface PlacedProductOrders {
  readonly placed: readonly (PlacedOrderRow & { readonly index: number })[]
  readonly errors: readonly FeatureError[]
}

/**
 * Orders a data product, one order per feature, in one transaction: a problem of access or money fails the whole call, and then
 * nothing was written. A feature that cannot be ordered (its area or a scene is not valid) fails it, too; with `partial` it is an
 * error of its own and does not prevent the others, and without any feature that can be ordered the call succeeds with errors
 * only, because clients read the reason of each feature there.
 */
export async function placeProductOrders(call: Call, request: ProductOrderPlacement): Promise<PlacedProductOrders> {
  const recovered = await readRecovered(call)
  if (recovered) return recovered
  const project = await requireBudgetedWorkspace(call, request.workspaceId, request.budgetId)
  const offer = await findOfferedTaskingProduct(call, request.dataProduct)
  const drafts = offer ? await draftTaskingOrders(call, offer, request) : await draftArchiveOrders(call, request)
  const { indexes, errors } = drafts
  if (errors.length > 0 && !request.partial) throw validationProblem(errors.map(toFieldError))
  if (indexes.length === 0) return { placed: [], errors }
  const placed = await drafts.place({
    project: project.id,
    max_credits: request.max_credits,
    toRecoveryData: (ids) => ({ placed: ids.map((id, at) => ({ id, index: indexes[at]! })), errors }),
  })
  return { placed: placed.map((row, at) => ({ ...row, index: indexes[at]! })), errors }
}

const toFieldError = ({ index, message, details }: FeatureError) => ({
  path: `featureCollection.features.${index}`,
  message,
  details,
})

interface PlacementOptions {
  readonly project: string
  readonly max_credits: number | null | undefined
  readonly toRecoveryData: (ids: readonly string[]) => Readonly<Record<string, unknown>>
}

/** The orders of the features that can be ordered. */
interface ProductOrderDrafts {
  /** The position of each of them in the request. */
  readonly indexes: readonly number[]
  readonly errors: readonly FeatureError[]
  readonly place: (options: PlacementOptions) => Promise<PlacedOrderRow[]>
}

const toDraft = ({ displayName, tags }: ProductOrderPlacement) => ({
  display_name: displayName === '' ? null : displayName,
  tags: tags ?? [],
})

async function draftArchiveOrders(call: Call, request: ProductOrderPlacement): Promise<ProductOrderDrafts> {
  const product = await requireDataProduct(call, request.dataProduct)
  const { params, quoted, errors } = await resolveQuotes(call, product, request)
  const draft = { ...toDraft(request), quote_id: request.quote_id ?? null, licence: params.licenseType ?? null }
  return {
    indexes: quoted.map(({ index }) => index),
    errors,
    place: (options) =>
      placeQuotedOrders(call, { ...options, drafts: quoted.map(({ quote }) => ({ ...draft, quote })) }),
  }
}

/** The orders wait for a study or a quotation where the product has one. */
async function draftTaskingOrders(
  call: Call,
  offer: TaskingOffer,
  request: ProductOrderPlacement,
): Promise<ProductOrderDrafts> {
  if (request.quote_id)
    throw validationProblem([{ path: 'quote_id', message: 'is for captures; order areas by `orders.tasking.place`' }])
  const features = await readTaskingFeatures(call, offer, request)
  if (features.errors.length === 0 || request.partial) await requireAcceptedTaskEulas(call, features.tasks)
  const { tasks, errors } = await assignTaskingFeatures(call, offer, features)
  const { display_name, tags } = toDraft(request)
  const drafts = tasks.map((task) => ({
    tasks: [task],
    quote_id: null,
    display_name: display_name ?? readParamsName(request.params),
    tags,
  }))
  return {
    indexes: tasks.map(({ task }) => task.index),
    errors,
    place: async (options) =>
      (await placeTaskingDrafts(call, { ...options, drafts })).map((order) => ({ order, isDeferred: true })),
  }
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
