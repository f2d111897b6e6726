import { stacLanding } from '@swath/contract/operations/stac.ts'
import { handler } from '../../engine/handler.ts'
import { linkBase } from '../items/link-base.ts'
import { readableProjects } from '../projects/access.ts'
import { landingOf } from './landing.ts'
import { listNames } from './store.ts'

export const readStacLanding = handler(stacLanding, async (call, input) => {
  const base = linkBase(call, input.base_url)
  return landingOf(base, await listNames(call.db, call.organization, readableProjects(call)))
})
