import type { Module } from '../../engine/task.ts'
import { getQuicklook } from './catalog.image.quicklook.ts'
import { searchCatalog } from './catalog.search.ts'
import { streamCatalogSearch } from './catalog.search_stream.ts'
import { listCatalogSources } from './catalog.sources.list.ts'

export const catalog: Module = {
  name: 'catalog',
  handlers: [listCatalogSources, searchCatalog, streamCatalogSearch, getQuicklook],
  tasks: [],
}
