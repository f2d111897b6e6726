import { join } from 'node:path'
import type { AreaGeometry } from '../../../packages/geo/src/geojson.ts'
import type { ExportProcess, RasterProcess, VectorProcess } from '../../../packages/raster/src/index.ts'
import type { JobScenes } from './scenes.ts'

/** A process of ours beside commands of GDAL with the same result. */
export interface JobComparison {
  readonly name: string
  readonly sources: readonly string[]
  readonly process: RasterProcess | VectorProcess
  /** Commands that write the result at a path, with files beside it. */
  readonly commands: (scratch: string, result: string) => readonly (readonly string[])[]
}

const cog = ['-of', 'COG', '-co', 'COMPRESS=DEFLATE', '-co', 'LEVEL=3', '-co', 'PREDICTOR=YES', '-co', 'BLOCKSIZE=512']
const cog_options = [...cog, '-co', 'OVERVIEW_RESAMPLING=AVERAGE', '-co', 'STATISTICS=YES', '-co', 'BIGTIFF=IF_SAFER']
/** Of the large scene, 50 m would give more positions than contours may have. */
const interval_m = 100

/** @param cutline a file with the area. */
export const jobRows = (
  scenes: JobScenes,
  clip: { readonly area: AreaGeometry; readonly cutline: string },
): readonly JobComparison[] => [...imageRows(scenes, clip), ...heightRows(scenes)]

const imageRows = (
  { scene, tiles }: JobScenes,
  { area, cutline }: { readonly area: AreaGeometry; readonly cutline: string },
): readonly JobComparison[] => [
  {
    name: 'clip',
    sources: [scene],
    process: { name: 'clip', area },
    commands: (_, result) => [
      ['gdalwarp', '-q', '-cutline', cutline, '-crop_to_cutline', '-dstnodata', '0', ...cog_options, scene, result],
    ],
  },
  {
    name: 'index',
    sources: [scene],
    process: {
      name: 'expression',
      expression: '(a - b) / (a + b)',
      bands: { a: { raster: 0, band: 3 }, b: { raster: 0, band: 0 } },
      label: 'index',
      scaled: false,
    },
    commands: (scratch, result) => [
      [
        'gdal_calc.py',
        '-A',
        scene,
        '--A_band=4',
        '-B',
        scene,
        '--B_band=1',
        '--type=Float32',
        '--quiet',
        '--calc=(A.astype(numpy.float32)-B)/(A.astype(numpy.float32)+B)',
        `--outfile=${join(scratch, 'index.tif')}`,
      ],
      ['gdal_translate', '-q', ...cog_options, join(scratch, 'index.tif'), result],
    ],
  },
  {
    name: 'mosaic of 12 scenes',
    sources: tiles,
    process: { name: 'mosaic', pixelSelection: 'first' },
    commands: (scratch, result) => [
      ['gdalbuildvrt', '-q', join(scratch, 'mosaic.vrt'), ...tiles.toReversed()],
      ['gdal_translate', '-q', ...cog_options, join(scratch, 'mosaic.vrt'), result],
    ],
  },
]

const heightRows = ({ heights }: JobScenes): readonly JobComparison[] => [
  {
    name: 'hillshade',
    sources: [heights],
    process: { name: 'terrain', measure: 'hillshade' },
    commands: (_, result) => [['gdaldem', 'hillshade', '-q', heights, result, ...cog_options]],
  },
  {
    name: 'contours',
    sources: [heights],
    process: { name: 'contours', band: 0, interval: interval_m, base: 0 },
    commands: (_, result) => [
      ['gdal_contour', '-q', '-a', 'level', '-i', String(interval_m), '-f', 'GeoJSON', heights, result],
    ],
  },
]

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
