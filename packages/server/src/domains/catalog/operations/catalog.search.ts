import { catalogSearchOperation } from '@swath/contract/operations/catalog.search.ts'
import type { CatalogFeature } from '@swath/contract/schemas/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import {
  decodeNextToken,
  textSortKeyPattern,
  timestampSortKeyPattern,
  toPageWithNextToken,
} from '../../../engine/page-token.ts'
import { yieldEvery } from '../../../platform/event-loop.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { loadHostCollections, requireImageryHost } from '../hosts.ts'
import { toCatalogFeature, toHostSearch, scenes_priced_per_yield, searchImageryHost } from '../search.ts'

export const handler = defineHandler(catalogSearchOperation, async (call, input) => {
  const host = requireImageryHost(call.integrations, input.host_name)
  await loadHostCollections(host, call.signal)
  const keys = decodeNextToken(call, input, [timestampSortKeyPattern, textSortKeyPattern])
  const rates = await readRatesOfCaller(call)
  const search = {
    ...toHostSearch(host, input, rates.products),
    limit: input.limit + 1,
    ...(keys ? { after: { datetime: keys[0] ?? '', id: keys[1] ?? '' } } : {}),
  }
  const scenes = await searchImageryHost(host, search, call.signal)
  const { page, next } = toPageWithNextToken(call, input, scenes, ({ datetime, id }) => [
    new Date(datetime).toISOString(),
    id,
  ])
  const features: CatalogFeature[] = []
  const yieldToEventLoop = yieldEvery(scenes_priced_per_yield)
  for (const scene of page) {
    features.push(toCatalogFeature({ host, scene, filters: input, baseUrl: call.baseUrl, rates }))
    await yieldToEventLoop(1)
  }
  return {
    type: 'FeatureCollection' as const,
    features,
    numberReturned: page.length,
    ...next,
  }
})
