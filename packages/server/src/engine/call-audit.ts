import type { Operation } from '@swath/contract/operation.ts'
import type { DbConnection } from '../platform/database/database.ts'
import type { Call, Principal } from './call.ts'

/** The data of a write call once its caller is authenticated. */
export interface AuditedCall {
  readonly principal: Principal
  readonly operation: Operation
  readonly requestId: string
  /** The IP address of the client; null if the route does not know it. */
  readonly address: string | null
}

/** The end of a call. */
export type AuditedCallEnd =
  | { readonly kind: 'succeeded' | 'replayed'; readonly output: () => unknown }
  | { readonly kind: 'failed'; readonly problem: string; readonly status: number }

/** The row of one write call in the audit trail. */
export interface CallAudit {
  /** The validated input; rows name only its ids, and the reason of an administrator. */
  setInput(input: unknown): void
  /** Sets the organization of a caller with a secret of it instead of a token, such as that of a share link. */
  setOrganization(organization: string): void
  /** The same connection; the first of its transactions that commits writes the row, too. */
  attach(db: DbConnection): DbConnection
  /** Writes the row if no transaction did, or what the end of the call adds to it. Never throws. */
  end(end: AuditedCallEnd): Promise<void>
}

/** Starts the row of a write call; implemented by the module `audit-trail`. */
export type StartCallAudit = (call: AuditedCall) => CallAudit

/** True if a call of this operation leaves a row. */
export const isAuditedOperation = ({ effect }: Pick<Operation, 'effect'>): boolean => effect !== 'read'

/** The connection of a call, attached to its row in the audit trail if it has one. */
export const attachAuditToConnection = (audit: CallAudit | null, db: Call['db']): Call['db'] =>
  audit ? audit.attach(db) : db
