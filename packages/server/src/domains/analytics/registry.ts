import { analyticsMethods, type AnalyticsMethodName } from '@swath/contract/analytics-methods.ts'
import type { AnalyticsSensor, SpectralIndex } from '@swath/contract/schemas/analytics.ts'
import {
  findSensorBand,
  findSensorId,
  sensorsByName,
  spectralIndicesByName,
  listSpectralIndexBands,
  type Sensor,
  type SpectralIndexDefinition,
} from '@swath/raster'
import { validationProblem } from '../../engine/problem.ts'

/** The ids of the sensors that have all bands of an index. */
const sensorsOf = (index: SpectralIndexDefinition): string[] =>
  [...sensorsByName].flatMap(([id, sensor]) =>
    listSpectralIndexBands(index).every((band) => findSensorBand(sensor, band) !== null) ? [id] : [],
  )

const toSpectralIndex = (name: string, row: SpectralIndexDefinition): SpectralIndex => ({
  name,
  title: row.title,
  description: row.needsReflectance ? `${row.title}, of reflectances from 0 to 1.` : `${row.title}.`,
  category: row.group,
  formula: row.formula,
  required_bands: listSpectralIndexBands(row),
  value_range: [...row.range],
  colormap: row.colormap,
  sensors: sensorsOf(row),
  needs_reflectance: row.needsReflectance,
  reference: row.source,
})

/** All spectral indices in their representation, in the order of their tables. */
export const spectralIndices: readonly SpectralIndex[] = [...spectralIndicesByName].map(([name, row]) =>
  toSpectralIndex(name, row),
)

/** An index by name, ignoring case; null for an unknown one. */
export const findSpectralIndex = (name: string): SpectralIndex | null =>
  spectralIndices.find((index) => index.name === name.toLowerCase()) ?? null

/** An index by name, ignoring case. Throws `validation` of `index_name` for an unknown one. */
export function requireSpectralIndex(name: string): SpectralIndex {
  const index = findSpectralIndex(name)
  if (index) return index
  const message = `there is no index "${name.slice(0, 40)}"; analytics.indices.list has their names`
  throw validationProblem([{ path: 'index_name', message }])
}

const toSensor = (name: string, { title, source, bands }: Sensor): AnalyticsSensor => ({
  name,
  title,
  reference: source,
  bands: bands.map((band) => ({
    name: band.name,
    common_name: band.common_name,
    wavelength_um: band.center_nm / 1000,
    center_wavelength_nm: band.center_nm,
    bandwidth_nm: band.width_nm,
    resolution_m: band.resolution_m,
  })),
})

/** All sensors in their representation. */
export const analyticsSensors: readonly AnalyticsSensor[] = [...sensorsByName].map(([id, sensor]) =>
  toSensor(id, sensor),
)

export interface NamedSensor extends Sensor {
  readonly id: string
}

/** A sensor by any of its names. Throws `validation` of `sensor` for an unknown one. */
export function requireAnalyticsSensor(name: string): NamedSensor {
  const id = findSensorId(name)
  if (id !== null) return { id, ...sensorsByName.get(id)! }
  const message = `there is no sensor "${name.slice(0, 40)}"; analytics.sensors.list has their names`
  throw validationProblem([{ path: 'sensor', message }])
}

/** The representation of a method of `analytics.execute`; null for an unknown one. */
export function findAnalyticsMethod(name: string) {
  if (!isAnalyticsMethodName(name)) return null
  const { title, description, data_types, params, result } = analyticsMethods[name]
  const schemas = { params_schema: toPlainSchema(params), result_schema: toPlainSchema(result) }
  return { name, title, description, data_types: [...data_types], ...schemas }
}

/** Schemas carry symbols and may be shared; their JSON is what clients read. */
const toPlainSchema = (schema: object): Record<string, unknown> =>
  JSON.parse(JSON.stringify(schema)) as Record<string, unknown>

export const analyticsMethodNames = Object.keys(analyticsMethods) as AnalyticsMethodName[]

export const isAnalyticsMethodName = (name: string): name is AnalyticsMethodName =>
  Object.hasOwn(analyticsMethods, name)
