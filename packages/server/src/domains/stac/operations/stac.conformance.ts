import { stacConformanceOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { stacConformanceClasses } from '../landing-page.ts'

export const handler = defineHandler(stacConformanceOperation, async () => ({
  conformsTo: [...stacConformanceClasses],
}))
