import { shareLinkList } from '@swath/contract/operations/share.ts'
import { handler } from '../../engine/handler.ts'
import { requireProject, visibleProjects } from '../projects/access.ts'
import { sharedLinksOf } from './link.ts'
import { requireVisible } from './target.ts'
import { countLinks, listLinks } from './store.ts'

export const listSharedLinks = handler(shareLinkList, async (call, input) => {
  const { project_id, target_type = null, target_id = null, limit, offset } = input
  if (target_id !== null) await requireVisible(call, target_type, target_id)
  const filter = {
    organization: call.organization,
    projects:
      project_id === undefined
        ? await visibleProjects(call)
        : [(await requireProject(call, project_id, 'read', { allowArchived: true })).id],
    target_type,
    target_id,
    active: input.active ?? null,
    now: call.clock.now(),
  }
  const rows = await listLinks(call.db, filter, limit, offset)
  return { links: await sharedLinksOf(call, rows), limit, offset, total: await countLinks(call.db, filter) }
})
