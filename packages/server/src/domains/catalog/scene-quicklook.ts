import {
  readPreview,
  encodePixelBlockAsImage,
  openFileSource,
  openRaster,
  rescaleBlock,
  chooseNaturalStretch,
  computePercentileRanges,
  type PixelBlock,
  type SampleType,
} from '@swath/raster'
import type { HostBand } from '../../platform/integrations/imagery-host.ts'
import type { LocalBandFile, RenderQuicklook } from '../../platform/integrations/hosts/archive/archive-host.ts'

/** Bands for red, green and blue, by common name: the first combination of which the scene has all bands. */
const bandCombinations: readonly (readonly string[])[] = [
  ['red', 'green', 'blue'],
  ['swir16', 'nir', 'red'],
  ['swir16', 'nir08', 'red'],
]

type BandFile = Pick<HostBand, 'common_name' | 'scale' | 'offset'> & {
  readonly path: string
  readonly index: number
}

function chooseBands(files: readonly LocalBandFile[]): readonly BandFile[] {
  const candidates = files.flatMap(({ path, bands }) =>
    bands.map(({ common_name, scale, offset }, index) => ({ path, index, common_name, scale, offset })),
  )
  const combinations = bandCombinations.map((names) =>
    names.map((name) => candidates.find(({ common_name }) => common_name === name)),
  )
  const complete = combinations.find((bands): bands is (typeof candidates)[number][] =>
    bands.every((band) => band !== undefined),
  )
  if (complete) return complete
  const [first] = files
  return candidates.length > 0 || !first ? candidates.slice(0, 1) : [{ path: first.path, index: 0, common_name: null }]
}

/** A band in memory, and what its samples mean. */
interface ReadBand {
  readonly block: PixelBlock
  readonly sampleType: SampleType
  readonly colour: string
  readonly scale: number
  readonly offset: number
}

async function readBand({ path, index, ...stated }: BandFile, max_pixels: number): Promise<ReadBand> {
  const source = await openFileSource(path)
  try {
    const raster = await openRaster(source)
    const factor = Math.min(1, max_pixels / Math.max(raster.width, raster.height))
    const size = (pixels: number): number => Math.max(1, Math.round(pixels * factor))
    const request = { width: size(raster.width), height: size(raster.height), bands: [index] }
    const { colour, scale, offset } = raster.bands[index]!
    return {
      block: await readPreview(raster, request),
      sampleType: raster.sampleType,
      colour,
      scale: stated.scale ?? scale,
      offset: stated.offset ?? offset,
    }
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

/** A PNG quicklook: true colour in the natural stretch, other bands from the 2nd to the 98th percentile. */
export const renderQuicklook: RenderQuicklook = async ({ files, nodata, max_pixels }) => {
  const chosen = chooseBands(files)
  const bands: ReadBand[] = []
  for (const band of chosen) bands.push(await readBand(band, max_pixels))
  const blocks = bands.map(({ block }) => block)
  const joined = joinBands(blocks, nodata)
  const percentiles = computePercentileRanges(joined, nodata ?? null)
  const isTrueColour = chosen.map(({ common_name }) => common_name).join() === bandCombinations[0]!.join()
  const { ranges, curve } = isTrueColour
    ? chooseNaturalStretch(
        bands.map((band, at) => ({ ...band, percentiles: percentiles[at]! })),
        bands[0]!.sampleType,
      )
    : ({ ranges: percentiles, curve: 'linear' } as const)
  return encodePixelBlockAsImage(rescaleBlock(joined, ranges, { curve }), null, 'png')
}
