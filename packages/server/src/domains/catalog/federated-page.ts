import type { CatalogFeature } from '@swath/contract/schemas/catalog.ts'
import type { Call } from '../../engine/call.ts'
import {
  decodeNextToken,
  textSortKeyPattern,
  timestampSortKeyPattern,
  toPageWithNextToken,
} from '../../engine/page-token.ts'
import { yieldEvery } from '../../platform/event-loop.ts'
import { readRatesOfCaller } from '../contracts/rates.ts'
import {
  listSearchedHosts,
  searchScenesAtHosts,
  type HostSearchReport,
  type SearchedHostFilters,
} from './federated-search.ts'
import { scenes_priced_per_yield, toCatalogFeature, type CatalogFilters } from './search.ts'

/** A page of the scenes of all hosts, newest first. */
export interface FederatedPage {
  readonly features: CatalogFeature[]
  readonly reports: readonly (HostSearchReport & { readonly count: number })[]
  /** Absent on the last page. */
  readonly next?: string
}

/**
 * Searches hosts at the same time.
 *
 * @param input the input of the operation, to which its page token is bound.
 */
export async function searchFederatedPage(
  call: Call,
  input: { readonly limit: number; readonly next?: string | null },
  filters: CatalogFilters & SearchedHostFilters,
): Promise<FederatedPage> {
  const keys = decodeNextToken(call, input, [timestampSortKeyPattern, textSortKeyPattern, textSortKeyPattern])
  const [datetime = '', host = '', id = ''] = keys ?? []
  const hosts = await listSearchedHosts(call, filters)
  const rates = await readRatesOfCaller(call)
  const { scenes, reports } = await searchScenesAtHosts(hosts, {
    filters,
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
    features.push(toCatalogFeature({ ...found, filters, baseUrl: call.baseUrl, rates }))
    await yieldToEventLoop(1)
  }
  const counts = Map.groupBy(page, (found) => found.host.name)
  return {
    features,
    reports: reports.map((report) => ({ ...report, count: counts.get(report.source_id)?.length ?? 0 })),
    ...next,
  }
}
