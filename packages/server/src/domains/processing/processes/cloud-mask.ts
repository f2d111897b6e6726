import Type from 'typebox'
import { validationProblem } from '../../../engine/problem.ts'
import { planDerivedRaster } from './derived-raster.ts'
import { defineProcess } from '../process-definition.ts'
import { assetKeyInput, itemInput, titleInput } from '../process-inputs.ts'
import { listBandNames, chooseSourceAsset, isCategorical, requireSourceBand } from '../source-bands.ts'

export const cloudMaskProcess = defineProcess({
  id: 'cloud-mask',
  title: 'Cloud mask',
  description:
    'Removes the pixels that a classification of the item marks: by classes, such as those of Sentinel-2 SCL, or by bits, such as those of Landsat QA_PIXEL and HLS Fmask.',
  version: '1.1',
  category: 'enhancement',
  inputs: Type.Object(
    {
      ...itemInput,
      ...assetKeyInput,
      mask_asset_key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'Key of the classification; default: the same asset.',
        }),
      ),
      mask_band: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Band of the classification; default: its first.' }),
      ),
      classes: Type.Optional(
        Type.Array(Type.Integer({ minimum: 0, maximum: 65_535 }), {
          maxItems: 256,
          description: 'Classes that are removed, such as 3, 8, 9 and 10 of Sentinel-2: cloud shadows and clouds.',
        }),
      ),
      bits: Type.Optional(
        Type.Array(Type.Integer({ minimum: 0, maximum: 31 }), {
          maxItems: 32,
          description: 'Bits, counted from 0, any of which removes a pixel, such as 1 and 3 of HLS Fmask.',
        }),
      ),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 2,
  plan: async ({ item: reference, asset_key, mask_asset_key, mask_band, classes, bits, title }, sources) => {
    if ((classes?.length ?? 0) + (bits?.length ?? 0) === 0)
      throw validationProblem([{ path: 'classes', message: 'or `bits` is required' }])
    const source = await sources.item(reference)
    const chosen = chooseSourceAsset(source, asset_key)
    const classification =
      mask_asset_key === undefined ? chosen : chooseSourceAsset(source, mask_asset_key, 'mask_asset_key')
    const band = requireSourceBand(classification, mask_band, 'mask_band')
    return [
      planDerivedRaster(title ?? `${source.item.name} without clouds`, [source], {
        sources: [chosen, classification],
        process: { name: 'mask', band, classes: classes ?? [], bits: bits ?? [] },
        bands: listBandNames(chosen),
        is_categorical: isCategorical(chosen),
      }),
    ]
  },
})
