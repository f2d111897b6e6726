import { geometryBounds } from '@swath/geo/bbox.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { HostRefusal } from '../../imagery-host.ts'
import type { TaskingRequest } from '../../tasking-host.ts'
import type { ReadonlyJsonObject } from '../stac-item.ts'
import type { ProviderProduct } from './describe-provider.ts'
import { taskingConstraintNames, type StapiProductRow, type TaskingConstraintName } from './stapi-row.ts'

/** The requested acquisition, as parameters of STAPI. */
export interface StapiSearchParameters {
  /** Start and end, separated by a slash. */
  readonly datetime: string
  readonly geometry: ReadonlyJsonObject
  /** CQL2 as JSON; absent without constraints. */
  readonly filter?: ReadonlyJsonObject
}

export interface OfferedProduct {
  readonly row: StapiProductRow
  readonly product: ProviderProduct
}

/** The parameters of a request. Throws `HostRefusal` if they cannot express the request to the provider. */
export function toStapiSearchParameters(
  { row, product }: OfferedProduct,
  request: TaskingRequest,
): StapiSearchParameters {
  const filter = toFilter({ row, product }, request)
  return {
    datetime: formatStapiInterval(request),
    geometry: fitGeometry(product, request.geometry),
    ...(filter ? { filter } : {}),
  }
}

export const formatStapiInterval = ({ from, to }: { readonly from: Date; readonly to: Date }): string =>
  `${from.toISOString()}/${to.toISOString()}`

/** The two times of an interval; null if they are not two times in order. */
export function readStapiInterval(value: unknown): { readonly from: Date; readonly to: Date } | null {
  const parts = typeof value === 'string' ? value.split('/') : []
  const [from, to] = parts.map((part) => new Date(part))
  const isInterval = parts.length === 2 && from!.getTime() <= to!.getTime()
  return isInterval ? { from: from!, to: to! } : null
}

/** The members of a body, as the provider's version of STAPI has them. */
export const toStapiBody = ({ dialect }: ProviderProduct, parameters: StapiSearchParameters): ReadonlyJsonObject =>
  dialect === 'nested' ? { search_parameters: parameters } : { ...parameters }

/** Names of queryables and of opportunity properties that mean a constraint, the standard one first. */
export const stapiConstraintProperties: Readonly<Record<TaskingConstraintName, readonly string[]>> = {
  max_cloud_pct: ['eo:cloud_cover', 'cloud_cover', 'cloud_cover_max'],
  max_off_nadir_deg: ['view:off_nadir', 'off_nadir', 'off_nadir_max'],
  min_sun_elevation_deg: ['view:sun_elevation', 'sun_elevation', 'sun_elevation_min'],
}

/** A product of one sensor needs no word about it. */
const sensor_queryables = ['instruments', 'sensor', 'sensor_id'] as const

function toFilter({ row, product }: OfferedProduct, request: TaskingRequest): ReadonlyJsonObject | null {
  const comparisons = taskingConstraintNames.flatMap((constraint) => {
    const bound = request[constraint]
    if (bound === undefined) return []
    const candidates = row.queryables[constraint] ? [row.queryables[constraint]] : stapiConstraintProperties[constraint]
    const property = candidates.find((name) => product.queryables.has(name))
    if (property === undefined) throw cannotBeTold(constraint)
    return [{ op: constraint.startsWith('max_') ? '<=' : '>=', args: [{ property }, bound] }]
  })
  const sensor = sensorComparison({ row, product }, request.sensor)
  const all = sensor ? [...comparisons, sensor] : comparisons
  if (all.length === 0) return null
  return all.length === 1 ? all[0]! : { op: 'and', args: all }
}

const cannotBeTold = (constraint: string): HostRefusal =>
  new HostRefusal(`The provider does not accept the constraint "${constraint}" for this product.`)

function sensorComparison({ row, product }: OfferedProduct, sensor: string | undefined): ReadonlyJsonObject | null {
  if (sensor === undefined || (row.sensors.length === 1 && row.sensors[0] === sensor)) return null
  const property = sensor_queryables.find((name) => product.queryables.has(name))
  if (property === undefined || !row.sensors.includes(sensor)) throw cannotBeTold('sensor')
  return { op: '=', args: [{ property }, sensor] }
}

/** The area as a type of geometry that the product takes; a product of points gets the centre of the area. */
function fitGeometry({ geometryTypes: types }: ProviderProduct, geometry: AreaGeometry): ReadonlyJsonObject {
  if (types.size === 0 || types.has(geometry.type)) return geometry as unknown as ReadonlyJsonObject
  if (geometry.type === 'Polygon' && types.has('MultiPolygon'))
    return { type: 'MultiPolygon', coordinates: [geometry.coordinates] }
  if (geometry.type === 'MultiPolygon' && geometry.coordinates.length === 1 && types.has('Polygon'))
    return { type: 'Polygon', coordinates: geometry.coordinates[0] }
  if (!types.has('Polygon') && types.has('Point')) return { type: 'Point', coordinates: centreOf(geometry) }
  throw new HostRefusal(`The provider does not accept a ${geometry.type} for this product.`)
}

function centreOf(geometry: AreaGeometry): readonly [longitude: number, latitude: number] {
  const [west, south, east, north] = geometryBounds(geometry)
  const longitude = (west + (east < west ? east + 360 : east)) / 2
  return [longitude > 180 ? longitude - 360 : longitude, (south + north) / 2]
}
