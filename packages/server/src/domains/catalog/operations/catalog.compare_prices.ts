import { catalogComparePricesOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { readRatesOfCaller } from '../../contracts/rates.ts'
import { comparePrices } from '../compare-prices.ts'
import { listSearchedHosts, searchScenesAtHosts } from '../federated-search.ts'

/** Scenes of all hosts together, the newest ones; comparing more one by one would not be worth it. */
const max_scenes = 200

export const handler = defineHandler(catalogComparePricesOperation, async (call, input) => {
  const hosts = await listSearchedHosts(call, input)
  const rates = await readRatesOfCaller(call)
  const { scenes, reports } = await searchScenesAtHosts(hosts, {
    filters: input,
    products: rates.products,
    limit: max_scenes,
    after: null,
    signal: call.signal,
  })
  const counts = Map.groupBy(scenes, (found) => found.host.name)
  return {
    offers: await comparePrices(scenes, input.intersects, rates),
    sources: reports.map((report) => ({ ...report, count: counts.get(report.source_id)?.length ?? 0 })),
  }
})
