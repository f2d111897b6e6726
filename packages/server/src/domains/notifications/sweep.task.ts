import { defineSweep, type DueWork, type TaskContext } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { toProcessClockTime } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { listOrganizationIdsForTimes } from '../organizations/all-organizations.ts'
import { markEmailsDigested, dueEmailRows, insertEmails, listDueDigests, listDueEmails } from './store.emails.ts'

/** E-mails of an organization that one sweep enqueues. */
const max_emails = 500

/** Collects the daily e-mails that are due, and enqueues an attempt at each e-mail that is. */
export const dueEmailsWork: DueWork = {
  name: 'e-mails',
  dueRows: (organization, { processTime }) => dueEmailRows(organization, processTime),
  runDue: async (context, times) => {
    for (const organization of await listOrganizationIdsForTimes(context.database.unscoped, times)) {
      context.signal.throwIfAborted()
      await collectDigests(context, organization)
      await enqueueEmails(context, organization)
    }
  },
}

export const sweepEmailsTask = defineSweep(
  backgroundTaskTypes.sweepEmails,
  { limit: 2, delay_s: 10, backoff: false, expire_s: 300 },
  dueEmailsWork,
)

/** One e-mail for each user, in one transaction with the mark on its notifications: none is sent in two. */
async function collectDigests({ database, clock }: TaskContext, organization: string): Promise<void> {
  const db = database.forOrganization(organization)
  const now = clock.forOrganization(organization).now()
  for (const user of await listDueDigests(db, organization, now)) {
    await db.transaction(async (tx) => {
      const id = newId()
      const count = await markEmailsDigested(tx, organization, { user, email: id, now })
      if (count > 0) await insertEmails(tx, organization, [{ id, user_id: user, kind: 'digest' }], now)
    })
  }
}

async function enqueueEmails({ database, clock, queue }: TaskContext, organization_id: string): Promise<void> {
  const db = database.forOrganization(organization_id)
  const now = clock.forOrganization(organization_id).now()
  const ids = await listDueEmails(
    db,
    organization_id,
    { now, processTime: toProcessClockTime(clock.process) },
    max_emails,
  )
  if (ids.length === 0) return
  await db.transaction(async (tx) => {
    for (const email_id of ids)
      await queue.enqueue(tx, backgroundTaskTypes.sendEmail, { organization_id, email_id }, { singleton_key: email_id })
  })
}
