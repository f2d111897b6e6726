import Type from 'typebox'
import type { ExportProcess, RasterProcess } from '@swath/raster'
import { validationProblem } from '../../../engine/problem.ts'
import { applyCurrentBandNames } from '../../items/assets/current-bands.ts'
import { planDerivedRaster } from './derived-raster.ts'
import { defineProcess, type SourceAsset } from '../process-definition.ts'
import { assetKeyInput, itemInput, titleInput } from '../process-inputs.ts'
import { listBandNames, chooseSourceAsset, isCategorical, requireSourceBand } from '../source-bands.ts'

const inputs = Type.Object(
  {
    ...itemInput,
    ...assetKeyInput,
    format: Type.Optional(
      Type.Enum(['cog', 'png', 'zarr'], {
        default: 'cog',
        description:
          'Cloud-optimized GeoTIFF; PNG with a world file; or a Zarr store of version 3 in one ZIP file. Default cog.',
      }),
    ),
    compression: Type.Optional(
      Type.Enum(['deflate', 'zstd', 'jpeg', 'webp', 'none'], {
        default: 'deflate',
        description: 'Of a GeoTIFF. JPEG and WebP take images of bytes only; default deflate.',
      }),
    ),
    quality: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Of JPEG and WebP; default 75.' })),
    bands: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 3,
        description: 'Of a PNG: one band, or three as red, green and blue; default: those colours, or the first band.',
      }),
    ),
    lowest: Type.Optional(Type.Number({ description: 'Of a PNG: the value that becomes 0.' })),
    highest: Type.Optional(
      Type.Number({
        description: 'Of a PNG: the value that becomes 255; default: bytes and 16 bits keep their values.',
      }),
    ),
    ...titleInput,
  },
  { additionalProperties: false },
)

type ConvertInputs = Type.Static<typeof inputs>
type Format = NonNullable<ConvertInputs['format']>

/** The only format that an input applies to. */
const formatOf = { compression: 'cog', quality: 'cog', bands: 'png', lowest: 'png', highest: 'png' } as const

const processes: {
  readonly [Name in Format]: (inputs: ConvertInputs, source: SourceAsset) => RasterProcess | ExportProcess
} = {
  cog: ({ compression, quality }) => ({ name: 'copy', compression, quality }),
  png: (given, source) => ({ name: 'png', bands: chooseBands(source, given.bands), range: readRange(given) }),
  zarr: () => ({ name: 'zarr' }),
}

export const convertProcess = defineProcess({
  id: 'format-conversion',
  title: 'Convert the format',
  description:
    'Copies a raster, also JPEG 2000 and files hosted elsewhere, to a cloud-optimized GeoTIFF with overviews, a PNG or a Zarr store.',
  version: '1.1',
  category: 'conversion',
  inputs,
  credits_per_megasample: 1,
  requiredFeature: ({ format }) => (format === 'zarr' ? { flag: 'zarr_conversion', path: 'format' } : null),
  plan: async (given, sources) => {
    const { item: reference, asset_key, format = 'cog', title } = given
    for (const [name, own] of Object.entries(formatOf))
      if (given[name as keyof typeof formatOf] !== undefined && own !== format)
        throw validationProblem([{ path: name, message: `is for the format "${own}"` }])
    const source = await sources.item(reference)
    const chosen = chooseSourceAsset(source, asset_key)
    return [
      planDerivedRaster(title ?? `${source.item.name} ${format === 'zarr' ? 'Zarr' : format.toUpperCase()}`, [source], {
        title: chosen.asset.title,
        sources: [chosen],
        process: processes[format](given, chosen),
        bands: listBandNames(chosen),
        is_categorical: isCategorical(chosen),
      }),
    ]
  },
})

const colours = ['red', 'green', 'blue']

function chooseBands(source: SourceAsset, names: readonly string[] | undefined): number[] {
  if (names?.length === 2) throw validationProblem([{ path: 'bands', message: 'must be one band or three' }])
  if (names) return names.map((name, at) => requireSourceBand(source, name, `bands.${at}`))
  const bands = applyCurrentBandNames(source.asset)
  const found = colours.map((colour) =>
    bands.findIndex(
      ({ common_name, colour: own }) => common_name === colour || (common_name === null && own === colour),
    ),
  )
  return found.includes(-1) ? [0] : found
}

function readRange({ lowest, highest }: ConvertInputs): readonly [number, number] | null {
  if (lowest === undefined && highest === undefined) return null
  if (lowest === undefined) throw validationProblem([{ path: 'lowest', message: 'is required with highest' }])
  if (highest === undefined) throw validationProblem([{ path: 'highest', message: 'is required with lowest' }])
  if (lowest < highest) return [lowest, highest]
  throw validationProblem([{ path: 'highest', message: 'must be above lowest' }])
}
