import Type from 'typebox'
import { defineProcess } from '../process-definition.ts'
import { ProcessAreaInput, itemInput, requireProcessArea, titleInput } from '../process-inputs.ts'
import { listBandNames, chooseSourceAsset, isCategorical } from '../source-bands.ts'

export const clipProcess = defineProcess({
  id: 'clip',
  title: 'Clip to a polygon',
  description: 'Cuts rasters of an item out along a polygon. Every pixel whose centre is inside keeps its value.',
  version: '1.1',
  category: 'enhancement',
  inputs: Type.Object(
    {
      ...itemInput,
      geometry: ProcessAreaInput,
      asset_keys: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          description: 'Keys of the rasters; default: every raster.',
        }),
      ),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 1,
  plan: async ({ item: reference, geometry, asset_keys, title }, sources) => {
    const area = requireProcessArea(geometry, 'geometry')
    const source = await sources.item(reference)
    const keys = asset_keys ?? source.assets.map(({ key }) => key)
    return [
      {
        name: title ?? `${source.item.name} clipped`,
        type: 'clip',
        from: [source.item],
        assets: keys.map((key, index) => {
          const chosen = chooseSourceAsset(source, key, `asset_keys.${index}`)
          return {
            key,
            title: chosen.asset.title,
            sources: [chosen],
            process: { name: 'clip', area },
            bands: listBandNames(chosen),
            is_categorical: isCategorical(chosen),
          }
        }),
      },
    ]
  },
})
