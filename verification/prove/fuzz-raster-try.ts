import {
  RasterFailure,
  computeBandStatistics,
  readPreview,
  readTile,
  computeLonLatBounds,
  createMemorySource,
  openRaster,
  readWindow,
  type PixelBlock,
  type Raster,
} from '@swath/raster'
import { findTileAt } from '@swath/geo/tile-grid.ts'

/** Memory budget of a read, as for a tile. */
const read_budget_bytes = 67_108_864
const preview_side = 64

/** Result of one input; `failures` counts the named failures of its parts. */
interface FuzzOutcome {
  readonly opened: boolean
  readonly failures: number
  /** Description of a violation, or null. */
  readonly violation: string | null
}

/** Opens damaged bytes, reads, measures and renders them. Every step may end with a named failure only. */
export async function tryInput(bytes: Uint8Array): Promise<FuzzOutcome> {
  let failures = 0
  const attempt = async <Result>(step: () => Promise<Result> | Result): Promise<Result | null> => {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof RasterFailure)) throw error
      failures++
      return null
    }
  }
  try {
    const raster = await attempt(() => openRaster(createMemorySource(bytes, 'damaged')))
    if (!raster) return { opened: false, failures, violation: null }
    const blocks: (PixelBlock | null)[] = []
    for (const level of new Set([0, raster.levels.length - 1]))
      blocks.push(await attempt(() => readLevel(raster, level)))
    blocks.push(await attempt(() => readCorner(raster)))
    for (const block of blocks)
      if (block) for (let band = 0; band < Math.min(block.bands, 4); band++) computeBandStatistics(block, band)
    blocks.push(
      await attempt(() =>
        readPreview(raster, { width: preview_side, height: preview_side, budget_bytes: read_budget_bytes }),
      ),
    )
    if (raster.georeferenced) blocks.push(await attempt(() => readMiddleTile(raster)))
    const large = blocks.find((block) => block && block.data.byteLength + block.mask.byteLength > read_budget_bytes)
    return { opened: true, failures, violation: large ? `${large.data.byteLength} bytes were decoded` : null }
  } catch (error) {
    return { opened: true, failures, violation: `thrown: ${describe(error)}` }
  }
}

function readLevel(raster: Raster, level: number): Promise<PixelBlock> {
  const { width, height } = raster.levels[level]!
  return readWindow(raster, { level, window: [0, 0, width, height], budget_bytes: read_budget_bytes })
}

// A corner can be read even if the file claims to be too large to be read whole.
function readCorner(raster: Raster): Promise<PixelBlock> {
  const right = Math.min(raster.width, preview_side)
  const bottom = Math.min(raster.height, preview_side)
  const bands = raster.bands.slice(0, 4).map((_, index) => index)
  return readWindow(raster, { window: [0, 0, right, bottom], bands, budget_bytes: read_budget_bytes })
}

function readMiddleTile(raster: Raster): Promise<PixelBlock> {
  const [west, south, east, north] = computeLonLatBounds(raster)
  const width = east < west ? east + 360 - west : east - west
  const zoom = Math.max(0, Math.min(20, Math.floor(Math.log2(360 / Math.max(width, 1e-6)))))
  const tile = findTileAt(west + width / 2, Math.max(-85, Math.min(85, (south + north) / 2)), zoom)
  return readTile(raster, { ...tile, size: 256, resampling: 'bilinear', budget_bytes: read_budget_bytes })
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stackLine = error.stack?.split('\n').find((line) => line.includes('/src/'))
  return `${error.name}: ${error.message.slice(0, 200)} ${stackLine?.trim().replace(/\(.*\/packages\//, '(packages/') ?? ''}`
}
