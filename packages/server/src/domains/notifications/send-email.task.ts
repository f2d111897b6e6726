import { defineTask } from '../../engine/task.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { attemptEmail } from './send-email.ts'

/** One attempt at one e-mail; the row of the e-mail says when the next one is due. */
export const sendEmailTask = defineTask(
  backgroundTaskTypes.sendEmail,
  { limit: 1, delay_s: 10, backoff: false, expire_s: 120 },
  (context, { organization_id, email_id }) => attemptEmail(context, organization_id, email_id),
)
