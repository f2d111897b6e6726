import Type from 'typebox'
import { applyCurrentBandNames } from '../../items/assets/current-bands.ts'
import { planDerivedRaster } from './derived-raster.ts'
import { defineProcess } from '../process-definition.ts'
import { itemInput, createResamplingInputSchema, titleInput } from '../process-inputs.ts'
import { locateSourceBand } from '../source-bands.ts'

const BandName = Type.String({ minLength: 1, maxLength: 100 })

export const pansharpenProcess = defineProcess({
  id: 'pan-sharpen',
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
      ...createResamplingInputSchema('bilinear'),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 2,
  plan: async ({ item: reference, pan_band = 'pan', bands, weights, resampling, title }, sources) => {
    const source = await sources.item(reference)
    const names = bands ?? ['red', 'green', 'blue']
    const pan = locateSourceBand(source.assets, pan_band, 'pan_band')
    const spectral = names.map((name, index) =>
      locateSourceBand(source.assets, name, bands ? `bands.${index}` : 'bands'),
    )
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
