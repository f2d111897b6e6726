import Type from 'typebox'
import { planDerivedRaster } from './derived-raster.ts'
import { defineProcess } from '../process-definition.ts'
import { assetKeyInput, itemInput, titleInput } from '../process-inputs.ts'
import { bandNamesOf, chooseSource, isCategorical } from '../source-bands.ts'

export const convertProcess = defineProcess({
  id: 'format-conversion',
  title: 'Convert to cloud-optimized GeoTIFF',
  description: 'Copies a raster, also one that is hosted elsewhere, to a cloud-optimized GeoTIFF with overviews.',
  version: '1.1',
  category: 'conversion',
  inputs: Type.Object(
    {
      ...itemInput,
      ...assetKeyInput,
      compression: Type.Optional(
        Type.Enum(['deflate', 'zstd', 'jpeg', 'webp', 'none'], {
          default: 'deflate',
          description: 'JPEG and WebP take images of bytes only; default deflate.',
        }),
      ),
      quality: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Of JPEG and WebP; default 75.' })),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 1,
  plan: async ({ item: reference, asset_key, compression, quality, title }, sources) => {
    const source = await sources.item(reference)
    const chosen = chooseSource(source, asset_key)
    return [
      planDerivedRaster(title ?? `${source.item.name} COG`, [source], {
        title: chosen.asset.title,
        sources: [chosen],
        process: { name: 'copy', compression, quality },
        bands: bandNamesOf(chosen),
        is_categorical: isCategorical(chosen),
      }),
    ]
  },
})
