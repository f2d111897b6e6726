import Type from 'typebox'
import { Area } from '@swath/contract/schemas/geojson.ts'
import { validationProblem } from '../../engine/problem.ts'
import type { PlannedAsset, ProcessDefinition, SourceItem } from '../processing/process-definition.ts'
import { requireProcessArea } from '../processing/process-inputs.ts'
import { listBandNames, chooseSourceAsset, isCategorical } from '../processing/source-bands.ts'
import type { MosaicRow } from './store.ts'

/** The clip of mosaics of an area: one item with an asset for each mosaic type. It is not in the public registry. */
export const areaClipProcess = (mosaics: readonly MosaicRow[]): ProcessDefinition => ({
  id: 'clip-area',
  title: 'Clip mosaics of an area',
  description: 'Cuts mosaics of an area out along a polygon.',
  version: '1.1',
  category: 'enhancement',
  inputs: Type.Object({
    area: Type.String(),
    mosaic_types: Type.Array(Type.String()),
    geometry: Area,
    title: Type.Optional(Type.String()),
  }),
  credits_per_megasample: 1,
  plan: async (inputs, sources) => {
    const { mosaic_types, geometry, title } = inputs as { mosaic_types: string[]; geometry: unknown; title?: string }
    const area = requireProcessArea(geometry, 'geometry')
    const items: SourceItem[] = []
    const assets: PlannedAsset[] = []
    for (const [index, type] of [...new Set(mosaic_types)].entries()) {
      const mosaic = mosaics.find(({ mosaic_type }) => mosaic_type === type)
      if (!mosaic)
        throw validationProblem([{ path: `mosaic_types.${index}`, message: 'is not a mosaic type of the area' }])
      const source = await sources.item(mosaic.item_id)
      const chosen = chooseSourceAsset(source, undefined)
      items.push(source)
      assets.push({
        key: type,
        title: mosaic.item_name,
        sources: [chosen],
        process: { name: 'clip', area },
        bands: listBandNames(chosen),
        is_categorical: isCategorical(chosen),
      })
    }
    const name = title ?? `${mosaics[0]!.title} clipped`
    return [{ name, type: 'clip', from: items.map(({ item }) => item), assets }]
  },
})
