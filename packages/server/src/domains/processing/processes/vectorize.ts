import Type from 'typebox'
import { defineProcess } from '../process-definition.ts'
import { assetKeyInput, connectednessInputSchema, itemInput, titleInput } from '../process-inputs.ts'
import { chooseSourceAsset, requireSourceBand } from '../source-bands.ts'

export const vectorizeProcess = defineProcess({
  id: 'vectorize',
  title: 'Vectorize',
  description:
    'Turns the areas of equal samples of a band into polygons with the sample as `value`. Pixels without a value have no polygon.',
  version: '1.0',
  category: 'conversion',
  inputs: Type.Object(
    {
      ...itemInput,
      ...assetKeyInput,
      band: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Band of classes; default: the first.' }),
      ),
      ...connectednessInputSchema,
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  output_media_type: 'application/geo+json',
  credits_per_megasample: 2,
  plan: async ({ item: reference, asset_key, band, connectedness = 4, title }, sources) => {
    const source = await sources.item(reference)
    const chosen = chooseSourceAsset(source, asset_key)
    return [
      {
        name: title ?? `${source.item.name} areas`,
        type: 'derived_vector',
        from: [source.item],
        assets: [
          {
            key: 'data',
            title: 'Areas',
            sources: [chosen],
            process: { name: 'vectorize', band: requireSourceBand(chosen, band), connectedness },
            bands: [],
            is_categorical: false,
          },
        ],
      },
    ]
  },
})
