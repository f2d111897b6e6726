import {
  evaluateExpression,
  findSensorBand,
  parseExpression,
  sensorsByName,
  spectralIndicesByName,
} from '../../../packages/raster/src/index.ts'
import { compare, type JudgeComparison } from './compare.ts'

/** The symbol of the list for each common name. */
const symbols: Readonly<Record<string, string>> = {
  coastal: 'A',
  blue: 'B',
  green: 'G',
  red: 'R',
  rededge: 'RE1',
  rededge075: 'RE2',
  rededge078: 'RE3',
  nir: 'N',
  nir08: 'N2',
  swir16: 'S1',
  swir22: 'S2',
}

/** Names in the list that are not ours, or stand for two indices if their case is ignored. */
const listedNames: Readonly<Record<string, string>> = { bai: 'BAI', ndre: 'NDREI', bsi: 'BI' }

/**
 * Constants that the list leaves to the caller. ARVI has the sign before its γ as Kaufman and Tanré have it, which the list
 * turns around: so it gets the opposite constant.
 */
const constants: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  evi: { g: 2.5, C1: 6, C2: 7.5, L: 1 },
  evi2: { g: 2.5, L: 1 },
  arvi: { gamma: -1 },
  mbwi: { omega: 2 },
  ndpi: { alpha: 0.74 },
  wdrvi: { alpha: 0.1 },
}
const usual = { L: 0.5 }

/** The cases of the judge: the values of all indices over samples, and the bands of all sensors. */
export interface RegistryCases {
  readonly indices: object
  readonly sensors: object
}

const sample_count = 200

export function createRegistryCases(random: () => number): RegistryCases {
  const bands = Object.fromEntries(
    Object.values(symbols).map((symbol) => [symbol, Array.from({ length: sample_count }, () => 0.01 + 0.9 * random())]),
  )
  const indices = Object.fromEntries(
    [...spectralIndicesByName.keys()].map((id) => [id, [listedNames[id] ?? id, { ...usual, ...constants[id] }]]),
  )
  return { indices: { kind: 'indices', bands, indices }, sensors: { kind: 'sensors' } }
}

/** Compares every formula over all samples. */
export function compareIndices(
  comparison: JudgeComparison,
  { indices }: RegistryCases,
  judged: Readonly<Record<string, readonly (number | null)[]>>,
): void {
  const { bands } = indices as { bands: Readonly<Record<string, number[]>> }
  const names = Object.keys(symbols)
  const data = Float64Array.from(names.flatMap((name) => bands[symbols[name]!]!))
  const mask = new Uint8Array(sample_count).fill(255)
  const block = { width: sample_count, height: 1, bands: names.length, data, mask }
  const places = new Map(names.map((name, at) => [name, at]))
  for (const [id, { formula }] of spectralIndicesByName) {
    const { data: values } = evaluateExpression(parseExpression(formula), block, places)
    const own = [...values].map((value) => (Number.isFinite(value) ? value : null))
    compare(comparison, `index ${id}`, own, judged[id]!)
  }
}

const sensorNames: Readonly<Record<string, string>> = {
  sentinel2a: 'sentinel-2a',
  sentinel2b: 'sentinel-2b',
  landsat5: 'landsat-5',
  landsat7: 'landsat-7',
  landsat8: 'landsat-8',
  landsat9: 'landsat-9',
  modis: 'modis',
  planetscope: 'planetscope',
  wv2: 'worldview-2',
  wv3: 'worldview-3',
}
/** The list rounds centres and widths of some bands. */
const max_center_nm = 5
const max_width_nm = 10

/** Compares centres and widths of the bands that both tables have; returns their number. */
export function compareSensors(
  comparison: JudgeComparison,
  judged: Readonly<Record<string, readonly (readonly [string, string, number, number])[]>>,
): number {
  const commonNames = new Map(Object.entries(symbols).map(([name, symbol]) => [symbol, name]))
  let count = 0
  for (const [listed, id] of Object.entries(sensorNames)) {
    const sensor = sensorsByName.get(id)!
    for (const [symbol, band, center_nm, width_nm] of judged[listed] ?? []) {
      const name = commonNames.get(symbol)
      const at = name === undefined ? null : findSensorBand(sensor, name)
      // Each table calls one red-edge or near-infrared band by the name, where a sensor has several.
      if (at === null || sensor.bands[at]!.name.replace(/^B0/, 'B') !== band) continue
      const own = sensor.bands[at]!
      count++
      if (Math.abs(own.center_nm - center_nm) > max_center_nm || Math.abs(own.width_nm - width_nm) > max_width_nm)
        comparison.violations.push(`${id} ${band}: ${own.center_nm}/${own.width_nm} for ${center_nm}/${width_nm} nm`)
    }
  }
  return count
}
