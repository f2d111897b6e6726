import Type from 'typebox'
import { planDerivedRaster } from './derived-raster.ts'
import { defineProcess } from '../process-definition.ts'
import { assetKeyInput, connectednessInputSchema, itemInput, titleInput } from '../process-inputs.ts'
import { listBandNames, chooseSourceAsset, requireSourceBand } from '../source-bands.ts'

export const sieveProcess = defineProcess({
  id: 'sieve',
  title: 'Sieve',
  description: 'Merges small areas of one class into the largest area beside them.',
  version: '1.2',
  category: 'analytics',
  inputs: Type.Object(
    {
      ...itemInput,
      ...assetKeyInput,
      band: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Band of classes; default: the first.' }),
      ),
      min_pixels: Type.Integer({ minimum: 2, maximum: 1e9, description: 'Areas of fewer pixels are merged.' }),
      ...connectednessInputSchema,
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 2,
  plan: async ({ item: reference, asset_key, band: name, min_pixels, connectedness = 4, title }, sources) => {
    const source = await sources.item(reference)
    const chosen = chooseSourceAsset(source, asset_key)
    const band = requireSourceBand(chosen, name)
    return [
      planDerivedRaster(title ?? `${source.item.name} sieved`, [source], {
        sources: [chosen],
        process: { name: 'sieve', band, min_pixels, connectedness },
        bands: [listBandNames(chosen)[band]!],
        is_categorical: true,
      }),
    ]
  },
})
