import Type from 'typebox'
import { mapBetweenEvents } from '../../../platform/event-loop.ts'
import { createStepBudget } from '@swath/geo/step-budget.ts'
import { planDerivedRaster } from './derived-raster.ts'
import { defineProcess } from '../process-definition.ts'
import { ProcessAreaInput, assetKeyInput, itemInput, requireProcessArea, titleInput } from '../process-inputs.ts'
import { chooseSourceAsset } from '../source-bands.ts'

/** Each area is a walk along its edges in memory. */
const max_areas = 1000

export const rasterizeProcess = defineProcess({
  id: 'rasterize',
  title: 'Rasterize areas',
  description:
    'Draws areas as pixels on the grid of an item. A pixel belongs to an area if its centre does; later areas lie over earlier ones.',
  version: '1.0',
  category: 'conversion',
  inputs: Type.Object(
    {
      ...itemInput,
      ...assetKeyInput,
      areas: Type.Array(
        Type.Object(
          { geometry: ProcessAreaInput, value: Type.Number({ description: 'The value of its pixels.' }) },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: max_areas, description: 'Polygons in degrees with their values.' },
      ),
      data_type: Type.Optional(
        Type.Enum(['uint8', 'uint16', 'int16', 'int32', 'float32'], {
          default: 'uint8',
          description: 'Type of the samples; default uint8.',
        }),
      ),
      background: Type.Optional(
        Type.Number({ default: 0, description: 'The value of all other pixels, which is nodata; default 0.' }),
      ),
      ...titleInput,
    },
    { additionalProperties: false },
  ),
  credits_per_megasample: 1,
  plan: async ({ item: reference, asset_key, areas, data_type = 'uint8', background = 0, title }, sources) => {
    const source = await sources.item(reference)
    const budget = createStepBudget()
    const burned = await mapBetweenEvents(areas, budget, ({ geometry, value }, index) => ({
      area: requireProcessArea(geometry, `areas.${index}.geometry`, budget),
      value,
    }))
    return [
      planDerivedRaster(title ?? `${source.item.name} rasterized`, [source], {
        sources: [chooseSourceAsset(source, asset_key)],
        process: { name: 'rasterize', areas: burned, sampleType: data_type, background },
        bands: [{ name: 'value', common_name: null }],
        is_categorical: true,
      }),
    ]
  },
})
