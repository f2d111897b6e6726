import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { requireGeoreferenced } from '../../formats/crs/require-georeferenced.ts'
import { RasterFailure } from '../../failures.ts'
import { emptyAreaFailure } from './clip.ts'
import { buildAreaEdges } from '../../compute/areas/edges.ts'
import { toOutlineRings, projectOutlineToPixels } from '../../compute/areas/outline.ts'
import { findPixelSpansOfRow, holdsPixelCentre, startAreaRowScan } from '../../compute/areas/row-spans.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { PixelRows, Raster, SampleType } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'

/** An area and the sample that its pixels get. */
export interface BurnedArea {
  readonly area: AreaGeometry
  readonly value: number
}

export interface RasterizeOptions {
  /** Later areas lie over earlier ones. */
  readonly areas: readonly BurnedArea[]
  readonly sampleType: SampleType
  /** The sample of all other pixels, which is nodata of the result. */
  readonly background: number
  readonly signal?: AbortSignal
}

/**
 * Areas as pixels on the grid of a raster: a pixel belongs to an area if its centre does, as in gdal_rasterize.
 *
 * @throws RasterFailure `no_georeference`, `request` for a geometry other than polygons, or a value that the samples
 * cannot hold, `outside` where no area reaches the grid.
 */
export function createRasterizeInput(raster: Raster, options: RasterizeOptions): CogInput {
  const { areas, sampleType, background } = options
  requireGeoreferenced(raster)
  for (const { value } of areas) checkValue(value, options)
  checkSample(background, sampleType)
  const outlines = areas.map(({ area }) =>
    projectOutlineToPixels(raster, raster.levels[0]!, toOutlineRings(area), 'degrees'),
  )
  const walks = outlines.map((rings, at) => {
    const edges = buildAreaEdges(rings)
    return { value: areas[at]!.value, edges, walk: startAreaRowScan(edges, raster.width) }
  })
  if (!walks.some(({ edges }) => holdsPixelCentre(edges, raster))) throw emptyAreaFailure(outlines, raster)
  return {
    width: raster.width,
    height: raster.height,
    sampleType,
    bands: [{ name: 'value', colour: 'gray', scale: 1, offset: 0 }],
    nodata: background,
    masked: false,
    georeferencing: { affine: raster.affine, crs: raster.crs, geoTags: raster.geoTags },
    readRows: async (top, rows): Promise<PixelRows> => {
      const { width } = raster
      const data = sampleTypeProperties[sampleType].allocate(width * rows)
      data.fill(background)
      const mask = new Uint8Array(width * rows)
      for (const { walk, value } of walks)
        for (let row = 0; row < rows; row++) {
          const spans = findPixelSpansOfRow(walk, top + row)
          for (let at = 0; at < spans.length; at += 2) {
            const [from, to] = [row * width + spans[at]!, row * width + spans[at + 1]!]
            data.fill(value, from, to)
            mask.fill(255, from, to)
          }
        }
      return { width, rows, bands: 1, data, mask }
    },
  }
}

function checkValue(value: number, { sampleType, background }: RasterizeOptions): void {
  checkSample(value, sampleType)
  if (value === background)
    throw new RasterFailure('request', `the value ${value} is also that of all other pixels; choose another one`)
}

function checkSample(value: number, sampleType: SampleType): void {
  const { format, lowest, highest } = sampleTypeProperties[sampleType]
  const isHeld = format === 3 ? Number.isFinite(value) : Number.isInteger(value) && value >= lowest && value <= highest
  if (!isHeld)
    throw new RasterFailure('request', `the type ${sampleType} cannot hold the value ${value}; choose another type`)
}
