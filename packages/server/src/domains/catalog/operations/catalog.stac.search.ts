import { catalogStacSearchOperation } from '@swath/contract/operations/catalog.stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createCatalogSearchLinks } from '../../glossary/catalog-stac.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { splitNames } from '../../stac/read-api-search.ts'
import { searchFederatedPage } from '../federated-page.ts'

export const handler = defineHandler(catalogStacSearchOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const filters = { ...input, collections: splitNames(input.collections), ids: splitNames(input.ids) }
  const { features, next } = await searchFederatedPage(call, input, filters)
  return {
    type: 'FeatureCollection' as const,
    features,
    numberReturned: features.length,
    links: createCatalogSearchLinks(base, input.link_method ?? 'POST', input, next),
  }
})
