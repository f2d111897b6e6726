import type { Module } from '../../engine/task.ts'
import { compareHostPrices } from './operations/catalog.compare_prices.ts'
import { searchAllHosts } from './operations/catalog.federated_search.ts'
import { getQuicklook } from './operations/catalog.image.quicklook.ts'
import { listCatalogProviders } from './operations/catalog.providers.list.ts'
import { deleteCatalogSearch } from './operations/catalog.search.delete.ts'
import { listSavedCatalogSearches } from './operations/catalog.search.list.ts'
import { saveCatalogSearch } from './operations/catalog.search.save.ts'
import { searchCatalog } from './operations/catalog.search.ts'
import { streamCatalogSearch } from './operations/catalog.search_stream.ts'
import { listCatalogSources } from './operations/catalog.sources.list.ts'
import { listCatalogVendors } from './operations/catalog.vendors.list.ts'
import { runSavedSearchTask } from './saved-searches/run.task.ts'
import { sweepSavedSearches } from './saved-searches/sweep.task.ts'

export const catalog: Module = {
  name: 'catalog',
  handlers: [
    listCatalogSources,
    searchCatalog,
    saveCatalogSearch,
    listSavedCatalogSearches,
    deleteCatalogSearch,
    streamCatalogSearch,
    searchAllHosts,
    compareHostPrices,
    getQuicklook,
    listCatalogProviders,
    listCatalogVendors,
  ],
  tasks: [runSavedSearchTask, sweepSavedSearches],
}
