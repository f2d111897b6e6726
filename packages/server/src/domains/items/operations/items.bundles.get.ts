import { itemsBundlesGetOperation } from '@swath/contract/operations/items.bundles.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readBundle } from '../bundles/bundle.ts'

export const handler = defineHandler(itemsBundlesGetOperation, (call, { bundle_id }) => readBundle(call, bundle_id))
