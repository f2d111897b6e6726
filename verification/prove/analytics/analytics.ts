import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openFileSource, openRaster, spectralIndicesByName } from '../../../packages/raster/src/index.ts'
import { handlers } from '../../../packages/server/src/domains/handlers.ts'
import { readInput } from '../../../packages/server/src/engine/input/read-input.ts'
import { storeFileAsset } from '../../../packages/server/test/rasters.ts'
import { baseUrl, deliverItem, openTestServices } from '../../../packages/server/test/test-services.ts'
import type { ProofOptions, ProofResult } from '../proof.ts'
import { createRandom } from '../random.ts'
import { startComparison, type JudgeComparison } from './compare.ts'
import { compareIndices, compareSensors, createRegistryCases } from './index-cases.ts'
import { judgeFolder, runJudge } from './run-judge.ts'
import { createSceneCases } from './scene-cases.ts'
import type { ProofScene, SceneCase } from './proof-scene.ts'

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
  const app = await openTestServices()
  try {
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
      const { operation, handle } = handlers.get(id)!
      const call = { ...owner, operation: id }
      return (await handle(call, readInput(operation, structuredClone(input)) as never)) as T
    }
    const execute = async <T>(operation: string, params: object): Promise<T> =>
      (await invoke<{ result: T }>('analytics.execute', { operation, params })).result
    const cases = await createSceneCases({ random, short, scenes, invoke, execute })
    return await judgeAll(data ?? judgeFolder, random, cases)
  } finally {
    await app.close()
  }
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
