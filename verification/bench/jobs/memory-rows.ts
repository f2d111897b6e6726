import type { AreaGeometry } from '../../../packages/geo/src/geojson.ts'
import type { ExportProcess, RasterProcess, VectorProcess } from '../../../packages/raster/src/index.ts'
import type { JobScenes } from './scenes.ts'

/** A process of ours whose memory is measured, beside those that are compared with GDAL. */
export interface MemoryRow {
  readonly name: string
  readonly sources: readonly string[]
  readonly process: RasterProcess | VectorProcess | ExportProcess
}

/** Every other process on the large scene. The sieve takes at most 64 million pixels, and others need no more than these. */
export const memoryRows = ({ scene, heights, classes }: JobScenes, area: AreaGeometry): readonly MemoryRow[] => [
  { name: 'copy', sources: [scene], process: { name: 'copy' } },
  { name: 'reprojection', sources: [scene], process: { name: 'reproject', epsg: 3035, resampling: 'bilinear' } },
  {
    name: 'resampling',
    sources: [scene],
    process: { name: 'reproject', epsg: null, resolution: 25, resampling: 'average' },
  },
  {
    name: 'median of three scenes',
    sources: [scene, scene, scene],
    process: { name: 'mosaic', pixelSelection: 'median' },
  },
  { name: 'cloud mask', sources: [scene, classes], process: { name: 'mask', band: 0, classes: [3], bits: [] } },
  { name: 'slope', sources: [heights], process: { name: 'terrain', measure: 'slope' } },
  { name: 'aspect', sources: [heights], process: { name: 'terrain', measure: 'aspect' } },
  {
    name: 'rasterized area',
    sources: [scene],
    process: { name: 'rasterize', areas: [{ area, value: 1 }], sampleType: 'uint8', background: 0 },
  },
  { name: 'vectorized classes', sources: [classes], process: { name: 'vectorize', band: 0, connectedness: 8 } },
  { name: 'PNG', sources: [scene], process: { name: 'png', bands: [2, 1, 0], range: null } },
  { name: 'Zarr', sources: [scene], process: { name: 'zarr' } },
]
