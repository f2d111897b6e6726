import { readTsvFile } from '../../tsv-file.ts'

/** A band of a sensor. */
export interface SensorBand {
  /** As the operator names it. */
  readonly name: string
  /** The name under which formulas find the band (STAC `common_name`); null if none fits. At most one band has each. */
  readonly common_name: string | null
  readonly center_nm: number
  /** Full width at half maximum, or the nominal range. */
  readonly width_nm: number
  /** Ground sample distance at nadir. */
  readonly resolution_m: number
}

/** An optical instrument and its bands, in the order of their numbers. */
export interface Sensor {
  readonly title: string
  /** The band table of the operator or manufacturer. */
  readonly source: string
  readonly bands: readonly SensorBand[]
}

/** The bands of all sensors by sensor, in the order of their numbers. */
const bandsBySensor = Map.groupBy(
  readTsvFile<'sensor' | keyof SensorBand>(new URL('./sensor-bands.tsv', import.meta.url)),
  ({ sensor }) => sensor,
)

const toBand = ({
  name,
  common_name,
  center_nm,
  width_nm,
  resolution_m,
}: Record<keyof SensorBand, string>): SensorBand => ({
  name,
  common_name: common_name || null,
  center_nm: Number(center_nm),
  width_nm: Number(width_nm),
  resolution_m: Number(resolution_m),
})

const sensorRows = readTsvFile<'id' | 'title' | 'source' | 'other_names'>(new URL('./sensors.tsv', import.meta.url))

/** Sensors by id, from `sensors.tsv` and `sensor-bands.tsv`. */
export const sensorsByName: ReadonlyMap<string, Sensor> = new Map(
  sensorRows.map(({ id, title, source }) => [id, { title, source, bands: bandsBySensor.get(id)!.map(toBand) }]),
)

const compact = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const idByCompactName = new Map(
  sensorRows.flatMap(({ id, other_names }) =>
    [compact(id), ...other_names.split(' ').filter(Boolean)].map((name) => [name, id]),
  ),
)

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
