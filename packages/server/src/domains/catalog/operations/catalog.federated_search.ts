import { catalogFederatedSearchOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { searchFederatedPage } from '../federated-page.ts'

export const handler = defineHandler(catalogFederatedSearchOperation, async (call, input) => {
  const { features, reports, ...next } = await searchFederatedPage(call, input, input)
  return {
    type: 'FeatureCollection' as const,
    features,
    numberReturned: features.length,
    sources: [...reports],
    ...next,
  }
})
