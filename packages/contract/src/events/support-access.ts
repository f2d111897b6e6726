import { defineEvent, EventText, EventTimestamp, exampleEntityIds } from './define-event.ts'

const access = { operator_email: EventText, reason: EventText }
const exampleAccess = { operator_email: 'support@example.org', reason: 'An order of theirs is not delivered.' }

export const supportAccessEvents = {
  'support_access.requested': defineEvent(
    'An operator asked for the permission to read in the organization.',
    { ...access, expires_at: EventTimestamp },
    { ...exampleAccess, expires_at: '2026-03-08T10:00:00.000Z' },
  ),
  'support_access.granted': defineEvent(
    'An owner let an operator read in the organization for a time.',
    { ...access, user_id: EventText, expires_at: EventTimestamp },
    { ...exampleAccess, user_id: exampleEntityIds.user, expires_at: '2026-03-02T10:00:00.000Z' },
  ),
  'support_access.refused': defineEvent(
    'An owner refused the support access that an operator asked for.',
    { ...access, user_id: EventText },
    { ...exampleAccess, user_id: exampleEntityIds.user },
  ),
  'support_access.ended': defineEvent(
    'A support access was ended before its time, or the request for one was taken back.',
    { ...access, user_id: EventText },
    { ...exampleAccess, user_id: exampleEntityIds.user },
  ),
}
