import { notificationKinds } from '@swath/contract/notification-kinds.ts'
import type { NotificationTexts } from './notification-texts.ts'

export const english: NotificationTexts = {
  intlLocale: 'en-GB',
  kinds: notificationKinds,
  words: {
    comparison: {
      gt: 'above',
      gte: 'at least',
      lt: 'below',
      lte: 'at most',
      eq: 'equal to',
      neq: 'other than',
      between: 'in a range from',
      outside: 'outside of a range from',
    },
    reason: {
      failing: 'its deliveries have failed for too long',
      gone: 'the endpoint has answered that it is gone',
      stopped: 'too many were declined in a row',
    },
  },
  mail: {
    several: '{count} notifications',
    membership: 'You receive this e-mail as a member of {organization}.',
    open: 'Open in Swath',
    end: 'End these e-mails',
  },
  page: {
    ask: 'End these e-mails?',
    askBody: 'You receive an e-mail when: {description}',
    digest: 'The daily summary.',
    done: 'You receive no more of these e-mails',
    doneBody: 'The notifications are still in the console, where you can choose them again.',
    invalid: 'This link is not valid',
    invalidBody: 'Copy the whole link of the e-mail, or choose your e-mails in the console.',
  },
}
