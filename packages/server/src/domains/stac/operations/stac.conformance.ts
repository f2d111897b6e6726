import { stacConformanceOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { listConformanceClasses } from '../landing-page.ts'

export const handler = defineHandler(stacConformanceOperation, async (call, input) => ({
  conformsTo: listConformanceClasses(resolveLinkBase(call, input.base_url)),
}))
