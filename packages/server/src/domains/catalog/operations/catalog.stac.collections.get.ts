import { catalogStacCollectionsGetOperation } from '@swath/contract/operations/catalog.stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { requireCatalogStacCollection } from '../../glossary/catalog-stac.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'

export const handler = defineHandler(catalogStacCollectionsGetOperation, (call, { collection_name, base_url }) =>
  requireCatalogStacCollection(call, collection_name, resolveLinkBase(call, base_url)),
)
