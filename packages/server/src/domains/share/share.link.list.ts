import { shareLinkList } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { requireProject, visibleProjects } from '../projects/access.ts'
import { sharedLinkOf } from './link.ts'
import { countLinks, listLinks } from './store.ts'

export const listSharedLinks = handler(shareLinkList, async (call, input) => {
  const { project_id, limit, offset } = input
  const filter = {
    organization: call.organization,
    projects:
      project_id === undefined
        ? await visibleProjects(call)
        : [(await requireProject(call, project_id, 'read', { allowArchived: true })).id],
    target_type: input.target_type ?? null,
    target_id: input.target_id ?? null,
    active: input.active ?? null,
    now: call.clock.now(call.organization),
  }
  const rows = await listLinks(call.db, filter, limit, offset)
  const links = []
  for (const row of rows) links.push(await sharedLinkOf(call, row))
  return { links, limit, offset, total: await countLinks(call.db, filter) }
})
