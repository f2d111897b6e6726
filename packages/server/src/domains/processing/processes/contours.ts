import Type from 'typebox'
import { defineProcess } from '../process-definition.ts'
import { assetKeyInput, itemInput, titleInput } from '../process-inputs.ts'
import { chooseSource, requireBand } from '../source-bands.ts'

export const contoursProcess = defineProcess({
  id: 'contours',
  title: 'Contours',
  description:
    'Draws the lines at which a surface crosses levels, such as heights, as features with their level. Lines run between the centres of pixels.',
  version: '1.0',
  category: 'analytics',
  inputs: Type.Object(
    {
      ...itemInput,
      ...assetKeyInput,
      band: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Band of the surface; default: the first.' }),
      ),
      interval: Type.Number({ exclusiveMinimum: 0, maximum: 1e9, description: 'Difference between two levels.' }),
      base: Type.Optional(
        Type.Number({ minimum: -1e9, maximum: 1e9, default: 0, description: 'One of the levels; default 0.' }),
      ),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  output_media_type: 'application/geo+json',
  credits_per_megasample: 2,
  plan: async ({ item: reference, asset_key, band, interval, base = 0, title }, sources) => {
    const source = await sources.item(reference)
    const chosen = chooseSource(source, asset_key)
    return [
      {
        name: title ?? `${source.item.name} contours`,
        type: 'derived_vector',
        from: [source.item],
        assets: [
          {
            key: 'data',
            title: 'Contours',
            sources: [chosen],
            process: { name: 'contours', band: requireBand(chosen, band), interval, base },
            bands: [],
            is_categorical: false,
          },
        ],
      },
    ]
  },
})
