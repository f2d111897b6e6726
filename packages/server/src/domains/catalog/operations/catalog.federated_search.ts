import { catalogFederatedSearchOperation } from '@swath/contract/operations/catalog.ts'
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
import { listSearchedHosts, searchScenesAtHosts } from '../federated-search.ts'
import { scenes_priced_per_yield, toCatalogFeature } from '../search.ts'

export const handler = defineHandler(catalogFederatedSearchOperation, async (call, input) => {
  const keys = decodeNextToken(call, input, [timestampSortKeyPattern, textSortKeyPattern, textSortKeyPattern])
  const [datetime = '', host = '', id = ''] = keys ?? []
  const hosts = await listSearchedHosts(call, input)
  const rates = await readRatesOfCaller(call)
  const { scenes, reports } = await searchScenesAtHosts(hosts, {
    filters: input,
    products: rates.products,
    limit: input.limit + 1,
    after: keys && { datetime, host, id },
    signal: call.signal,
  })
  const { page, next } = toPageWithNextToken(call, input, scenes, (found) => [
    new Date(found.scene.datetime).toISOString(),
    found.host.name,
    found.scene.id,
  ])
  const features: CatalogFeature[] = []
  const yieldToEventLoop = yieldEvery(scenes_priced_per_yield)
  for (const found of page) {
    features.push(toCatalogFeature({ ...found, filters: input, baseUrl: call.baseUrl, rates }))
    await yieldToEventLoop(1)
  }
  const counts = Map.groupBy(page, (found) => found.host.name)
  return {
    type: 'FeatureCollection' as const,
    features,
    numberReturned: features.length,
    sources: reports.map((report) => ({ ...report, count: counts.get(report.source_id)?.length ?? 0 })),
    ...next,
  }
})
