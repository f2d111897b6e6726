import type { TaskingBand, TaskingSensorDescription } from '../../tasking-host.ts'

/** An instrument of the constellation, with what its satellites can do. */
export interface ConstellationSensor extends TaskingSensorDescription {
  /** Names of the element sets. */
  readonly satellites: readonly string[]
  /** True if the instrument records the same strips for everybody and cannot be pointed. */
  readonly is_systematic: boolean
  /** Seconds between two acquisitions of a satellite, in which it turns and settles. */
  readonly slew_s: number
}

const pan: readonly TaskingBand[] = [{ name: 'pan', common_name: 'pan' }]
const multispectral: readonly TaskingBand[] = ['blue', 'green', 'red', 'nir'].map((name) => ({
  name,
  common_name: name,
}))

type SensorRow = readonly [
  id: string,
  title: string,
  provider: string,
  satellites: readonly string[],
  gsd_m: number,
  swath_km: number,
  max_off_nadir_deg: number,
  slew_s: number,
  bands: readonly TaskingBand[],
]

/** Pixels are those of the pan-sharpened product; swaths and angles as the operators publish them. */
const agileRows: readonly SensorRow[] = [
  ['pleiades-neo', 'Pléiades Neo', 'Airbus', ['PLEIADES NEO 3', 'PLEIADES NEO 4'], 0.3, 14, 45, 30, multispectral],
  ['worldview-3', 'WorldView-3', 'Vantor', ['WORLDVIEW-3'], 0.31, 13.1, 45, 40, multispectral],
  ['worldview-2', 'WorldView-2', 'Vantor', ['WORLDVIEW-2'], 0.46, 16.4, 45, 40, multispectral],
  ['worldview-1', 'WorldView-1', 'Vantor', ['WORLDVIEW-1'], 0.5, 17.6, 45, 40, pan],
  ['geoeye-1', 'GeoEye-1', 'Vantor', ['GEOEYE-1'], 0.41, 15.2, 45, 60, multispectral],
  ['pleiades', 'Pléiades', 'Airbus', ['PLEIADES 1A', 'PLEIADES 1B'], 0.5, 20, 30, 30, multispectral],
  ['kompsat-3a', 'KOMPSAT-3A', 'SI Imaging Services', ['KOMPSAT-3A'], 0.55, 12, 30, 60, multispectral],
  ['skysat-a', 'SkySat generation A', 'Planet Labs', ['SKYSAT-A'], 0.86, 8, 30, 60, multispectral],
  [
    'skysat-c',
    'SkySat generation C',
    'Planet Labs',
    ['SKYSAT-C1', 'SKYSAT-C2', 'SKYSAT-C3', 'SKYSAT-C4', 'SKYSAT-C5'],
    0.65,
    5.9,
    30,
    60,
    multispectral,
  ],
  ['deimos-2', 'Deimos-2', 'Deimos Imaging', ['DEIMOS-2'], 0.75, 12, 30, 90, multispectral],
  ['spot', 'SPOT 6 and 7', 'Airbus', ['SPOT 6', 'SPOT 7'], 1.5, 60, 30, 30, multispectral],
]

/** The limit is half of the field of view: an area is acquired if it lies in the strip below the satellite. */
const systematicRows: readonly SensorRow[] = [
  [
    'sentinel-2-msi',
    'Sentinel-2 MSI',
    'ESA / Copernicus',
    ['SENTINEL-2A', 'SENTINEL-2B', 'SENTINEL-2C'],
    10,
    290,
    10.3,
    0,
    multispectral,
  ],
  ['landsat-oli', 'Landsat OLI', 'USGS', ['LANDSAT 8', 'LANDSAT 9'], 30, 185, 7.5, 0, multispectral],
]

const toSensor = (
  [id, title, provider, satellites, gsd_m, swath_km, max_off_nadir_deg, slew_s, bands]: SensorRow,
  is_systematic: boolean,
): ConstellationSensor => ({
  id,
  title,
  provider,
  satellites,
  gsd_m,
  swath_km,
  max_off_nadir_deg,
  slew_s,
  bands,
  is_systematic,
})

export const constellationSensors: readonly ConstellationSensor[] = [
  ...agileRows.map((row) => toSensor(row, false)),
  ...systematicRows.map((row) => toSensor(row, true)),
]

export function requireConstellationSensor(id: string): ConstellationSensor {
  const sensor = constellationSensors.find((one) => one.id === id)
  if (!sensor) throw new Error(`the constellation has no sensor "${id}"`)
  return sensor
}
