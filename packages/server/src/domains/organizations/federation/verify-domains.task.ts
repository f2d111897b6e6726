import { hour_ms } from '@swath/geo/time-units.ts'
import { Problem } from '../../../engine/problem.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { createTaskActor, defineTask, type TaskContext } from '../../../engine/task.ts'
import { findDomainProblem, recordDomainCheck } from './domains.ts'
import { findDomain, listDomainsCheckedBefore, type DueDomain } from './store.domains.ts'

/** Each verified domain is looked for again this often. */
const interval_ms = 24 * hour_ms

/** Domains of one run; the next one goes on. */
const max_domains = 500

/** Looks for the records of verified domains again: a domain that was sold belongs to somebody else. */
export const verifyDomainsTask = defineTask(
  backgroundTaskTypes.verifyDomains,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 900 },
  async (context) => {
    const { database, clock, signal } = context
    const before = new Date(clock.process.now().getTime() - interval_ms)
    for (const due of await listDomainsCheckedBefore(database.unscoped, before, max_domains)) {
      signal.throwIfAborted()
      await verifyDomain(context, due)
    }
  },
)

async function verifyDomain(context: TaskContext, { organization_id, domain }: DueDomain): Promise<void> {
  const { database, integrations, log } = context
  const row = await findDomain(database.forOrganization(organization_id), organization_id, domain)
  if (!row) return
  const problem = await findDomainProblem(integrations.textRecords, row)
  if (problem !== null)
    log.warn({ organization: organization_id, domain, problem }, 'the record of a domain is missing')
  const actor = createTaskActor(context, organization_id)
  try {
    await database.unscoped.transaction((tx) => recordDomainCheck(tx, actor, row, problem))
  } catch (error) {
    // It was removed meanwhile, or another organization has verified it.
    if (!(error instanceof Problem && (error.problem === 'not-found' || error.problem === 'name-taken'))) throw error
  }
}
