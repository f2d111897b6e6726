import { limits } from '@swath/contract/limits.ts'
import type { CaptureError } from '@swath/contract/schemas/capture.ts'
import type { PriceGroup } from '@swath/contract/schemas/price.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { PurchaseCall } from '../../engine/call.ts'
import { validationProblem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { HostPrice, HostScene, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { Integrations } from '../../platform/integrations/integrations.ts'
import { noPriceRates, readPriceRates, type PriceRates } from '../contracts/rates.ts'
import { formatDataProductName, isProductOffered, type ProductTermsByName } from '../rate-cards/product-terms.ts'
import { findCollectionForSale } from '../catalog/hosts.ts'
import { calculateCharge, isAreaGeometry, resolvePrice, roundArea_km2 } from '../catalog/price.ts'
import { groupCapturesForPricing } from './price-groups.ts'
import { getCallerVectorJobRunner, type OrganizationVectorJobRunner } from '../vectors/vector-worker/vector-worker.ts'
import {
  findCaptureOffer,
  findRequestedScenes,
  computeSceneKey,
  type CaptureRequestError,
  type CaptureOffer,
  type OrderCaptureRequest,
} from './find-offers.ts'
import { readOwnedAreas, subtractOwnedAreas, type FindOwnedAreas } from './owned-areas.ts'
import {
  measureAreasInFootprints,
  type AreaWithFootprint,
  type MeasuredArea,
} from '../vectors/vector-worker/measure-areas.ts'

/** A capture that can be ordered, with its own price. */
export interface QuotedCapture {
  readonly id: string
  readonly geometry: OrderCaptureRequest['geometry']
  readonly host: ImageryHost
  readonly scene: HostScene
  /** The charged price; null if it is free. */
  readonly price: HostPrice | null
  /** The list price in force. */
  readonly list_price: HostPrice | null
  /** The commitment that negotiated a rate other than the list price. */
  readonly commitment_id: string | null
  readonly area_km2: number
  /** The licence under which the rest of the requested area is held already; null if the area is that of the request. */
  readonly held_licence: string | null
  readonly credits: number
}

export interface CaptureQuote {
  readonly captures: readonly QuotedCapture[]
  readonly groups: readonly PriceGroup[]
  readonly errors: readonly CaptureError[]
  readonly total_credits: number
  /** The credits that each capture is charged on delivery; they sum to the total. */
  readonly shares: ReadonlyMap<QuotedCapture, number>
}

interface QuoteContext {
  readonly integrations: Pick<Integrations, 'hosts'>
  readonly splitByDate: boolean
  readonly signal: AbortSignal
  readonly vectors: OrganizationVectorJobRunner
  readonly rates?: PriceRates
  /** The input field that has the areas, for errors. */
  readonly field?: string
  /** Finds the areas that are left out of the requested ones. */
  readonly findHeld?: FindOwnedAreas | null
}

/**
 * Prices captures: those that can be ordered in groups, the others with an error. A negotiated rate replaces the list
 * price. Nothing is stored.
 */
export async function quoteCaptures({
  requests,
  ...context
}: QuoteContext & { readonly requests: readonly OrderCaptureRequest[] }): Promise<CaptureQuote> {
  const [quote] = await quoteCaptureLists({ ...context, lists: [requests] })
  return quote!
}

/** Prices several lists of captures, each by itself, with one search per host for all of them. */
async function quoteCaptureLists({
  integrations,
  lists,
  splitByDate,
  signal,
  vectors,
  rates = noPriceRates,
  field = 'captures',
  findHeld = null,
}: QuoteContext & { readonly lists: readonly (readonly OrderCaptureRequest[])[] }): Promise<CaptureQuote[]> {
  const requests = lists.flat()
  rejectTooManyPositions(requests, field)
  const scenes = await findRequestedScenes(integrations, requests, signal)
  const requested = requests.map((capture) => findCaptureOffer(integrations, scenes, capture))
  const work = { vectors, signal }
  const measured = await measureOffered(requested, work)
  const offers = findHeld
    ? await leaveOutHeldAreas(requested, measured, { ...work, findHeld, products: rates.products })
    : requested
  let start = 0
  return lists.map((list) => {
    const seenSceneKeys = new Set<string>()
    const quoted = list.map((capture, index) => {
      const position = start + index
      return { capture, quoted: quoteCapture(offers[position]!, measured.get(position), { seenSceneKeys, rates }) }
    })
    start += list.length
    return toQuote(quoted, splitByDate)
  })
}

function toQuote(
  results: readonly { readonly capture: OrderCaptureRequest; readonly quoted: QuotedCapture | CaptureRequestError }[],
  splitByDate: boolean,
): CaptureQuote {
  const captures: QuotedCapture[] = []
  const errors: CaptureError[] = []
  for (const { capture, quoted } of results) {
    if ('code' in quoted) errors.push({ id: capture.id, host: capture.host ?? null, ...quoted })
    else captures.push(quoted)
  }
  const pricedGroups = groupCapturesForPricing(captures, splitByDate)
  const groups = pricedGroups.map(({ group }) => group)
  return {
    captures,
    groups,
    errors,
    total_credits: groups.reduce((sum, group) => sum + group.credits, 0),
    shares: new Map(pricedGroups.flatMap(({ shares }) => shares)),
  }
}

interface QuoteOptions {
  readonly splitByDate?: boolean | null | undefined
  /** Leaves out what the caller holds under `licenseType`, or else under the standard licence of each product. */
  readonly exclude_owned?: boolean | null | undefined
  readonly licenseType?: string | null | undefined
}

export interface CaptureQuoteRequest extends QuoteOptions {
  readonly captures: readonly OrderCaptureRequest[]
}

/** Prices captures for a caller, at the list rates in force and the rates that its organization has negotiated. */
export const quoteCapturesForCaller = async (
  call: PurchaseCall,
  request: CaptureQuoteRequest,
  now: OrganizationTime,
): Promise<CaptureQuote> => quoteCapturesAtRates(call, request, await readPriceRates(call.db, call.organization, now))

/** The same at rates that were read before, for a caller that needs the terms of the products too. */
export async function quoteCapturesAtRates(
  call: PurchaseCall,
  { captures, ...options }: CaptureQuoteRequest,
  rates: PriceRates,
): Promise<CaptureQuote> {
  const [quote] = await quoteListsAtRates(call, { ...options, lists: [captures] }, rates)
  return quote!
}

interface QuoteListsRequest extends QuoteOptions {
  readonly lists: readonly (readonly OrderCaptureRequest[])[]
  /** The input field that has the areas, for errors. */
  readonly field?: string
}

/** Prices several lists of captures for a caller; see `quoteCapturesForCaller`. */
export const quoteCaptureListsForCaller = async (
  call: PurchaseCall,
  request: QuoteListsRequest,
  now: OrganizationTime,
): Promise<CaptureQuote[]> => quoteListsAtRates(call, request, await readPriceRates(call.db, call.organization, now))

async function quoteListsAtRates(
  call: PurchaseCall,
  { lists, splitByDate, exclude_owned, licenseType, ...fields }: QuoteListsRequest,
  rates: PriceRates,
): Promise<CaptureQuote[]> {
  const { integrations, signal } = call
  const scene_ids = [...new Set(lists.flat().map(({ id }) => id))]
  return quoteCaptureLists({
    lists,
    ...fields,
    splitByDate: splitByDate ?? false,
    findHeld: exclude_owned ? await readOwnedAreas(call, scene_ids, licenseType ?? null) : null,
    integrations,
    signal,
    vectors: getCallerVectorJobRunner(call),
    rates,
  })
}

/** Clipping cost grows with the number of positions, so they are counted first. */
function countPositions({ geometry }: OrderCaptureRequest): number {
  const { type, coordinates } = geometry
  if (!Array.isArray(coordinates)) return 0
  const rings: unknown[] = type === 'MultiPolygon' ? coordinates.flat() : coordinates
  return rings.reduce((sum: number, ring: unknown) => sum + (Array.isArray(ring) ? ring.length : 0), 0)
}

/** Validating and clipping this many positions takes some hundredths of a second, during which the thread is blocked. */
const max_positions_per_batch = 500
/** Areas with fewer positions are measured faster than a worker thread responds. */
const max_positions_inline = 100

function rejectTooManyPositions(requests: readonly OrderCaptureRequest[], path: string): void {
  const positions = requests.reduce((sum, capture) => sum + countPositions(capture), 0)
  if (positions <= limits.max_total_capture_vertices) return
  const message = `have ${positions} positions in total; at most ${limits.max_total_capture_vertices} are allowed`
  throw validationProblem([{ path, message }])
}

interface AreaWork {
  readonly vectors: OrganizationVectorJobRunner
  readonly signal: AbortSignal
}

/** The offers for areas that are not held; the measures of those whose area has changed are replaced. */
async function leaveOutHeldAreas(
  offers: readonly (CaptureOffer | CaptureRequestError)[],
  measured: Map<number, MeasuredArea>,
  {
    findHeld,
    products,
    ...work
  }: AreaWork & { readonly findHeld: FindOwnedAreas; readonly products: ProductTermsByName },
): Promise<(CaptureOffer | CaptureRequestError)[]> {
  const left = [...offers]
  const changed: (CaptureOffer | null)[] = offers.map(() => null)
  for (const [index, offer] of offers.entries()) {
    const measure = measured.get(index)
    if ('code' in offer || !measure || 'fault' in measure) continue
    const held = findHeld(offer, products)
    const area = { geometry: offer.capture.geometry as AreaGeometry, footprint: offer.scene.geometry as AreaGeometry }
    const geometry = await subtractOwnedAreas(area, held, work)
    if (geometry === undefined) continue
    if (geometry) changed[index] = { ...offer, capture: { ...offer.capture, geometry }, held_licence: held.licence }
    left[index] = changed[index] ?? {
      code: 'already-held',
      message: `The area is held already under the licence ${held.licence}.`,
    }
  }
  for (const [index, measure] of await measureOffered(changed, work)) measured.set(index, measure)
  return left
}

/** The areas within the footprints, by capture index; in a worker thread if they have many positions. */
async function measureOffered(
  offers: readonly (CaptureOffer | CaptureRequestError | null)[],
  { vectors, signal }: AreaWork,
): Promise<Map<number, MeasuredArea>> {
  const measured = new Map<number, MeasuredArea>()
  for (const part of batchAreas(offers)) {
    const request = { areas: part.map(({ area }) => area), max_vertices: limits.max_capture_vertices }
    const positions = part.reduce((sum, one) => sum + one.positions, 0)
    const scenesByKey =
      positions <= max_positions_inline
        ? measureAreasInFootprints(request)
        : await vectors.measureAreas(request, signal)
    for (const [at, { index }] of part.entries()) measured.set(index, scenesByKey[at]!)
  }
  return measured
}

interface AreaItem {
  readonly index: number
  readonly area: AreaWithFootprint
  readonly positions: number
}

/** Captures with a footprint, in batches of limited size, or alone if larger. */
function batchAreas(offers: readonly (CaptureOffer | CaptureRequestError | null)[]): AreaItem[][] {
  const batches: AreaItem[][] = [[]]
  let sum = 0
  for (const [index, one] of offers.entries()) {
    if (!one || 'code' in one || !isAreaGeometry(one.scene.geometry)) continue
    const { capture, scene } = one
    const positions = countPositions(capture)
    if (sum + positions > max_positions_per_batch && batches.at(-1)!.length > 0) {
      batches.push([])
      sum = 0
    }
    sum += positions
    batches
      .at(-1)!
      .push({ index, area: { geometry: capture.geometry, footprint: scene.geometry as AreaGeometry }, positions })
  }
  return batches
}

function quoteCapture(
  offers: CaptureOffer | CaptureRequestError,
  measured: MeasuredArea | undefined,
  { seenSceneKeys, rates }: { readonly seenSceneKeys: Set<string>; readonly rates: PriceRates },
): QuotedCapture | CaptureRequestError {
  if ('code' in offers) return offers
  const { capture, host, scene } = offers
  if (seenSceneKeys.has(computeSceneKey(host.name, scene.id))) {
    return { code: 'duplicate', message: `The capture "${capture.id}" is listed twice.` }
  }
  if (!isProductOffered(rates.products, formatDataProductName(host.name, scene.collection)))
    return { code: 'not-available', message: `The data product of the capture "${capture.id}" is not offered now.` }
  if (!measured) return { code: 'unknown-capture', message: 'The scene has no footprint.' }
  if ('fault' in measured) {
    return { code: 'not-a-polygon', message: `The geometry is not a valid Polygon or MultiPolygon: ${measured.fault}.` }
  }
  const area_km2 = roundArea_km2(measured.km2)
  if (area_km2 === 0)
    return { code: 'outside-footprint', message: 'The geometry does not intersect the footprint of the capture.' }
  seenSceneKeys.add(computeSceneKey(host.name, scene.id))
  const { list_price, price, commitment_id } = resolvePrice(
    findCollectionForSale(host, scene, rates.products)?.price ?? null,
    rates,
  )
  return {
    id: capture.id,
    geometry: capture.geometry,
    host,
    scene,
    price,
    list_price,
    commitment_id,
    area_km2,
    held_licence: offers.held_licence ?? null,
    credits: calculateCharge(price, area_km2).credits,
  }
}
