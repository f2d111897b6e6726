import { itemsBundlesListOperation } from '@swath/contract/operations/items.bundles.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toNumberedPage, toOffsetPaging } from '../../../engine/page.ts'
import { parseCommaSeparatedList } from '../../../engine/sorted-page.ts'
import { listReadableProjectIds } from '../../projects/access.ts'
import { requireWorkspace } from '../../projects/workspace.ts'
import { toBundle } from '../bundles/bundle.ts'
import { listBundles, type BundleFilter } from '../bundles/store.bundles.ts'

const toDate = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

export const handler = defineHandler(itemsBundlesListOperation, async (call, input) => {
  const projects = input.workspaceId
    ? [(await requireWorkspace(call, input.workspaceId, 'read')).id]
    : await listReadableProjectIds(call)
  const [field, direction] = input.sort.split(',')
  const { rows, total } = await listBundles(call.db, {
    organization: call.organization,
    projects,
    created_after: toDate(input.createdAfter),
    created_before: toDate(input.createdBefore),
    collections: parseCommaSeparatedList(input.collectionNames),
    producers: parseCommaSeparatedList(input.producerNames),
    tags: parseCommaSeparatedList(input.tags),
    sources: parseCommaSeparatedList(input.sources)?.map((source) => source.toUpperCase()) ?? null,
    search: input.search ?? null,
    sort: { by: field as BundleFilter['sort']['by'], ascending: direction === 'asc' },
    now: call.clock.now(),
    ...toOffsetPaging(input),
  })
  return toNumberedPage({ rows: rows.map((row) => toBundle(call.organization, row)), total }, input)
})
