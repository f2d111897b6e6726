import {
  readPreview,
  encodePixelBlockAsImage,
  openFileSource,
  openRaster,
  rescaleBlock,
  computePercentileRanges,
  type PixelBlock,
} from '@swath/raster'
import type { LocalBandFile, RenderQuicklook } from '../../platform/integrations/hosts/archive/archive-host.ts'

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

function chooseBands(files: readonly LocalBandFile[]): readonly BandFile[] {
  const candidates = files.flatMap(({ path, bands }) =>
    bands.map(({ common_name }, index) => ({ path, index, common_name })),
  )
  const combinations = bandCombinations.map((names) =>
    names.map((name) => candidates.find(({ common_name }) => common_name === name)),
  )
  const complete = combinations.find((bands): bands is (typeof candidates)[number][] =>
    bands.every((band) => band !== undefined),
  )
  if (complete) return complete
  const [first] = files
  return candidates.length > 0 || !first ? candidates.slice(0, 1) : [{ path: first.path, index: 0 }]
}

async function readBand({ path, index }: BandFile, max_pixels: number): Promise<PixelBlock> {
  const source = await openFileSource(path)
  try {
    const raster = await openRaster(source)
    const scale = Math.min(1, max_pixels / Math.max(raster.width, raster.height))
    const size = (pixels: number): number => Math.max(1, Math.round(pixels * scale))
    return await readPreview(raster, { width: size(raster.width), height: size(raster.height), bands: [index] })
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

/** A PNG quicklook, stretched from the 2nd to the 98th percentile. */
export const renderQuicklook: RenderQuicklook = async ({ files, nodata, max_pixels }) => {
  const blocks: PixelBlock[] = []
  for (const band of chooseBands(files)) blocks.push(await readBand(band, max_pixels))
  const joined = joinBands(blocks, nodata)
  return encodePixelBlockAsImage(rescaleBlock(joined, computePercentileRanges(joined, nodata ?? null)), null, 'png')
}
