import { limits } from '@swath/contract/limits.ts'
import type { CaptureError } from '@swath/contract/shapes/capture.ts'
import type { PriceGroup } from '@swath/contract/shapes/price.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { Call } from '../../engine/call.ts'
import { ownerOf, type WorkOwner } from '../../engine/fair-queue.ts'
import { validationProblem } from '../../engine/problem.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { HostPrice, HostScene, ImageryHost } from '../../platform/outside/imagery-host.ts'
import type { Outside } from '../../platform/outside/outside.ts'
import { negotiatedRates, type Rates } from '../billing/commitments/rates.ts'
import { asking, collectionOf } from '../catalog/hosts.ts'
import { audOf, chargeOf, isArea, offeredPrice, rounded } from '../catalog/price.ts'
import { askForAreas } from '../vectors/desk/desk.ts'
import { measureAreas, type AreaToMeasure, type MeasuredArea } from '../vectors/desk/measure-areas.ts'

export interface WantedCapture {
  readonly id: string
  readonly geometry: { readonly type?: unknown; readonly coordinates?: unknown }
  readonly host?: string | null
}

/** A capture that can be ordered, with its own price. */
export interface QuotedCapture {
  readonly id: string
  readonly geometry: WantedCapture['geometry']
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

type Fault = Pick<CaptureError, 'code' | 'message'>

/**
 * Prices captures: those that can be ordered in groups, the others with an error. A negotiated rate replaces the list
 * price. Nothing is stored.
 */
export async function quoteCaptures(
  outside: Pick<Outside, 'hosts'>,
  wanted: readonly WantedCapture[],
  splitByDate: boolean,
  signal: AbortSignal,
  owner: WorkOwner,
  rates: Rates = new Map(),
): Promise<Quote> {
  refuseTooMany(wanted)
  const scenes = await findScenes(outside, wanted, signal)
  const offered = wanted.map((capture) => offerOf(outside, scenes, capture))
  const measured = await measureOffered(offered, owner, signal)
  const seen = new Set<string>()
  const captures: QuotedCapture[] = []
  const errors: CaptureError[] = []
  for (const [index, capture] of wanted.entries()) {
    const quoted = quoteOne(offered[index]!, measured.get(index), { seen, rates })
    if ('code' in quoted) errors.push({ id: capture.id, host: capture.host ?? null, ...quoted })
    else captures.push(quoted)
  }
  const grouped = groupsOf(captures, splitByDate)
  const groups = grouped.map(({ group }) => group)
  return {
    captures,
    groups,
    errors,
    total_credits: groups.reduce((sum, group) => sum + group.credits, 0),
    shares: new Map(grouped.flatMap(({ shares }) => shares)),
  }
}

/** Prices captures for a caller, at the rates that its organization has negotiated. */
export async function quoteFor(
  call: Pick<Call, 'db' | 'organization' | 'outside' | 'signal' | 'principal'>,
  { captures, splitByDate }: { readonly captures: readonly WantedCapture[]; readonly splitByDate?: boolean | null },
  now: OrganizationTime,
): Promise<Quote> {
  const rates = await negotiatedRates(call.db, call.organization, now)
  return quoteCaptures(call.outside, captures, splitByDate ?? false, call.signal, ownerOf(call), rates)
}

const keyOf = (host: string, scene: string): string => `${host}\u0000${scene}`

/** The requested scenes, with one search per host. */
async function findScenes(
  outside: Pick<Outside, 'hosts'>,
  wanted: readonly WantedCapture[],
  signal: AbortSignal,
): Promise<Map<string, HostScene>> {
  const found = new Map<string, HostScene>()
  for (const host of outside.hosts.values()) {
    const ids = [
      ...new Set(wanted.filter((capture) => !capture.host || capture.host === host.name).map(({ id }) => id)),
    ]
    if (ids.length === 0) continue
    for (const scene of await asking(host, host.search({ ids, limit: ids.length }, signal))) {
      found.set(keyOf(host.name, scene.id), scene)
    }
  }
  return found
}

/** Clipping cost grows with the number of positions, so they are counted first. */
function positionsIn({ geometry }: WantedCapture): number {
  const { type, coordinates } = geometry
  if (!Array.isArray(coordinates)) return 0
  const rings: unknown[] = type === 'MultiPolygon' ? coordinates.flat() : coordinates
  return rings.reduce((sum: number, ring: unknown) => sum + (Array.isArray(ring) ? ring.length : 0), 0)
}

/** Validating and clipping this many positions takes some hundredths of a second, during which the thread is blocked. */
const positions_at_once = 500
/** Areas with fewer positions are measured faster than a worker thread responds. */
const positions_here = 100

function refuseTooMany(wanted: readonly WantedCapture[]): void {
  const positions = wanted.reduce((sum, capture) => sum + positionsIn(capture), 0)
  if (positions <= limits.captures_vertices) return
  const message = `have ${positions} positions in total; at most ${limits.captures_vertices} are allowed`
  throw validationProblem([{ path: 'captures', message }])
}

/** A requested capture that a host offers. */
interface Offered {
  readonly capture: WantedCapture
  readonly host: ImageryHost
  readonly scene: HostScene
}

function offerOf(
  outside: Pick<Outside, 'hosts'>,
  scenes: ReadonlyMap<string, HostScene>,
  capture: WantedCapture,
): Offered | Fault {
  if (capture.host && !outside.hosts.has(capture.host)) {
    return { code: 'unknown-host', message: `There is no host "${capture.host}".` }
  }
  const host = [...outside.hosts.values()].find(
    ({ name }) => (!capture.host || capture.host === name) && scenes.has(keyOf(name, capture.id)),
  )
  const scene = host && scenes.get(keyOf(host.name, capture.id))
  if (!host || !scene) return { code: 'unknown-capture', message: `No host offers a capture "${capture.id}".` }
  return { capture, host, scene }
}

/** The areas within the footprints, by capture index; in a worker thread if they have many positions. */
async function measureOffered(
  offered: readonly (Offered | Fault)[],
  owner: WorkOwner,
  signal: AbortSignal,
): Promise<Map<number, MeasuredArea>> {
  const measured = new Map<number, MeasuredArea>()
  for (const part of partsToMeasure(offered)) {
    const request = { areas: part.map(({ area }) => area), most_vertices: limits.capture_vertices }
    const positions = part.reduce((sum, one) => sum + one.positions, 0)
    const found = positions <= positions_here ? measureAreas(request) : await askForAreas(owner, request, signal)
    for (const [at, { index }] of part.entries()) measured.set(index, found[at]!)
  }
  return measured
}

interface Part {
  readonly index: number
  readonly area: AreaToMeasure
  readonly positions: number
}

/** Captures with a footprint, in batches of limited size, or alone if larger. */
function partsToMeasure(offered: readonly (Offered | Fault)[]): Part[][] {
  const parts: Part[][] = [[]]
  let sum = 0
  for (const [index, one] of offered.entries()) {
    if ('code' in one || !isArea(one.scene.geometry)) continue
    const { capture, scene } = one
    const positions = positionsIn(capture)
    if (sum + positions > positions_at_once && parts.at(-1)!.length > 0) {
      parts.push([])
      sum = 0
    }
    sum += positions
    parts
      .at(-1)!
      .push({ index, area: { geometry: capture.geometry, footprint: scene.geometry as AreaGeometry }, positions })
  }
  return parts
}

function quoteOne(
  offered: Offered | Fault,
  measured: MeasuredArea | undefined,
  { seen, rates }: { readonly seen: Set<string>; readonly rates: Rates },
): QuotedCapture | Fault {
  if ('code' in offered) return offered
  const { capture, host, scene } = offered
  if (seen.has(keyOf(host.name, scene.id))) {
    return { code: 'duplicate', message: `The capture "${capture.id}" is listed twice.` }
  }
  if (!measured) return { code: 'unknown-capture', message: 'The scene has no footprint.' }
  if ('fault' in measured) {
    return { code: 'not-a-polygon', message: `The geometry is not a valid Polygon or MultiPolygon: ${measured.fault}.` }
  }
  const area_km2 = rounded(measured.km2)
  if (area_km2 === 0)
    return { code: 'outside-footprint', message: 'The geometry does not intersect the footprint of the capture.' }
  seen.add(keyOf(host.name, scene.id))
  const list_price = collectionOf(host, scene)?.price ?? null
  const { price, commitment_id } = offeredPrice(list_price, rates)
  return {
    id: capture.id,
    geometry: capture.geometry,
    host,
    scene,
    price,
    list_price,
    commitment_id,
    area_km2,
    credits: chargeOf(price, area_km2).credits,
  }
}

const dateOf = (capture: QuotedCapture): string => capture.scene.datetime.slice(0, 10)

interface Grouped {
  readonly group: PriceGroup
  readonly shares: readonly (readonly [QuotedCapture, number])[]
}

/** One group per product, or per product and date; a date is priced as one area with one minimum. */
function groupsOf(captures: readonly QuotedCapture[], splitByDate: boolean): Grouped[] {
  const groups = Map.groupBy(captures, (capture) =>
    [capture.host.name, capture.scene.collection, splitByDate ? dateOf(capture) : ''].join('\u0000'),
  )
  return [...groups.values()].map((members) => (splitByDate ? dateGroup(members) : productGroup(members)))
}

/** Each capture at its own price, with its own minimum. */
function productGroup(members: readonly QuotedCapture[]): Grouped {
  const credits = members.reduce((sum, capture) => sum + capture.credits, 0)
  const km2 = members.reduce((sum, { price, area_km2 }) => sum + chargeOf(price, area_km2).charged_km2, 0)
  return {
    group: {
      captures: members.map(({ id }) => id),
      aoi_km2: Math.round(km2 * 10_000) / 10_000,
      credits,
      aud: audOf(credits),
    },
    shares: members.map((capture) => [capture, capture.credits]),
  }
}

function dateGroup(members: readonly QuotedCapture[]): Grouped {
  const first = members[0]!
  const area_km2 = members.reduce((sum, capture) => sum + capture.area_km2, 0)
  const { charged_km2, credits } = chargeOf(first.price, area_km2)
  return {
    group: {
      captures: members.map(({ id }) => id),
      aoi_km2: charged_km2,
      credits,
      aud: audOf(credits),
      date: dateOf(first),
    },
    shares: sharedByArea(members, area_km2, credits),
  }
}

/** Divides credits by area, as integers; the last capture takes the remainder. */
function sharedByArea(members: readonly QuotedCapture[], area_km2: number, credits: number): Grouped['shares'] {
  let left = credits
  return members.map((capture, index) => {
    const share = index === members.length - 1 ? left : Math.floor((credits * capture.area_km2) / area_km2)
    left -= share
    return [capture, share]
  })
}
