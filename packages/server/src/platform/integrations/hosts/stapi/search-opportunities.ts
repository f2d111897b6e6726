import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type AreaGeometry } from '@swath/geo/geojson.ts'
import { validateAreaGeometry } from '@swath/geo/validate-area.ts'
import { coveredFraction } from '@swath/geo/polygon-clip.ts'
import type { HostOpportunity, TaskingRequest } from '../../tasking-host.ts'
import { HostApiError, type JsonRequest, type JsonResponse } from '../request-host-json.ts'
import { asArray, asNumber, asObject, asText, type ReadonlyJsonObject } from '../stac-item.ts'
import {
  stapiConstraintProperties,
  readStapiInterval,
  toStapiBody,
  toStapiSearchParameters,
  type OfferedProduct,
} from './search-parameters.ts'
import {
  findStapiLink,
  findNextStapiPage,
  readStapiListPages,
  type StapiClient,
  type StapiLink,
} from './stapi-client.ts'

/** An opportunity, and the request that the provider proposes for it. */
export interface ProviderOpportunity {
  readonly opportunity: HostOpportunity
  readonly createOrder: StapiLink | null
}

/** The id of the only opportunity of a product whose provider lets nobody search for them. */
export const anyOpportunityId = 'any'

/** The opportunities of a product, soonest first. */
export async function searchStapiOpportunities(
  client: StapiClient,
  offered: OfferedProduct,
  request: TaskingRequest,
  signal?: AbortSignal,
): Promise<readonly ProviderOpportunity[]> {
  if (offered.product.search === 'none') return [wholeWindow(offered, request)]
  const found = new Map<string, ProviderOpportunity>()
  for await (const { feature, url } of readFeatures(client, offered, request, signal)) {
    const read = readOpportunity(feature, { offered, request, url })
    if (read) found.set(read.opportunity.id, read)
    if (found.size === client.limits.max_opportunities) break
  }
  return [...found.values()].toSorted(
    (left, right) => left.opportunity.from.getTime() - right.opportunity.from.getTime(),
  )
}

/** The provider itself chooses a pass within the window. */
const wholeWindow = ({ row }: OfferedProduct, { from, to, geometry, sensor }: TaskingRequest): ProviderOpportunity => ({
  createOrder: null,
  opportunity: {
    id: anyOpportunityId,
    satellite: null,
    sensor: sensor ?? row.sensors[0]!,
    from,
    to,
    footprint: geometry,
    swath: null,
    ground_track: null,
    ...unknownView,
    cloud_pct: null,
    coverage: 1,
    probability: null,
    max_cloud_pct: null,
    conflict: null,
  },
})

const unknownView = {
  off_nadir_deg: null,
  view_azimuth_deg: null,
  incidence_deg: null,
  sun_elevation_deg: null,
  sun_azimuth_deg: null,
} as const

async function* readFeatures(
  client: StapiClient,
  { product, row }: OfferedProduct,
  request: TaskingRequest,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly feature: ReadonlyJsonObject; readonly url: string }> {
  const search: JsonRequest = {
    method: 'POST',
    url: product.opportunities_url,
    headers: { prefer: product.search === 'sync' ? 'wait' : 'respond-async' },
    body: {
      ...toStapiBody(product, toStapiSearchParameters({ product, row }, request)),
      limit: client.limits.page_size,
    },
  }
  const response = await client.exchange(search, [200, 201, 202], signal)
  // A provider may answer either way, whatever was preferred.
  const first: JsonRequest =
    response.status === 200 ? search : { method: 'GET', url: await awaitSearch(client, search, response, signal) }
  if (response.status === 200) {
    for (const feature of asArray(asObject(response.json)['features']))
      yield { feature: asObject(feature), url: first.url }
    const next = findNextStapiPage(first, asObject(response.json))
    if (next) yield* readPagesFrom(client, next, signal)
  } else yield* readPagesFrom(client, first, signal)
}

async function* readPagesFrom(client: StapiClient, first: JsonRequest, signal?: AbortSignal) {
  for await (const { entries, url } of readStapiListPages(client, first, 'features', signal))
    for (const feature of entries) yield { feature, url }
}

/** Waits for an asynchronous search; the URL of what it found. The signal limits the time. */
async function awaitSearch(
  client: StapiClient,
  search: JsonRequest,
  response: JsonResponse,
  signal?: AbortSignal,
): Promise<string> {
  let record = asObject(response.json)
  const location = response.headers['location']
  const record_url =
    location && URL.canParse(location, search.url)
      ? new URL(location, search.url).href
      : findStapiLink(record, 'self', search.url)?.href
  for (let pause_ms = client.limits.poll_ms; ; pause_ms = Math.min(pause_ms * 2, client.limits.poll_ms * 10)) {
    const status = asObject(record['status'])
    const code = asText(status['status_code'])
    if (code === 'failed' || code === 'cancelled')
      throw new HostApiError(200, `the search of the provider ended as ${code}`, asText(status['reason_text']))
    const found = code === 'completed' ? findStapiLink(record, 'opportunities', record_url ?? search.url) : null
    if (found) return found.href
    if (!record_url) throw new HostApiError(201, 'the provider does not say where its search can be followed')
    await wait(pause_ms, undefined, signal ? { signal } : {})
    record = await client.get(record_url, signal)
  }
}

