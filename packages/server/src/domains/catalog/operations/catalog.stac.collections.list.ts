import { catalogStacCollectionsListOperation } from '@swath/contract/operations/catalog.stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createCatalogCollectionsLinks, listCatalogStacCollections } from '../../glossary/catalog-stac.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'

export const handler = defineHandler(catalogStacCollectionsListOperation, async (call, { base_url }) => {
  const base = resolveLinkBase(call, base_url)
  return {
    collections: await listCatalogStacCollections(call, base),
    links: createCatalogCollectionsLinks(base),
  }
})
