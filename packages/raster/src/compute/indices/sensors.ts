import type { SensorBand, SensorRow } from './sensor-row.ts'
import { commercialSensors } from './commercial-sensors.ts'
import { publicSensors } from './public-sensors.ts'

export type { SensorBand } from './sensor-row.ts'

/** An optical instrument and its bands, in the order of their numbers. */
export interface Sensor {
  readonly title: string
  /** The band table of the operator or manufacturer. */
  readonly source: string
  readonly bands: readonly SensorBand[]
}

const toSensor = ({ title, source, bands }: SensorRow): Sensor => ({
  title,
  source,
  bands: bands.map(([name, common_name, center_nm, width_nm, resolution_m]) => ({
    name,
    common_name,
    center_nm,
    width_nm,
    resolution_m,
  })),
})

/** Sensors by id. */
export const SENSORS: ReadonlyMap<string, Sensor> = new Map(
  Object.entries({ ...publicSensors, ...commercialSensors }).map(([id, row]) => [id, toSensor(row)]),
)

/** Other names of sensors. */
const otherNames: Readonly<Record<string, string>> = {
  sentinel2: 'sentinel-2a',
  sentinel2l1c: 'sentinel-2a',
  sentinel2l2a: 'sentinel-2a',
  sentinel3: 'sentinel-3',
  landsat4: 'landsat-5',
  landsat4tm: 'landsat-5',
  landsat5tm: 'landsat-5',
  landsat7etm: 'landsat-7',
  landsat8oli: 'landsat-8',
  landsat9oli2: 'landsat-9',
  terra: 'modis',
  aqua: 'modis',
  planet: 'planetscope',
  superdove: 'planetscope',
  wv2: 'worldview-2',
  wv3: 'worldview-3',
  spot7: 'spot-6',
}

const compact = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const idByCompactName = new Map([
  ...Object.entries(otherNames),
  ...[...SENSORS.keys()].map((id) => [compact(id), id] as const),
])

/** The id of a sensor by its id or another name of it, whatever the case and punctuation; null for an unknown one. */
export const findSensorId = (name: string): string | null => idByCompactName.get(compact(name)) ?? null

/** Common names of the STAC eo extension 1.1 and of catalogues, for those that the formulas of the indices use. */
const otherCommonNames: Readonly<Record<string, string>> = {
  rededge071: 'rededge',
  rededge1: 'rededge',
  rededge2: 'rededge075',
  rededge3: 'rededge078',
  swir1: 'swir16',
  swir2: 'swir22',
}

/**
 * The 0-based band of a sensor by its name (`B04`, also `B4`) or common name, ignoring case; null for an unknown one. A
 * sensor whose only near-infrared band is the narrow one has it under `nir` as well.
 */
export function findSensorBand({ bands }: Sensor, name: string): number | null {
  const wanted = name.toLowerCase()
  const common = otherCommonNames[wanted] ?? wanted
  const number = (text: string): string => text.toLowerCase().replace(/^b0+(?=\d)/, 'b')
  const tests: readonly ((band: SensorBand) => boolean)[] = [
    (band) => number(band.name) === number(name),
    (band) => band.common_name === common,
    (band) => common === 'nir' && band.common_name === 'nir08',
  ]
  for (const isWanted of tests) {
    const at = bands.findIndex(isWanted)
    if (at >= 0) return at
  }
  return null
}
