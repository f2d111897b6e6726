import { catalogStacLandingOperation } from '@swath/contract/operations/catalog.stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { createCatalogLandingPage } from '../../glossary/catalog-stac.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'

export const handler = defineHandler(catalogStacLandingOperation, async (call, { base_url }) =>
  createCatalogLandingPage(resolveLinkBase(call, base_url)),
)
