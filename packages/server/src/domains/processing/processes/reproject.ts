import Type from 'typebox'
import { planDerivedRaster } from './derived-raster.ts'
import { defineProcess } from '../process-definition.ts'
import { assetKeyInput, itemInput, createResamplingInputSchema, titleInput } from '../process-inputs.ts'
import { listBandNames, chooseSourceAsset, isCategorical } from '../source-bands.ts'

const Resolution = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1e7,
  description: 'Size of a pixel in units of the reference system.',
})

const useOverviewsInput = {
  use_overviews: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Read an overview of the file where the result is coarser: several times faster, but a mean is then one of means.',
    }),
  ),
}

export const reprojectProcess = defineProcess({
  id: 'reproject',
  title: 'Reproject',
  description:
    'Transforms a raster to another coordinate reference system, on the grid that gdalwarp suggests; where the projection runs to infinity, only the part of use, and the log says which.',
  version: '1.2',
  category: 'enhancement',
  inputs: Type.Object(
    {
      ...itemInput,
      ...assetKeyInput,
      epsg: Type.Integer({ minimum: 1024, maximum: 999_999, description: 'EPSG code of the reference system.' }),
      resolution: Type.Optional(Resolution),
      ...createResamplingInputSchema('nearest'),
      ...useOverviewsInput,
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 2,
  plan: async ({ item: reference, asset_key, epsg, resolution, resampling, use_overviews, title }, sources) => {
    const source = await sources.item(reference)
    const chosen = chooseSourceAsset(source, asset_key)
    return [
      planDerivedRaster(title ?? `${source.item.name} EPSG:${epsg}`, [source], {
        sources: [chosen],
        process: {
          name: 'reproject',
          epsg,
          resampling,
          ...(resolution === undefined ? {} : { resolution }),
          ...(use_overviews ? { useOverviews: true } : {}),
        },
        bands: listBandNames(chosen),
        is_categorical: isCategorical(chosen),
      }),
    ]
  },
})

export const resampleProcess = defineProcess({
  id: 'resample',
  title: 'Resample',
  description: 'Changes the pixel size of a raster in its own coordinate reference system.',
  version: '1.2',
  category: 'enhancement',
  inputs: Type.Object(
    {
      ...itemInput,
      ...assetKeyInput,
      resolution: Resolution,
      ...createResamplingInputSchema('bilinear'),
      ...useOverviewsInput,
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 2,
  plan: async ({ item: reference, asset_key, resolution, resampling, use_overviews, title }, sources) => {
    const source = await sources.item(reference)
    const chosen = chooseSourceAsset(source, asset_key)
    return [
      planDerivedRaster(title ?? `${source.item.name} resampled`, [source], {
        sources: [chosen],
        process: {
          name: 'reproject',
          epsg: null,
          resolution,
          resampling,
          ...(use_overviews ? { useOverviews: true } : {}),
        },
        bands: listBandNames(chosen),
        is_categorical: isCategorical(chosen),
      }),
    ]
  },
})
