import { applyAffine } from '@swath/geo/affine.ts'
import type { Affine } from '@swath/geo/affine.ts'
import { parseGeoKeyDirectory } from '../crs/parse-geo-keys.ts'
import { resolveCrs } from '../crs/resolve.ts'
import { findCrs } from '../crs/crs-table.ts'
import { noPlaceReason } from '../crs/require-georeferenced.ts'
import { RasterFailure } from '../../failures.ts'
import { createMemorySource } from '../../io/source/memory.ts'
import { createUngeoreferencedFit } from '../tiff/control-points.ts'
import type { ControlPointFit } from '../tiff/control-points.ts'
import { readTiffDirectories, readTiffHeader } from '../tiff/directory.ts'
import { readGeoTags, readTiffGeoreferencing } from '../tiff/geo.ts'
import { createTiffHeaderReader } from '../tiff/header-reader.ts'
import type { TiffHeaderReader } from '../tiff/header-reader.ts'
import type { BandInfo, GeoTags, Raster, SampleType, RasterByteSource } from '../../types.ts'
import { isJpeg2000Codestream, readJp2Boxes } from './boxes.ts'
import type { Jp2Boxes } from './boxes.ts'
import { readGmlGrid } from './gml-grid.ts'
import { buildJpeg2000Levels } from './levels.ts'
import { readJpeg2000MainHeader } from './main-header.ts'
import type { Jpeg2000ImageGrid } from './main-header.ts'

const noTags: GeoTags = { keyDirectory: null, doubles: null, ascii: null }
const srgb_colourspace = 16
const photometric_gray = 1
const photometric_rgb = 2

/**
 * Opens a JPEG 2000 image (.jp2 or a bare codestream) as a raster whose blocks are the tiles and whose overviews are the
 * resolutions that the tiles hold anyway. The place comes from the GeoTIFF box, else from the GML. Fails like openRaster;
 * `unsupported` are palettes, more than 16 bits, subsampled bands and bands that differ in their bits.
 */
export async function openJpeg2000(source: RasterByteSource, reader: TiffHeaderReader): Promise<Raster> {
  const boxes = isJpeg2000Codestream(await reader.read(0, 4)) ? bareBoxes() : await readJp2Boxes(reader, source.size)
  if (boxes.hasPalette) throw new RasterFailure('unsupported', 'JPEG 2000 with a palette is not read')
  const { offset, length } = boxes.codestream
  const header = await readJpeg2000MainHeader(reader, offset)
  const { grid } = header
  const end = length === null ? null : offset + length
  const isColour =
    grid.components >= 3 && (boxes.colours === srgb_colourspace || (boxes.colours === null && grid.components === 3))
  const levels = buildJpeg2000Levels(header, offset + header.length, end, isColour ? photometric_rgb : photometric_gray)
  const base = levels[0]!
  const { fit, geoTags } = await findPlace(boxes, Math.hypot(base.width, base.height))
  const middle = fit.affine ? applyAffine(fit.affine, base.width / 2, base.height / 2) : undefined
  const alphaBand = boxes.alphaBand !== null && boxes.alphaBand < grid.components ? boxes.alphaBand : null
  return {
    source,
    sampleType: sampleTypeOf(grid),
    bands: describeBands(grid, isColour, alphaBand),
    levels,
    affine: fit.affine ?? [0, 1, 0, 0, 0, 1],
    crs: await resolveCrs(parseGeoKeyDirectory(geoTags), middle),
    nodata: null,
    alphaBand,
    palette: null,
    georeferenced: fit.affine !== null,
    georeferencing: fit.placement,
    geoTags,
    metadata: {},
    width: base.width,
    height: base.height,
  }
}

function bareBoxes(): Jp2Boxes {
  const codestream = { offset: 0, length: null }
  return { codestream, geoTiff: null, gml: null, hasPalette: false, colours: null, alphaBand: null }
}

function sampleTypeOf({ bits, signed }: Jpeg2000ImageGrid): SampleType {
  if (bits <= 8) return signed ? 'int8' : 'uint8'
  return signed ? 'int16' : 'uint16'
}

function describeBands({ components }: Jpeg2000ImageGrid, isColour: boolean, alphaBand: number | null): BandInfo[] {
  const colours = isColour ? ['red', 'green', 'blue'] : ['gray']
  return Array.from({ length: components }, (_, index) => ({
    name: null,
    colour: index === alphaBand ? 'alpha' : (colours[index] ?? 'undefined'),
    scale: 1,
    offset: 0,
    statistics: null,
  }))
}

interface Place {
  readonly fit: ControlPointFit
  readonly geoTags: GeoTags
}

async function findPlace({ geoTiff, gml }: Jp2Boxes, diagonal: number): Promise<Place> {
  const nowhere = {
    fit: createUngeoreferencedFit(noPlaceReason),
    geoTags: noTags,
  }
  const boxed = geoTiff && (await readGeoTiff(geoTiff, diagonal))
  if (boxed?.fit.affine) return boxed
  const grid = gml && (await readGmlGrid(gml, isGeographic))
  if (!grid) return boxed ?? nowhere
  const geoTags = await tagsOf(grid.epsg)
  return { fit: { affine: grid.affine satisfies Affine, placement: { by: 'grid' } }, geoTags }
}

// A description of the place that is damaged costs the place, not the image.
async function readGeoTiff(bytes: Uint8Array, diagonal: number): Promise<Place | null> {
  const reader = createTiffHeaderReader(createMemorySource(bytes, 'the GeoTIFF box'))
  try {
    const [directory] = await readTiffDirectories(reader, await readTiffHeader(reader))
    const geoTags = await readGeoTags(directory!)
    return { fit: await readTiffGeoreferencing(directory!, parseGeoKeyDirectory(geoTags), diagonal), geoTags }
  } catch (error) {
    if (error instanceof RasterFailure) return null
    throw error
  }
}

async function isGeographic(epsg: number): Promise<boolean> {
  return (await findCrs(epsg))?.proj4.startsWith('+proj=longlat') ?? false
}

// The reference system as GeoKeys, so that a copy can say it again.
async function tagsOf(epsg: number): Promise<GeoTags> {
  const [model, key] = (await isGeographic(epsg)) ? [2, 2048] : [1, 3072]
  return { ...noTags, keyDirectory: [1, 1, 0, 3, 1024, 0, 1, model, 1025, 0, 1, 1, key, 0, 1, epsg] }
}
