import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import {
  openFileSource,
  openRaster,
  spectralIndicesByName,
  evaluateExpression,
  findSensorBand,
  parseExpression,
  sensorsByName,
} from '../../../packages/raster/src/index.ts'
import { operationHandlers } from '../../../packages/server/src/domains/handlers.ts'
import { readCallInput } from '../../../packages/server/src/engine/input/read-input.ts'
import { storeFileAsset } from '../../../packages/server/test/rasters.ts'
import { baseUrl, deliverItem, openTestServices } from '../../../packages/server/test/test-services.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../harness/random.ts'
import { startComparison, compare, type JudgeComparison } from './compare.ts'
import { judgeFolder, runJudge } from './run-judge.ts'
import { createSceneCases } from './scene-cases.ts'
import type { ProofScene, SceneCase } from './proof-scene.ts'
import { closeAtEnd } from '../harness/resources.ts'

const script = new URL('judge.py', import.meta.url)
const scenesFolder = new URL('../../../packages/server/demo/scenes/', import.meta.url)

/** Scenes of one file: pairs of dates on one grid, a grid in degrees, one with a projection of its own. */
const sceneRows: readonly (readonly [path: string, sensor: string])[] = [
  ['sentinel2-exe/exe_2024-08-01_12-21-19.tif', 'sentinel-2a'],
  ['sentinel2-exe/exe_2024-08-26_12-21-11.tif', 'sentinel-2a'],
  ['sentinel2-bolzano/S2_L2A_sample.tif', 'sentinel-2a'],
  ['hls-exe/hls_exe_2021-06-08_12-27-08.tif', 'sentinel-2a'],
  ['hls-exe/hls_exe_2021-06-13_12-27-08.tif', 'sentinel-2a'],
  ['landsat-pucallpa/pucallpa_1985.tif', 'landsat-5'],
  ['landsat-pucallpa/pucallpa_2020.tif', 'landsat-8'],
]

interface SceneFile {
  readonly path: string
  readonly bands: readonly { readonly name: string; readonly common_name?: string | null }[]
}

/** The bands of the files of the demo archive. */
async function readSceneFiles(): Promise<SceneFile[]> {
  const text = await readFile(new URL('../scenes.json', scenesFolder), 'utf8')
  const { scenes } = JSON.parse(text) as { scenes: { assets: { files: SceneFile[] }[] }[] }
  return scenes.flatMap(({ assets }) => assets.flatMap(({ files }) => files))
}

/**
 * Compares every method of the analytics with numpy, rasterio, exactextract and spyndex, on scenes of the demo archive: counts
 * of whole pixels exactly, all else within 1e-6 relative.
 */
export async function proveAnalytics({ short, seed, data }: ProofOptions): Promise<ProofResult> {
  const random = createRandom(seed)
  await using app = closeAtEnd(await openTestServices())
  const { owner, project } = await app.createOrganization()
  const files = await readSceneFiles()
  const scenes: ProofScene[] = []
  for (const [path, sensor] of sceneRows) {
    const file = fileURLToPath(new URL(path, scenesFolder))
    const listed = files.find((one) => one.path === path)!.bands
    const bands = listed.map(({ name, common_name }) => ({ name, common_name: common_name ?? null }))
    const asset = await storeFileAsset(app.blobs, file, bands)
    const { item_id } = await deliverItem(owner, project, { assets: [asset] })
    const cog_url = `${baseUrl}/api/v1/items/${item_id}/assets/${asset.id}`
    const raster = await openRaster(await openFileSource(file))
    const commonNames = bands.map(({ name, common_name }) => common_name ?? name)
    scenes.push({ name: path, path: file, item_id, cog_url, raster, sensor, bands: commonNames })
  }
  const invoke = async <T>(id: string, input: object): Promise<T> => {
    const { operation, handle } = operationHandlers.get(id)!
    const call = { ...owner, operation: id }
    return (await handle(call, readCallInput(operation, structuredClone(input)) as never)) as T
  }
  const execute = async <T>(operation: string, params: object): Promise<T> =>
    (await invoke<{ result: T }>('analytics.execute', { operation, params })).result
  const cases = await createSceneCases({ random, short, scenes, invoke, execute })
  return await judgeAll(data ?? judgeFolder, random, cases)
}

async function judgeAll(folder: string, random: () => number, cases: readonly SceneCase[]): Promise<ProofResult> {
  const registry = createRegistryCases(random)
  const requests = [registry.indices, registry.sensors, ...cases.map(({ request }) => request)]
  const [indices, sensors, ...answers] = await runJudge(folder, script, requests)
  const comparison: JudgeComparison = startComparison()
  compareIndices(comparison, registry, indices as never)
  const sensorBands = compareSensors(comparison, sensors as never)
  for (const [at, one] of cases.entries()) one.compare(comparison, answers[at])
  if (sensorBands < 50) comparison.violations.push(`only ${sensorBands} bands of sensors could be compared`)
  const { compared, largest, violations } = comparison
  const subject = `${spectralIndicesByName.size} indices, ${sensorBands} bands of sensors, ${cases.length} analyses of scenes`
  return { tried: `${subject}; ${compared} numbers, largest difference ${largest.toExponential(1)}`, violations }
}

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
interface RegistryCases {
  readonly indices: object
  readonly sensors: object
}

const sample_count = 200

function createRegistryCases(random: () => number): RegistryCases {
  const bands = Object.fromEntries(
    Object.values(symbols).map((symbol) => [symbol, Array.from({ length: sample_count }, () => 0.01 + 0.9 * random())]),
  )
  const indices = Object.fromEntries(
    [...spectralIndicesByName.keys()].map((id) => [id, [listedNames[id] ?? id, { ...usual, ...constants[id] }]]),
  )
  return { indices: { kind: 'indices', bands, indices }, sensors: { kind: 'sensors' } }
}

/** Compares every formula over all samples. */
function compareIndices(
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
function compareSensors(
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
