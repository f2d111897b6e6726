import { catalogProvidersListOperation } from '@swath/contract/operations/catalog.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { completePageOf } from '../../../engine/page.ts'
import { readHosts } from '../../glossary/read-hosts.ts'
import { listVendors } from '../../glossary/vendors.ts'

/** Scenes of other strategies have no raster that can be rendered. */
const renderable_strategy = 'cog'

export const listCatalogProviders = defineHandler(catalogProvidersListOperation, async (call) =>
  completePageOf(
    'providers',
    listVendors(await readHosts(call), ({ collection }) => collection.render_strategy === renderable_strategy),
  ),
)
