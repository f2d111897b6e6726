import { itemsFeaturesListOperation } from '@swath/contract/operations/items.ts'
import { isValidBounds } from '@swath/geo/bbox.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { validationProblem } from '../../../engine/problem.ts'
import { runFeatureJob, requireVectorAsset } from '../../vectors/vector-asset.ts'
import { requireItem } from '../access.ts'
import { findAssetsOfItem } from '../assets/store.assets.ts'

export const handler = defineHandler(itemsFeaturesListOperation, async (call, input) => {
  const { limit, offset } = input
  const bbox = input.bbox ?? null
  if (bbox && !isValidBounds(bbox)) {
    throw validationProblem([{ path: 'bbox', message: 'is not west, south, east, north in degrees' }])
  }
  const item = await requireItem(call, input.item_id, 'read')
  const asset = requireVectorAsset(await findAssetsOfItem(call.db, call.organization, item.id), input.asset_key ?? null)
  const query = { bbox, properties: input.properties ?? {}, limit, offset }
  const { features, matched } = await runFeatureJob(call, asset, 'select', query)
  return {
    type: 'FeatureCollection' as const,
    features,
    limit,
    offset,
    total: matched,
    numberMatched: matched,
    numberReturned: features.length,
  }
})
