import type { OperationId } from '@swath/client/operations.ts'

/** Reads whose outputs a read or dismissed notification changes. */
export const notificationReads: readonly OperationId[] = ['notifications.list', 'notifications.unread_count']
