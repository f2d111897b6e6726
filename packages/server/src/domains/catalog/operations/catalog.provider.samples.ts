import { catalogProviderSamplesOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toListPage } from '../../../engine/page.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { loadHostCollections, requireImageryHost } from '../hosts.ts'
import { renderableStrategyName } from '../imagery/renderable.ts'
import { searchImageryHost, toCatalogFeature } from '../search.ts'

/** A provider shows its newest scenes; the others are found by searching. */
const max_samples = 100

export const handler = defineHandler(catalogProviderSamplesOperation, async (call, input) => {
  const host = requireImageryHost(call.integrations, input.provider)
  await loadHostCollections(host, call.signal)
  const collections = host.collections
    .filter(({ render_strategy }) => render_strategy === renderableStrategyName)
    .map(({ id }) => id)
  const rates = await readRatesOfCaller(call)
  const scenes =
    collections.length > 0 ? await searchImageryHost(host, { collections, limit: max_samples }, call.signal) : []
  const rows = scenes
    .slice(input.offset, input.offset + input.limit)
    .map((scene) => toCatalogFeature({ host, scene, filters: {}, baseUrl: call.baseUrl, rates }))
  return toListPage('samples', { rows, total: scenes.length }, input)
})
