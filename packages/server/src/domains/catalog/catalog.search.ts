import { catalogSearch } from '@swath/contract/operations/catalog.ts'
import type { CatalogFeature } from '@swath/contract/shapes/catalog.ts'
import { handler } from '../../engine/handler.ts'
import { readToken, textKey, timeKey, writeToken } from '../../engine/page-token.ts'
import { yieldEvery } from '../../platform/event-loop.ts'
import { ratesOfCaller } from '../billing/commitments/rates.ts'
import { requireHost } from './hosts.ts'
import { featureOf, hostSearch, scenes_at_once, searchHost } from './search.ts'

export const searchCatalog = handler(catalogSearch, async (call, input) => {
  const host = requireHost(call.outside, input.host_name)
  const keys = readToken(call, input, [timeKey, textKey])
  const search = {
    ...hostSearch(host, input),
    limit: input.limit + 1,
    ...(keys ? { after: { datetime: keys[0] ?? '', id: keys[1] ?? '' } } : {}),
  }
  const rates = await ratesOfCaller(call)
  const scenes = await searchHost(host, search, call.signal)
  const page = scenes.slice(0, input.limit)
  const last = page.at(-1)
  const next =
    scenes.length > page.length && last
      ? writeToken(call, input, [new Date(last.datetime).toISOString(), last.id])
      : null
  const features: CatalogFeature[] = []
  const yielding = yieldEvery(scenes_at_once)
  for (const scene of page) {
    features.push(featureOf(host, scene, input, call.baseUrl, rates))
    await yielding(1)
  }
  return {
    type: 'FeatureCollection' as const,
    features,
    numberReturned: page.length,
    ...(next ? { next } : {}),
  }
})
