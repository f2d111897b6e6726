import { join } from 'node:path'
import {
  readPreview,
  encodeBlock,
  fileSource,
  openRaster,
  rescaleBlock,
  computePercentileRanges,
  type PixelBlock,
} from '@swath/raster'
import type { DemoSceneAsset, DemoScene } from './demo-scenes.ts'

/** The longest side of a quicklook; a smaller scene is not enlarged. */
const max_pixels = 512

/** Bands for red, green and blue, by common name: the first combination of which the scene has all bands. */
const bandCombinations: readonly (readonly string[])[] = [
  ['red', 'green', 'blue'],
  ['swir16', 'nir', 'red'],
  ['swir16', 'nir08', 'red'],
]

interface BandFile {
  readonly path: string
  readonly index: number
}

function chooseBands(asset: DemoSceneAsset): readonly BandFile[] {
  const candidates = asset.files.flatMap(({ path, bands }) =>
    bands.map(({ common_name }, index) => ({ path, index, common_name })),
  )
  const combinations = bandCombinations.map((names) =>
    names.map((name) => candidates.find(({ common_name }) => common_name === name)),
  )
  const complete = combinations.find((bands): bands is (typeof candidates)[number][] =>
    bands.every((band) => band !== undefined),
  )
  return complete ?? candidates.slice(0, 1)
}

async function readBand({ path, index }: BandFile, folder: string, signal?: AbortSignal): Promise<PixelBlock> {
  const source = await fileSource(join(folder, path))
  try {
    const raster = await openRaster(source, { signal })
    const scale = Math.min(1, max_pixels / Math.max(raster.width, raster.height))
    const size = (pixels: number): number => Math.max(1, Math.round(pixels * scale))
    return await readPreview(raster, { width: size(raster.width), height: size(raster.height), bands: [index], signal })
  } finally {
    await source.close()
  }
}

/** Stacks bands of one size into a block. If the files declare no nodata, a pixel is empty when all its bands are. */
function joinBands(blocks: readonly PixelBlock[], nodata: number | undefined): PixelBlock {
  const { width, height } = blocks[0]!
  const count = width * height
  const data = new Float32Array(count * blocks.length)
  for (const [band, block] of blocks.entries()) data.set(block.data, band * count)
  const mask = Uint8Array.from({ length: count }, (_, at) =>
    blocks.some((block) => block.mask[at] !== 0 && block.data[at] !== nodata) ? 255 : 0,
  )
  return { width, height, bands: blocks.length, data, mask }
}

/** A PNG quicklook of a scene, stretched from the 2nd to the 98th percentile. */
export async function renderQuicklook(scene: DemoScene, folder: string, signal?: AbortSignal): Promise<Uint8Array> {
  const asset = scene.assets[0]!
  const blocks: PixelBlock[] = []
  for (const band of chooseBands(asset)) blocks.push(await readBand(band, folder, signal))
  const joined = joinBands(blocks, asset.nodata)
  return encodeBlock(rescaleBlock(joined, computePercentileRanges(joined, asset.nodata ?? null)), null, 'png')
}
