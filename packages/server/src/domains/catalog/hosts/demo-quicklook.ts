import { join } from 'node:path'
import {
  drawPreview,
  encodeImage,
  fileSource,
  openRaster,
  rescaleBlock,
  stretchByPercentiles,
  type PixelBlock,
} from '@swath/raster'
import type { DemoAsset, DemoScene } from './demo-scenes.ts'

/** The longest side of a quicklook; a smaller scene is not enlarged. */
const longest_pixels = 512

/** Bands for red, green and blue, by common name: the first combination of which the scene has all bands. */
const recipes: readonly (readonly string[])[] = [
  ['red', 'green', 'blue'],
  ['swir16', 'nir', 'red'],
  ['swir16', 'nir08', 'red'],
]

interface BandPlace {
  readonly path: string
  readonly index: number
}

function bandsToDraw(asset: DemoAsset): readonly BandPlace[] {
  const places = asset.files.flatMap(({ path, bands }) =>
    bands.map(({ common_name }, index) => ({ path, index, common_name })),
  )
  const chosen = recipes.map((names) => names.map((name) => places.find(({ common_name }) => common_name === name)))
  const whole = chosen.find((bands): bands is (typeof places)[number][] => bands.every((band) => band !== undefined))
  return whole ?? places.slice(0, 1)
}

async function drawBand({ path, index }: BandPlace, folder: string, signal?: AbortSignal): Promise<PixelBlock> {
  const source = await fileSource(join(folder, path))
  try {
    const raster = await openRaster(source, { signal })
    const scale = Math.min(1, longest_pixels / Math.max(raster.width, raster.height))
    const size = (pixels: number): number => Math.max(1, Math.round(pixels * scale))
    return await drawPreview(raster, { width: size(raster.width), height: size(raster.height), bands: [index], signal })
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
export async function drawQuicklookOf(scene: DemoScene, folder: string, signal?: AbortSignal): Promise<Uint8Array> {
  const asset = scene.assets[0]!
  const blocks: PixelBlock[] = []
  for (const band of bandsToDraw(asset)) blocks.push(await drawBand(band, folder, signal))
  const joined = joinBands(blocks, asset.nodata)
  return encodeImage(rescaleBlock(joined, stretchByPercentiles(joined, asset.nodata ?? null)), null, 'png')
}
