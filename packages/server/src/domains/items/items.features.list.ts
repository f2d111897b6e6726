import { itemsFeaturesList } from '@swath/contract/operations/items.vector.ts'
import { isBounds } from '@swath/geo/bbox.ts'
import { handler } from '../../engine/handler.ts'
import { validationProblem } from '../../engine/problem.ts'
import { askFeatures, requireVectorAsset } from '../vectors/vector-asset.ts'
import { requireItem } from './access.ts'
import { assetsOf } from './store.assets.ts'

export const listFeatures = handler(itemsFeaturesList, async (call, input) => {
  const { limit, offset } = input
  const bbox = input.bbox ?? null
  if (bbox && !isBounds(bbox)) {
    throw validationProblem([{ path: 'bbox', message: 'is not west, south, east, north in degrees' }])
  }
  const item = await requireItem(call, input.item_id, 'read')
  const asset = requireVectorAsset(await assetsOf(call.db, call.organization, item.id), input.asset_key ?? null)
  const request = { bbox, properties: input.properties ?? {}, limit, offset }
  const { features, matched } = await askFeatures(call, asset, 'select', request)
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
