import { stacQueryablesOperation } from '@swath/contract/operations/stac.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem } from '../../../engine/problem.ts'
import { resolveLinkBase } from '../../items/stac/link-base.ts'
import { findItemPropertyTypes } from '../../items/counts.ts'
import { toSearchableProjectsSql } from '../../projects/access.ts'
import { buildParentUrl } from '../links.ts'
import { toQueryablesDocument } from '../queryables.ts'
import { requireShownCollection } from '../shown-collections.ts'
import { hasNoOrganization } from '../signed-out.ts'

export const handler = defineHandler(stacQueryablesOperation, async (call, input) => {
  const base = resolveLinkBase(call, input.base_url)
  const { collection_id = null } = input
  if (hasNoOrganization(call)) {
    if (collection_id !== null) throw new Problem('unauthenticated', 'Sign in to read the queryables of a collection.')
    return toQueryablesDocument(buildParentUrl(base, null), null, [])
  }
  const collection = collection_id === null ? null : await requireShownCollection(call, collection_id, 'read')
  const properties = await findItemPropertyTypes(call, {
    collections: collection?.scope ?? null,
    projects: toSearchableProjectsSql(call),
  })
  return toQueryablesDocument(buildParentUrl(base, collection?.id ?? null), collection?.name ?? null, properties)
})
