import { day_ms } from '@swath/geo/time-units.ts'
import { limits } from '@swath/contract/limits.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import type { PurchaseCall } from '../../../engine/call.ts'
import { compileDropAbsentMembers } from '../../../engine/input/drop-absent.ts'
import { findFieldErrors } from '../../../engine/input/find-field-errors.ts'
import { validationProblem } from '../../../engine/problem.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { HostPrice } from '../../../platform/integrations/imagery-host.ts'
import type { TaskingRequest } from '../../../platform/integrations/tasking-host.ts'
import { calculateCharge, resolvePrice, roundArea_km2 } from '../../catalog/price.ts'
import { readPriceRates, type PriceRates } from '../../contracts/rates.ts'
import type { MeasuredArea } from '../../vectors/vector-worker/measure-areas.ts'
import { getCallerVectorJobRunner } from '../../vectors/vector-worker/vector-worker.ts'
import {
  applyTermsToOffer,
  findTaskingOffer,
  toTaskingParamsSchema,
  type TaskingOffer,
  type TaskingParams,
} from './tasking-products.ts'

/** An area to acquire, as it was requested. */
export interface TaskingAreaRequest {
  readonly name?: string | null | undefined
  readonly geometry: unknown
  /** The id or the name of a product; absent: it has none, which is an error of the area. */
  readonly dataProduct?: string | null | undefined
  readonly params: Readonly<Record<string, unknown>>
}

/** The constraints of a request to the host, beside the area; times as RFC 3339. */
export interface HostTaskConstraints {
  readonly from: string
  readonly to: string
  readonly sensor: string | null
  readonly opportunity: string | null
  readonly max_cloud_pct: number | null
  readonly max_off_nadir_deg: number | null
  readonly min_sun_elevation_deg: number | null
  readonly replan: boolean
}

/** An area that can be ordered, with its price. */
export interface PricedHostTask {
  readonly index: number
  readonly name: string | null
  readonly offer: TaskingOffer
  readonly geometry: AreaGeometry
  readonly constraints: HostTaskConstraints
  readonly area_km2: number
  readonly charged_km2: number
  readonly price: HostPrice
  readonly list_price: HostPrice
  readonly commitment_id: string | null
  /** At the price of the product; a product with quotations has none, and this is 0. */
  readonly credits: number
}

/** The reason why an area cannot be ordered. */
export interface HostTaskRequestError {
  readonly index: number
  readonly code: string
  readonly message: string
}

const world: AreaGeometry = {
  type: 'Polygon',
  coordinates: [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]],
} // prettier-ignore
/** The window of a request without an end. */
const default_window_days = 14
/** Clocks differ: a window that began so long ago begins now. */
const max_start_delay_ms = 3_600_000

/** Validates and prices areas, each by itself, at the rates of the caller's organization. Nothing is stored. */
export async function priceHostTasks(
  call: PurchaseCall,
  requests: readonly TaskingAreaRequest[],
): Promise<{ readonly tasks: readonly PricedHostTask[]; readonly faults: readonly HostTaskRequestError[] }> {
  rejectTooManyPositions(requests)
  const now = call.clock.now()
  const rates = await readPriceRates(call.db, call.organization, now)
  const areas = requests.map(({ geometry }) => ({ geometry, footprint: world }))
  const request = { areas, max_vertices: limits.max_capture_vertices }
  const measured = await getCallerVectorJobRunner(call).measureAreas(request, call.signal)
  const results = requests.map((area, index) => {
    const declared = area.dataProduct ? findTaskingOffer(call.integrations, area.dataProduct) : null
    const offer = declared && applyTermsToOffer(declared, rates.products)
    const result = offer
      ? priceTask(area, { index, offer, now, rates, measure: measured[index]! })
      : toProductFault(declared)
    return 'code' in result ? { index, ...result } : result
  })
  return {
    tasks: results.filter((result) => !('code' in result)) as PricedHostTask[],
    faults: results.filter((result) => 'code' in result) as HostTaskRequestError[],
  }
}

type Fault = Omit<HostTaskRequestError, 'index'>

const toProductFault = (withdrawn: TaskingOffer | null): Fault =>
  withdrawn
    ? { code: 'not-available', message: `The data product "${withdrawn.name}" is not offered now.` }
    : { code: 'unknown-product', message: 'The area has no data product that can be tasked.' }

interface PricingContext {
  readonly index: number
  readonly offer: TaskingOffer
  readonly now: OrganizationTime
  readonly rates: PriceRates
  readonly measure: MeasuredArea
}

