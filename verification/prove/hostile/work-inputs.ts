import { encodeCog, sceneInput } from '../../../packages/server/test/rasters.ts'
import { createTenantClient } from '../load/tenants.ts'
import { uploadFile } from '../load/upload-file.ts'
import type { AttackTarget } from './attack-target.ts'

/** The items that work is requested on. */
export interface WorkItems {
  /** The test scene. */
  readonly scene: string
  /** The file of the test scene. */
  readonly scene_url: string
  /** Noise of 16 bits: each pixel is an area, and each square is crossed by many levels. */
  readonly noise: string
  /** Noise a long way from the scene, on the same grid. */
  readonly far: string
  /** The noise and copies of it, each an item of its own. */
  readonly series: readonly string[]
  /** A polygon over the scene with the most positions that are accepted, each edge of which crosses all of it. */
  readonly comb: object
  /** West, south, east and north of the scene. */
  readonly bounds: readonly [number, number, number, number]
}

const noise_size = 1200
const far_m = 500_000
const series_size = 20

const prepared = new WeakMap<AttackTarget, Promise<WorkItems>>()

/** The items of the attacker, uploaded once. */
export function prepareWorkItems(target: AttackTarget): Promise<WorkItems> {
  const known = prepared.get(target) ?? uploadWorkItems(target)
  prepared.set(target, known)
  return known
}

async function uploadWorkItems(target: AttackTarget): Promise<WorkItems> {
  const client = createTenantClient(target.url, target.attacker)
  const [noiseBytes, farBytes] = [await encodeNoise(0), await encodeNoise(far_m)]
  const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const request = { project_id: target.attacker.project, file_name: name, bytes }
    const { item_ids, status } = await uploadFile(client, request)
    if (item_ids.length === 0) throw new Error(`${name} was not ingested: ${status}`)
    return item_ids[0]!
  }
  const far = await upload('far.tif', farBytes)
  const series: string[] = []
  while (series.length < series_size) series.push(await upload(`noise-${series.length}.tif`, noiseBytes))
  interface Feature {
    readonly bbox: WorkItems['bounds']
    readonly assets: { readonly data: { readonly href: string } }
  }
  const { features } = await client.call<{ features: [Feature] }>('stac.search', { ids: [target.attacker_raster] })
  const { bbox, assets } = features[0]
  return {
    scene: target.attacker_raster,
    scene_url: assets.data.href,
    noise: series[0]!,
    far,
    series,
    comb: createCombIn(bbox, 2490),
    bounds: bbox,
  }
}

const encodeNoise = async (offset_m: number) => new Uint8Array(await encodeCog(createNoise(offset_m)))

/** Uniform noise, the same in each run. */
function createNoise(offset_m: number): typeof sceneInput {
  const [x, ...affine] = sceneInput.georeferencing.affine!
  let state = 7
  const next = (): number => (state = (state * 48_271) % 2_147_483_647) % 65_535
  return {
    ...sceneInput,
    width: noise_size,
    height: noise_size,
    bands: [{ name: 'noise', colour: 'gray', scale: 1, offset: 0 }],
    nodata: null,
    georeferencing: { ...sceneInput.georeferencing, affine: [x - offset_m, ...affine] },
    readRows: async (_top, rows) => ({
      width: noise_size,
      rows,
      bands: 1,
      data: Uint16Array.from({ length: noise_size * rows }, next),
      mask: null,
    }),
  }
}

/** A polygon of thin teeth from the south to the north of a box: four positions a tooth, and three more. */
function createCombIn([west, south, east, north]: WorkItems['bounds'], teeth: number): object {
  const [step, height] = [(east - west) / teeth, north - south]
  const base = south + height * 0.01
  const points = Array.from({ length: teeth }, (_, at) => {
    const left = west + at * step
    return [
      [left, base],
      [left + step * 0.3, north],
      [left + step * 0.6, north],
      [left + step * 0.9, base],
    ]
  }).flat()
  return { type: 'Polygon', coordinates: [[[west, south], ...points, [east, south], [west, south]]] }
}
