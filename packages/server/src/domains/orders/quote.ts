import { limits } from '@swath/contract/limits.ts'
import type { CaptureError } from '@swath/contract/schemas/capture.ts'
import type { PriceGroup } from '@swath/contract/schemas/price.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../engine/call.ts'
import { validationProblem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { HostPrice, HostScene, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import type { Integrations } from '../../platform/integrations/integrations.ts'
import { readNegotiatedRates, type NegotiatedRates } from '../contracts/rates.ts'
import { callHost, findHostCollection, loadCollections, waitForHost } from '../catalog/hosts.ts'
import { calculateCharge, isAreaGeometry, resolvePrice, roundArea } from '../catalog/price.ts'
import { groupCaptures } from './price-groups.ts'
import { vectorWorkOf, type VectorWork } from '../vectors/vector-worker/vector-worker.ts'
import { measureAreas, type AreaInFootprint, type MeasuredArea } from '../vectors/vector-worker/measure-areas.ts'

export interface CaptureRequest {
  readonly id: string
  readonly geometry: { readonly type?: unknown; readonly coordinates?: unknown }
  readonly host?: string | null
}

/** A capture that can be ordered, with its own price. */
export interface QuotedCapture {
  readonly id: string
  readonly geometry: CaptureRequest['geometry']
  readonly host: ImageryHost
  readonly scene: HostScene
  /** The charged price; null if it is free. */
  readonly price: HostPrice | null
  /** The list price of its host. */
  readonly list_price: HostPrice | null
  /** The commitment that negotiated a rate other than the list price. */
  readonly commitment_id: string | null
  readonly area_km2: number
  readonly credits: number
}

export interface Quote {
  readonly captures: readonly QuotedCapture[]
  readonly groups: readonly PriceGroup[]
  readonly errors: readonly CaptureError[]
  readonly total_credits: number
  /** The credits that each capture is charged on delivery; they sum to the total. */
  readonly shares: ReadonlyMap<QuotedCapture, number>
}

type CaptureFault = Pick<CaptureError, 'code' | 'message'>

interface QuoteContext {
  readonly integrations: Pick<Integrations, 'hosts'>
  readonly splitByDate: boolean
  readonly signal: AbortSignal
  readonly vectors: VectorWork
  readonly rates?: NegotiatedRates
  /** The input field that has the areas, for errors. */
  readonly field?: string
}

/**
 * Prices captures: those that can be ordered in groups, the others with an error. A negotiated rate replaces the list
 * price. Nothing is stored.
 */
export async function quoteCaptures({
  requests,
  ...context
}: QuoteContext & { readonly requests: readonly CaptureRequest[] }): Promise<Quote> {
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
  rates = new Map(),
  field = 'captures',
}: QuoteContext & { readonly lists: readonly (readonly CaptureRequest[])[] }): Promise<Quote[]> {
  const requests = lists.flat()
  rejectTooManyPositions(requests, field)
  const scenes = await findScenes(integrations, requests, signal)
  const offers = requests.map((capture) => findOffer(integrations, scenes, capture))
  const measured = await measureOffered(offers, vectors, signal)
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
  results: readonly { readonly capture: CaptureRequest; readonly quoted: QuotedCapture | CaptureFault }[],
  splitByDate: boolean,
): Quote {
  const captures: QuotedCapture[] = []
  const errors: CaptureError[] = []
  for (const { capture, quoted } of results) {
    if ('code' in quoted) errors.push({ id: capture.id, host: capture.host ?? null, ...quoted })
    else captures.push(quoted)
  }
  const pricedGroups = groupCaptures(captures, splitByDate)
  const groups = pricedGroups.map(({ group }) => group)
  return {
    captures,
    groups,
    errors,
    total_credits: groups.reduce((sum, group) => sum + group.credits, 0),
    shares: new Map(pricedGroups.flatMap(({ shares }) => shares)),
  }
}

/** What pricing needs of a call. */
export type QuotingCall = Pick<Call, 'db' | 'organization' | 'integrations' | 'services' | 'signal' | 'principal'>

/** Prices captures for a caller, at the rates that its organization has negotiated. */
export async function quoteForCaller(
  call: QuotingCall,
  { captures, splitByDate }: { readonly captures: readonly CaptureRequest[]; readonly splitByDate?: boolean | null },
  now: OrganizationTime,
): Promise<Quote> {
  const [quote] = await quoteListsForCaller(call, { lists: [captures], splitByDate: splitByDate ?? false }, now)
  return quote!
}

/** Prices several lists of captures for a caller; see `quoteForCaller`. */
export async function quoteListsForCaller(
  call: QuotingCall,
  request: Pick<QuoteContext, 'splitByDate' | 'field'> & { readonly lists: readonly (readonly CaptureRequest[])[] },
  now: OrganizationTime,
): Promise<Quote[]> {
  const { integrations, signal } = call
  const rates = await readNegotiatedRates(call.db, call.organization, now)
  return quoteCaptureLists({ ...request, integrations, signal, vectors: vectorWorkOf(call), rates })
}

const sceneKey = (host: string, scene: string): string => `${host}\u0000${scene}`

/**
 * The requested scenes, with one search per host, all at the same time. Captures that name no host are looked up at every
 * host in order; a host that does not respond in time is then passed over, unless a capture names it.
 */
async function findScenes(
  integrations: Pick<Integrations, 'hosts'>,
  requests: readonly CaptureRequest[],
  signal: AbortSignal,
): Promise<Map<string, HostScene>> {
  const scenesByKey = new Map<string, HostScene>()
  const unnamedIds = new Set(requests.filter(({ host }) => !host).map(({ id }) => id))
  const controller = new AbortController()
  const lookups = [...integrations.hosts.values()].map((host) =>
    startLookup(host, requests, { unnamedIds, signal: AbortSignal.any([signal, controller.signal]) }),
  )
  try {
    for (const { host, isNamed, search } of lookups) {
      if (!isNamed && unnamedIds.size === 0) continue
      for (const scene of await search) {
        scenesByKey.set(sceneKey(host.name, scene.id), scene)
        unnamedIds.delete(scene.id)
      }
    }
  } finally {
    controller.abort()
  }
  return scenesByKey
}

/** Searches one host for the captures that name it or no host. */
function startLookup(
  host: ImageryHost,
  requests: readonly CaptureRequest[],
  { unnamedIds, signal }: { readonly unnamedIds: ReadonlySet<string>; readonly signal: AbortSignal },
) {
  const namedIds = requests.filter((capture) => capture.host === host.name).map(({ id }) => id)
  const isNamed = namedIds.length > 0
  const ids = [...new Set([...namedIds, ...unnamedIds])]
  const find = async (limited: AbortSignal): Promise<readonly HostScene[]> => {
    if (ids.length === 0) return []
    await loadCollections(host, limited)
    return callHost(host, host.search({ ids, limit: ids.length }, limited))
  }
  const search = isNamed ? find(signal) : waitForHost(signal, find).catch((): readonly HostScene[] => [])
  // The result is awaited only if no earlier host had every scene.
  search.catch(() => undefined)
  return { host, isNamed, search }
}

/** Clipping cost grows with the number of positions, so they are counted first. */
function countPositions({ geometry }: CaptureRequest): number {
  const { type, coordinates } = geometry
  if (!Array.isArray(coordinates)) return 0
  const rings: unknown[] = type === 'MultiPolygon' ? coordinates.flat() : coordinates
  return rings.reduce((sum: number, ring: unknown) => sum + (Array.isArray(ring) ? ring.length : 0), 0)
}

/** Validating and clipping this many positions takes some hundredths of a second, during which the thread is blocked. */
const max_positions_per_batch = 500
/** Areas with fewer positions are measured faster than a worker thread responds. */
const max_positions_inline = 100

function rejectTooManyPositions(requests: readonly CaptureRequest[], path: string): void {
  const positions = requests.reduce((sum, capture) => sum + countPositions(capture), 0)
  if (positions <= limits.max_total_capture_vertices) return
  const message = `have ${positions} positions in total; at most ${limits.max_total_capture_vertices} are allowed`
  throw validationProblem([{ path, message }])
}

/** A requested capture that a host offers. */
interface CaptureOffer {
  readonly capture: CaptureRequest
  readonly host: ImageryHost
  readonly scene: HostScene
}

function findOffer(
  integrations: Pick<Integrations, 'hosts'>,
  scenes: ReadonlyMap<string, HostScene>,
  capture: CaptureRequest,
): CaptureOffer | CaptureFault {
  if (capture.host && !integrations.hosts.has(capture.host)) {
    return { code: 'unknown-host', message: `There is no host "${capture.host}".` }
  }
  const host = [...integrations.hosts.values()].find(
    ({ name }) => (!capture.host || capture.host === name) && scenes.has(sceneKey(name, capture.id)),
  )
  const scene = host && scenes.get(sceneKey(host.name, capture.id))
  if (!host || !scene) return { code: 'unknown-capture', message: `No host offers a capture "${capture.id}".` }
  return { capture, host, scene }
}

/** The areas within the footprints, by capture index; in a worker thread if they have many positions. */
async function measureOffered(
  offers: readonly (CaptureOffer | CaptureFault)[],
  vectors: VectorWork,
  signal: AbortSignal,
): Promise<Map<number, MeasuredArea>> {
  const measured = new Map<number, MeasuredArea>()
  for (const part of batchAreas(offers)) {
    const request = { areas: part.map(({ area }) => area), max_vertices: limits.max_capture_vertices }
    const positions = part.reduce((sum, one) => sum + one.positions, 0)
    const scenesByKey =
      positions <= max_positions_inline ? measureAreas(request) : await vectors.measureAreas(request, signal)
    for (const [at, { index }] of part.entries()) measured.set(index, scenesByKey[at]!)
  }
  return measured
}

interface AreaItem {
  readonly index: number
  readonly area: AreaInFootprint
  readonly positions: number
}

/** Captures with a footprint, in batches of limited size, or alone if larger. */
function batchAreas(offers: readonly (CaptureOffer | CaptureFault)[]): AreaItem[][] {
  const batches: AreaItem[][] = [[]]
  let sum = 0
  for (const [index, one] of offers.entries()) {
    if ('code' in one || !isAreaGeometry(one.scene.geometry)) continue
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
  offers: CaptureOffer | CaptureFault,
  measured: MeasuredArea | undefined,
  { seenSceneKeys, rates }: { readonly seenSceneKeys: Set<string>; readonly rates: NegotiatedRates },
): QuotedCapture | CaptureFault {
  if ('code' in offers) return offers
  const { capture, host, scene } = offers
  if (seenSceneKeys.has(sceneKey(host.name, scene.id))) {
    return { code: 'duplicate', message: `The capture "${capture.id}" is listed twice.` }
  }
  if (!measured) return { code: 'unknown-capture', message: 'The scene has no footprint.' }
  if ('fault' in measured) {
    return { code: 'not-a-polygon', message: `The geometry is not a valid Polygon or MultiPolygon: ${measured.fault}.` }
  }
  const area_km2 = roundArea(measured.km2)
  if (area_km2 === 0)
    return { code: 'outside-footprint', message: 'The geometry does not intersect the footprint of the capture.' }
  seenSceneKeys.add(sceneKey(host.name, scene.id))
  const list_price = findHostCollection(host, scene)?.price ?? null
  const { price, commitment_id } = resolvePrice(list_price, rates)
  return {
    id: capture.id,
    geometry: capture.geometry,
    host,
    scene,
    price,
    list_price,
    commitment_id,
    area_km2,
    credits: calculateCharge(price, area_km2).credits,
  }
}
