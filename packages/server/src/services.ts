import type { Keys } from './platform/crypto/signatures.ts'
import type { CallDependencies } from './engine/call-context.ts'
import type { TaskDependencies } from './engine/task-definition.ts'
import type { CallMeter } from './domains/usage/call-meter.ts'
import type { EgressMeter } from './domains/usage/egress-meter.ts'
import type { OpenedBlobStore } from './platform/blobs/open-blobs.ts'
import type { Clock, OrganizationClocks } from './platform/clock.ts'
import type { openRenderableItems } from './domains/items/renderable-items.ts'
import type { RelayedChannel } from './platform/database/relay-channel.ts'
import type { Config } from './platform/config.ts'
import type { Metrics } from './platform/metrics.ts'
import type { Tracing } from './platform/tracing/tracing.ts'
import type { EmbeddedProcessor } from './platform/integrations/payments/embedded/embedded.ts'

/** The services that live as long as the process and are shared by calls and tasks. */
export interface Services extends TaskDependencies {
  readonly clock: Clock & OrganizationClocks
  readonly config: Config
  readonly masterSecrets: Keys
  readonly disk: OpenedBlobStore['disk']
  /** The blob store as tasks use it. */
  readonly background: OpenedBlobStore['background']
  /** The embedded payment processor: that of every organization, or with Stripe of sandbox organizations alone. */
  readonly embedded: EmbeddedProcessor
  /** Sends the ids of organizations with new events. */
  readonly eventFeed: RelayedChannel
  readonly renderableItems: Awaited<ReturnType<typeof openRenderableItems>>
  readonly callServices: CallServices
  readonly meter: EgressMeter
  readonly callMeter: CallMeter
  readonly metrics: Metrics
  readonly tracing: Tracing
}

/** Services of calls alone: limits, signer, password hasher. */
export type CallServices = Pick<CallDependencies, 'quotas' | 'rateLimiter' | 'signer' | 'passwords'>
