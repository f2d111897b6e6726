import type { OrganizationClock } from '../platform/clock.ts'
import type { QueueProducer } from '../platform/queue/queue.ts'
import type { Call, Principal } from './call.ts'

/** The actor, time and call of a change: the cause stored with every record. A `Call` is an Actor. */
export interface Actor {
  readonly organization: string
  readonly principal: Principal
  readonly clock: OrganizationClock
  readonly operation: string
  readonly requestId: string
  /** Notifies event handlers. */
  readonly queue: QueueProducer
  /** The idempotency key of the call, if it has one. */
  readonly claim?: { readonly key: string } | null
}

/** The caller as the actor in another organization, with the clock of that organization. */
export const actorInOrganization = (
  {
    principal,
    clocks,
    operation,
    requestId,
    queue,
  }: Pick<Call, 'principal' | 'clocks' | 'operation' | 'requestId' | 'queue'>,
  organization: string,
): Actor => ({ organization, principal, clock: clocks.forOrganization(organization), operation, requestId, queue })
