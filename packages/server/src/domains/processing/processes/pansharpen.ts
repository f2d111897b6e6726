import Type from 'typebox'
import { validationProblem } from '../../../engine/problem.ts'
import { applyCurrentBandNames } from '../../items/assets/current-bands.ts'
import { planDerivedRaster } from './derived-raster.ts'
import { defineProcess } from '../process-definition.ts'
import { itemInput, createResamplingInputSchema, titleInput } from '../process-inputs.ts'
import { locateSourceBand } from '../source-bands.ts'

const BandName = Type.String({ minLength: 1, maxLength: 100 })

interface GreyWeight {
  readonly band: string
  readonly weight: number
}

/**
 * The weights in the order of the bands of the result; a band without one has none. Throws `validation` beside `weights`, for a band
 * twice, and for one that the result does not have.
 */
function toWeights(greyWeights: readonly GreyWeight[], weights: unknown, names: readonly string[]): number[] {
  const byBand = new Map(greyWeights.map(({ band, weight }) => [band, weight]))
  const message = weights
    ? 'cannot be combined with `weights`'
    : byBand.size < greyWeights.length
      ? 'names a band twice'
      : null
  if (message !== null) throw validationProblem([{ path: 'greyWeights', message }])
  const unknown = [...greyWeights.entries()].filter(([, { band }]) => !names.includes(band))
  const toError = ([index, { band }]: (typeof unknown)[number]) => ({
    path: `greyWeights.${index}.band`,
    message: `"${band.slice(0, 40)}" is not one of \`bands\`, which are ${names.join(', ')}`,
  })
  if (unknown.length > 0) throw validationProblem(unknown.map(toError))
  return names.map((name) => byBand.get(name) ?? 0)
}

export const pansharpenProcess = defineProcess({
  id: 'pan-sharpen',
  aliases: ['pansharpening'],
  title: 'Pan-sharpen',
  description:
    'Gives bands of an item the detail of its panchromatic band, by the weighted Brovey transform. Bands may be in any raster of the item.',
  version: '1.1',
  category: 'enhancement',
  inputs: Type.Object(
    {
      ...itemInput,
      pan_band: Type.Optional(
        Type.With(BandName, { default: 'pan', description: 'The panchromatic band, by name; default pan.' }),
      ),
      bands: Type.Optional(
        Type.Array(BandName, {
          minItems: 1,
          maxItems: 20,
          uniqueItems: true,
          description: 'The bands of the result, by name; default red, green and blue.',
        }),
      ),
      weights: Type.Optional(
        Type.Array(Type.Number({ minimum: 0, maximum: 1000 }), {
          minItems: 1,
          maxItems: 20,
          description: 'How much of the panchromatic band each band makes up; default equal parts.',
        }),
      ),
      greyWeights: Type.Optional(
        Type.Array(
          Type.Object(
            { band: BandName, weight: Type.Number({ minimum: 0, maximum: 1000 }) },
            { additionalProperties: false },
          ),
          {
            minItems: 1,
            maxItems: 20,
            description:
              'The weight of each band by its name, in place of `weights`; without `bands`, these are the bands of the result.',
          },
        ),
      ),
      ...createResamplingInputSchema('bilinear'),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 2,
  plan: async ({ item: reference, pan_band = 'pan', greyWeights, resampling, title, ...inputs }, sources) => {
    const source = await sources.item(reference)
    const names = inputs.bands ?? greyWeights?.map(({ band }) => band) ?? ['red', 'green', 'blue']
    const pathOfBand = (index: number): string => {
      if (inputs.bands) return `bands.${index}`
      return greyWeights ? `greyWeights.${index}.band` : 'bands'
    }
    const weights = greyWeights ? toWeights(greyWeights, inputs.weights, names) : inputs.weights
    const pan = locateSourceBand(source.assets, pan_band, 'pan_band')
    const spectral = names.map((name, index) => locateSourceBand(source.assets, name, pathOfBand(index)))
    const used = [...new Set([pan, ...spectral].map(({ asset }) => asset))]
    const toPlace = ({ asset, band }: typeof pan) => ({ raster: used.indexOf(asset), band })
    return [
      planDerivedRaster(title ?? `${source.item.name} pan-sharpened`, [source], {
        sources: used.map((asset) => ({ item: source.item, asset })),
        process: {
          name: 'pansharpen',
          pan: toPlace(pan),
          spectral: spectral.map(toPlace),
          ...(weights ? { weights } : {}),
          ...(resampling ? { resampling } : {}),
        },
        bands: spectral.map(({ asset, band }) => {
          const { name, common_name } = applyCurrentBandNames(asset)[band]!
          return { name, common_name }
        }),
        is_categorical: false,
      }),
    ]
  },
})