function priceTask(
  area: TaskingAreaRequest,
  { index, offer, now, rates, measure }: PricingContext,
): PricedHostTask | Fault {
  const { product } = offer
  if ('fault' in measure)
    return { code: 'not-a-polygon', message: `The geometry is not a valid Polygon or MultiPolygon: ${measure.fault}.` }
  const area_km2 = roundArea_km2(measure.km2)
  if (area_km2 < product.min_area_km2 || area_km2 > product.max_area_km2) {
    const bounds = `between ${product.min_area_km2} and ${product.max_area_km2} km²`
    return { code: 'area-out-of-bounds', message: `The area has ${area_km2} km²; "${product.title}" takes ${bounds}.` }
  }
  const constraints = readConstraints(area.params, offer, now)
  if ('code' in constraints) return constraints
  const { list_price, price, commitment_id } = resolvePrice(product.price, rates)
  const { charged_km2, credits } = calculateCharge(price, area_km2)
  return {
    index,
    name: area.name ?? null,
    offer,
    geometry: area.geometry as AreaGeometry,
    constraints,
    area_km2,
    charged_km2,
    price: price!,
    list_price: list_price!,
    commitment_id,
    credits: product.workflow === 'quotation' ? 0 : credits,
  }
}

function readConstraints(
  params: Readonly<Record<string, unknown>>,
  { product, params: restrictions }: TaskingOffer,
  now: OrganizationTime,
): HostTaskConstraints | Fault {
  const schema = toTaskingParamsSchema(product.sensors, restrictions)
  const completed = { ...params }
  compileDropAbsentMembers(schema)?.(completed)
  const [error] = findFieldErrors(schema, completed)
  if (error) return { code: 'invalid-params', message: `${error.path || 'The parameters'}: ${error.message}` }
  const { acquisitionStart, acquisitionEnd, ...rest } = completed as TaskingParams
  const from = new Date(Math.max(acquisitionStart ? Date.parse(acquisitionStart) : 0, now.getTime()))
  const days = Math.min(default_window_days, product.max_window_days)
  const to = acquisitionEnd ? new Date(acquisitionEnd) : new Date(from.getTime() + days * day_ms)
  if (to <= from)
    return { code: 'invalid-window', message: 'The acquisition window ends before it begins, or is past.' }
  if (to.getTime() - from.getTime() > product.max_window_days * day_ms + max_start_delay_ms) {
    return {
      code: 'invalid-window',
      message: `The acquisition window is longer than the ${product.max_window_days} days of "${product.title}".`,
    }
  }
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    sensor: rest.sensor ?? null,
    opportunity: rest.opportunityId ?? null,
    max_cloud_pct: rest.maxCloudCover ?? null,
    max_off_nadir_deg: rest.maxOffNadirAngle ?? null,
    min_sun_elevation_deg: rest.minSunElevation ?? null,
    replan: rest.replan ?? false,
  }
}

/** The request that a host understands. */
export const toTaskingRequest = (
  product: string,
  geometry: AreaGeometry,
  constraints: HostTaskConstraints,
): TaskingRequest => ({
  product,
  geometry,
  from: new Date(constraints.from),
  to: new Date(constraints.to),
  ...(constraints.sensor === null ? {} : { sensor: constraints.sensor }),
  ...(constraints.max_cloud_pct === null ? {} : { max_cloud_pct: constraints.max_cloud_pct }),
  ...(constraints.max_off_nadir_deg === null ? {} : { max_off_nadir_deg: constraints.max_off_nadir_deg }),
  ...(constraints.min_sun_elevation_deg === null ? {} : { min_sun_elevation_deg: constraints.min_sun_elevation_deg }),
})

function rejectTooManyPositions(requests: readonly TaskingAreaRequest[]): void {
  const positions = requests.reduce((sum, { geometry }) => sum + countPositions(geometry), 0)
  if (positions <= limits.max_total_capture_vertices) return
  const message = `have ${positions} positions in total; at most ${limits.max_total_capture_vertices} are allowed`
  throw validationProblem([{ path: 'groups', message }])
}

function countPositions(geometry: unknown): number {
  const { type, coordinates } = (geometry ?? {}) as { readonly type?: unknown; readonly coordinates?: unknown }
  if (!Array.isArray(coordinates)) return 0
  const rings: unknown[] = type === 'MultiPolygon' ? coordinates.flat() : coordinates
  return rings.reduce((sum: number, ring: unknown) => sum + (Array.isArray(ring) ? ring.length : 0), 0)
}

/** Throws `validation` with a fault of each area. */
export function rejectHostTaskRequestErrors(faults: readonly HostTaskRequestError[]): never {
  throw validationProblem(faults.map(({ index, code, message }) => ({ path: `groups.${index}`, message, code })))
}