/**
 * Ids of providers are those of one search, so an id is made of the time of the pass and a hash of time, satellite and
 * place: the same for the same pass in every search.
 */
function idOfOpportunity({ from, to }: PassWindow, identity: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24)
  return `${from.getTime().toString(36)}-${(to.getTime() - from.getTime()).toString(36)}-${hash}`
}

/** The time of a pass, from the id of its opportunity; null for an id that none can have. */
export function parseOpportunityWindow(id: string): PassWindow | null {
  const parts = /^([0-9a-z]{1,10})-([0-9a-z]{1,10})-[0-9a-f]{24}$/.exec(id)
  if (!parts) return null
  const from_ms = Number.parseInt(parts[1]!, 36)
  return { from: new Date(from_ms), to: new Date(from_ms + Number.parseInt(parts[2]!, 36)) }
}

interface PassWindow {
  readonly from: Date
  readonly to: Date
}

interface ReadContext {
  readonly offered: OfferedProduct
  readonly request: TaskingRequest
  readonly url: string
}

const max_vertices = 5000

/** An opportunity of an unknown author; null if it has no time or no place within the request. */
function readOpportunity(
  feature: ReadonlyJsonObject,
  { offered, request, url }: ReadContext,
): ProviderOpportunity | null {
  const properties = asObject(feature['properties'])
  const interval = readStapiInterval(properties['datetime'])
  if (!interval || interval.to < request.from || interval.from > request.to) return null
  const footprint = readFootprint(feature['geometry'], request.geometry)
  const coverage = footprint ? coveredFraction(request.geometry, [footprint]) : 0
  if (!footprint || coverage === 0) return null
  const satellite = readText(properties, ['platform', 'satellite', 'satellites', 'vehicle_id', 'constellation'])
  const identity = [offered.product.id, properties['datetime'], satellite, feature['geometry']]
  const number = (names: readonly string[]): number | null => readNumber(properties, names)
  return {
    createOrder: findStapiLink(feature, 'create-order', url),
    opportunity: {
      id: idOfOpportunity(interval, identity),
      satellite,
      sensor: readSensor(properties, offered, request),
      ...interval,
      footprint,
      swath: null,
      ground_track: null,
      off_nadir_deg: number(stapiConstraintProperties.max_off_nadir_deg),
      view_azimuth_deg: number(['view:azimuth', 'azimuth']),
      incidence_deg: number(['view:incidence_angle', 'incidence_angle']),
      sun_elevation_deg: number(stapiConstraintProperties.min_sun_elevation_deg),
      sun_azimuth_deg: number(['view:sun_azimuth', 'sun_azimuth']),
      cloud_pct: number(stapiConstraintProperties.max_cloud_pct),
      coverage,
      probability: readProbability(properties),
      // The cloud limit of a success is that of the request, if it has one.
      max_cloud_pct: request.max_cloud_pct ?? null,
      conflict: null,
    },
  }
}

/** A provider of points has no footprints: its scene contains the area. */
function readFootprint(value: unknown, area: AreaGeometry): AreaGeometry | null {
  if (asText(asObject(value)['type']) === 'Point') return area
  return validateAreaGeometry(value, { max_vertices }).geometry
}

const readSensor = (properties: ReadonlyJsonObject, { row }: OfferedProduct, { sensor }: TaskingRequest): string => {
  const named = [...asArray(properties['instruments']), properties['sensor'], properties['sensor_id']]
  return row.sensors.find((id) => named.includes(id)) ?? sensor ?? row.sensors[0]!
}

function readText(properties: ReadonlyJsonObject, names: readonly string[]): string | null {
  const values = names.map((name) => asText(properties[name]) ?? asText(asArray(properties[name])[0]))
  return values.find((value) => value !== null)?.slice(0, 200) ?? null
}

/** Reads a number, or the middle of a range: opportunities are not stated more exactly. */
function readNumber(properties: ReadonlyJsonObject, names: readonly string[]): number | null {
  for (const name of names) {
    const value = properties[name]
    const range = Array.isArray(value) ? value : [asObject(value)['minimum'], asObject(value)['maximum']]
    const [low = null, high = null] = range.map(asNumber)
    const middle = low !== null && high !== null ? (low + high) / 2 : null
    const number = asNumber(value) ?? middle
    if (number !== null) return number
  }
  return null
}

function readProbability(properties: ReadonlyJsonObject): number | null {
  const probability = readNumber(properties, ['probability', 'success_probability', 'collection_probability'])
  return probability !== null && probability >= 0 && probability <= 1 ? probability : null
}
