import { toProjjson } from '../../formats/crs/projjson.ts'
import { sampleTypeProperties } from '../../sample-types.ts'
import type { Crs } from '../../types.ts'
import type { CogInput } from '../writer/cog-types.ts'

type Json = Readonly<Record<string, unknown>>

/** Side of a chunk in pixels; each chunk holds one band. */
export const zarr_chunk_pixels = 512

/** An array of a Zarr store, as its `zarr.json`. */
export interface ZarrArray {
  readonly name: string
  readonly metadata: Json
}

const bytes_codec = { name: 'bytes', configuration: { endian: 'little' } }
const gzip_codec = { name: 'gzip', configuration: { level: 5 } }

interface ArrayOptions {
  readonly shape: readonly number[]
  readonly chunks?: readonly number[]
  readonly data_type: string
  readonly fill_value?: unknown
  readonly dimensions: readonly string[]
  readonly attributes?: Json
  readonly isPacked?: boolean
}

const arrayMetadata = ({ shape, dimensions, ...options }: ArrayOptions): Json => ({
  zarr_format: 3,
  node_type: 'array',
  shape,
  data_type: options.data_type,
  chunk_grid: { name: 'regular', configuration: { chunk_shape: options.chunks ?? shape } },
  chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
  fill_value: options.fill_value ?? 0,
  codecs: options.isPacked ? [bytes_codec, gzip_codec] : [bytes_codec],
  attributes: options.attributes ?? {},
  dimension_names: dimensions,
  storage_transformers: [],
})

/** A number as Zarr writes it: JSON has no NaN. */
const jsonNumber = (value: number): number | string =>
  Number.isFinite(value) ? value : Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'

export const isFloatCogInput = ({ sampleType }: CogInput): boolean => sampleTypeProperties[sampleType].format === 3

/** The value of pixels that no chunk stores: nodata, NaN of fractions, else 0. */
export const computeZarrFillValue = (input: CogInput): number =>
  input.nodata ?? (isFloatCogInput(input) ? Number.NaN : 0)

/** `_FillValue` as xarray reads it of Zarr 3: integers as they are, fractions as base64 of 64 bits. */
function xarrayFillValue(input: CogInput): Json {
  if (input.nodata === null) return {}
  if (!isFloatCogInput(input)) return { _FillValue: input.nodata }
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(input.nodata)
  return { _FillValue: bytes.toString('base64') }
}

/** Scale and offset as CF has them, where all bands share them; else lists. */
function scaleOf({ bands }: CogInput): Json {
  const [first] = bands
  if (bands.every(({ scale, offset }) => scale === 1 && offset === 0)) return {}
  if (bands.every(({ scale, offset }) => scale === first!.scale && offset === first!.offset))
    return { scale_factor: first!.scale, add_offset: first!.offset }
  return { band_scales: bands.map(({ scale }) => scale), band_offsets: bands.map(({ offset }) => offset) }
}

/** The reference system as GDAL reads it (`_CRS`). */
function crsOf({ georeferencing: { crs } }: CogInput): Json {
  const projjson = crs && toProjjson(crs)
  if (projjson) return { _CRS: { projjson } }
  return !crs || crs.epsg === null ? {} : { _CRS: { url: `http://www.opengis.net/def/crs/EPSG/0/${crs.epsg}` } }
}

export const buildZarrGroupMetadata = (input: CogInput): Json => {
  const { georeferencing, metadata = {} } = input
  const { crs, affine } = georeferencing
  return {
    zarr_format: 3,
    node_type: 'group',
    attributes: {
      Conventions: 'CF-1.11',
      ...projectionOf(crs),
      ...(affine ? { 'spatial:transform': toTransform(affine) } : {}),
      ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
    },
  }
}

/** The reference system as the convention `proj` has it. */
function projectionOf(crs: Crs | null): Json {
  if (!crs) return {}
  if (crs.epsg !== null) return { 'proj:code': `EPSG:${crs.epsg}` }
  const projjson = toProjjson(crs)
  return projjson ? { 'proj:projjson': projjson } : {}
}

/** Rows of the matrix, as rasterio and STAC have it. */
const toTransform = ([a, b, c, d, e, f]: NonNullable<CogInput['georeferencing']['affine']>): number[] => [
  b,
  c,
  a,
  e,
  f,
  d,
]

/** The arrays of an image: its samples, where its pixels are, and which are valid if the samples do not say. */
export function listZarrArrays(input: CogInput): ZarrArray[] {
  const { width, height, bands, sampleType, georeferencing, nodata, masked } = input
  const { affine, crs } = georeferencing
  const isUpright = affine !== null && affine[2] === 0 && affine[4] === 0
  const unit = crs?.geographic ? 'degrees' : 'm'
  const axis = (name: string, length: number): ZarrArray => ({
    name,
    metadata: arrayMetadata({ shape: [length], data_type: 'float64', dimensions: [name], attributes: { units: unit } }),
  })
  const chunks = [1, zarr_chunk_pixels, zarr_chunk_pixels]
  const data = arrayMetadata({
    shape: [bands.length, height, width],
    chunks,
    data_type: sampleType,
    fill_value: jsonNumber(computeZarrFillValue(input)),
    dimensions: ['band', 'y', 'x'],
    isPacked: true,
    attributes: {
      ...xarrayFillValue(input),
      ...scaleOf(input),
      ...crsOf(input),
      grid_mapping: 'spatial_ref',
      band_names: bands.map(({ name }, at) => name ?? `b${at + 1}`),
      ...(masked && nodata === null ? { ancillary_variables: 'mask' } : {}),
    },
  })
  const geo = {
    ...(!crs || crs.epsg === null ? {} : { spatial_ref: `EPSG:${crs.epsg}` }),
    ...(affine ? { GeoTransform: affine.join(' ') } : {}),
  }
  return [
    { name: 'data', metadata: data },
    ...(masked && nodata === null ? [maskArray(input)] : []),
    ...(isUpright ? [axis('y', height), axis('x', width)] : []),
    {
      name: 'spatial_ref',
      metadata: arrayMetadata({ shape: [], data_type: 'int32', dimensions: [], attributes: geo }),
    },
  ]
}

const maskArray = ({ width, height }: CogInput): ZarrArray => ({
  name: 'mask',
  metadata: arrayMetadata({
    shape: [height, width],
    chunks: [zarr_chunk_pixels, zarr_chunk_pixels],
    data_type: 'uint8',
    dimensions: ['y', 'x'],
    isPacked: true,
    attributes: { long_name: '255 where pixels are valid, else 0' },
  }),
})
