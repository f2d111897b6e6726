import type { Room } from '../../engine/task.ts'
import { drawQuicklook } from './catalog.image.quicklook.ts'
import { searchCatalog } from './catalog.search.ts'
import { streamCatalog } from './catalog.search_stream.ts'
import { listSources } from './catalog.sources.list.ts'

export const catalog: Room = {
  name: 'catalog',
  handlers: [listSources, searchCatalog, streamCatalog, drawQuicklook],
  tasks: [],
}
