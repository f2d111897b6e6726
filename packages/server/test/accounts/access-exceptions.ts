/** Operations that every member of the organization may call for all its entities. */
export const memberReadable: ReadonlySet<string> = new Set([
  'band_formulas.delete',
  'band_formulas.get',
  'band_formulas.update',
  'billing.approvals.get',
  'billing.forecast',
  'billing.invoices.download',
  'billing.invoices.get',
  'billing.status.get',
  'eulas.acceptances.list',
  'eulas.document.get',
  'eulas.documents.list',
  'eulas.get',
  'orders.quote',
  'orders.tasking.templates.delete',
  'orders.tasking.templates.get',
  'organizations.leave',
  'organizations.members.spend.get',
  'usage.by_operation',
  'usage.current',
  'usage.history',
  'users.me',
])

/** Operations that return 404 to members who are not in the project. */
export const hiddenFromOutsiders: ReadonlySet<string> = new Set([
  // The log of a delivery shows what the creator of its subscription may see.
  'event_subscriptions.delete',
  'event_subscriptions.deliveries.get',
  'event_subscriptions.deliveries.list',
  'event_subscriptions.deliveries.redeliver',
  'event_subscriptions.deliveries.replay_window',
  'event_subscriptions.get',
  'event_subscriptions.rotate_secret',
  'event_subscriptions.test',
  'event_subscriptions.update',
  // Only the notified user sees a notification.
  'notifications.dismiss',
  'notifications.mark_read',
  // Reports have what their user may read.
  'reports.delete',
  'reports.get',
  'reports.schedules.delete',
  // What belongs to a person alone, or was granted by one.
  'users.consents.revoke',
  'users.passkeys.remove',
  'users.passkeys.rename',
  'users.sessions.end',
  'users.tokens.revoke',
])
