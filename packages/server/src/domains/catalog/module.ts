import type { Module } from '../../engine/task.ts'
import { scoreArea } from './operations/catalog.aoi_score.ts'
import { compareHostPrices } from './operations/catalog.compare_prices.ts'
import { searchAllHosts } from './operations/catalog.federated_search.ts'
import { readGranulePoints } from './operations/catalog.granule_points.ts'
import { getQuicklook } from './operations/catalog.image.quicklook.ts'
import { getThumbnail } from './operations/catalog.image.thumbnail.ts'
import { describeLandsatScene } from './operations/catalog.info.landsat.ts'
import { describeNaipScene } from './operations/catalog.info.naip.ts'
import { describeSampleScene } from './operations/catalog.info.sample.ts'
import { describeSentinelScene } from './operations/catalog.info.sentinel.ts'
import { listProviderSamples } from './operations/catalog.provider.samples.ts'
import { searchPlaces } from './operations/catalog.places.search.ts'
import { listCatalogProviders } from './operations/catalog.providers.list.ts'
import { deleteCatalogSearch } from './operations/catalog.search.delete.ts'
import { listSavedCatalogSearches } from './operations/catalog.search.list.ts'
import { saveCatalogSearch } from './operations/catalog.search.save.ts'
import { searchCatalog } from './operations/catalog.search.ts'
import { streamCatalogSearch } from './operations/catalog.search_stream.ts'
import { listCatalogSources } from './operations/catalog.sources.list.ts'
import { renderCatalogTile } from './operations/catalog.tile.render.ts'
import { listCatalogVendors } from './operations/catalog.vendors.list.ts'
import { runSavedSearchTask } from './saved-searches/run.task.ts'
import { dueSavedSearches, sweepSavedSearches } from './saved-searches/sweep.task.ts'
import { listLandsatVisualizations } from './operations/catalog.viz.landsat.ts'
import { listNaipVisualizations } from './operations/catalog.viz.naip.ts'

export const catalog: Module = {
  name: 'catalog',
  handlers: [
    listCatalogSources,
    searchCatalog,
    searchPlaces,
    saveCatalogSearch,
    listSavedCatalogSearches,
    deleteCatalogSearch,
    streamCatalogSearch,
    searchAllHosts,
    compareHostPrices,
    getQuicklook,
    scoreArea,
    readGranulePoints,
    getThumbnail,
    describeLandsatScene,
    describeNaipScene,
    describeSampleScene,
    describeSentinelScene,
    listProviderSamples,
    renderCatalogTile,
    listLandsatVisualizations,
    listNaipVisualizations,
    listCatalogProviders,
    listCatalogVendors,
  ],
  tasks: [runSavedSearchTask, sweepSavedSearches],
  dueWork: [dueSavedSearches],
}
