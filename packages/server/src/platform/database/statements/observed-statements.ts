import { channel } from 'node:diagnostics_channel'
import type { DatabaseSession } from '../driver.ts'

/** A statement as it is sent, and the role that it runs as. */
export interface ObservedStatement {
  readonly text: string
  readonly role: DatabaseSession['role']
}

/**
 * Publishes every statement of a store, before it runs and in the stack of its caller. Without subscribers, as in a server, that
 * costs the reading of a field.
 */
export const statementDiagnosticsChannel = channel('swath.database.statement')
